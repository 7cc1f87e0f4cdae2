import { describe, expect, it } from 'vitest';
import { type ItemHolder, type MediaControls, Participations } from '../../../sim/scenario/actor/participations.ts';
import { ActionImpossible } from '../../../sim/scenario/run/world.ts';

const room = (name: string) => ({
  area: 'room',
  connection: null,
  // No test of this file controls its media or its items.
  controls: {} as MediaControls,
  items: {} as ItemHolder,
  read: (what: string) => `${name} ${what}`,
});

describe('the participations of a user', () => {
  it('have a current entry: the newest, or the one before it on request', () => {
    const participations = new Participations('alice', () => undefined);
    expect([participations.current, participations.former()]).toEqual([undefined, false]);
    participations.add(room('first'));
    expect(participations.former()).toBe(false);
    participations.add(room('second'));
    expect(participations.current?.read('state')).toBe('second state');
    expect(participations.former()).toBe(true);
    expect(participations.current?.read('state')).toBe('first state');
    expect(participations.former()).toBe(true);
    expect(participations.current?.read('state')).toBe('second state');
  });

  it('have a current entry in each area, and an action on a call requires a call', () => {
    const participations = new Participations('alice', () => undefined);
    participations.add(room('first'));
    participations.add({ ...room('other'), area: 'stage' });
    expect(participations.currentIn('room')?.read('state')).toBe('first state');
    expect(participations.currentIn('call')).toBeUndefined();
    expect(() => participations.call).toThrow(new ActionImpossible('alice has no call'));
    expect(() => new Participations('bob', () => undefined).present).toThrow(new ActionImpossible('bob has no call'));
  });
});
