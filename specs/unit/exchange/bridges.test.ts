import { beforeEach, describe, expect, it } from 'vitest';
import { Bridges } from '../../../sim/exchange/directory/bridges.ts';
import { HandClock } from '../support/hand-clock.ts';

const LIFE_MS = 1_000;
const BOB = { userId: 'bob', clientId: 'phone' };
const TABLET = { userId: 'bob', clientId: 'tablet' };
const ALICE = { userId: 'alice', clientId: 'phone' };

describe('S08 sessions of the previous exchange', () => {
  let clock: HandClock;
  let bridges: Bridges;

  beforeEach(() => {
    clock = new HandClock();
    bridges = new Bridges(clock, (text) => `hash of ${text}`, LIFE_MS);
    for (const [token, device] of [
      ['b', BOB],
      ['t', TABLET],
      ['a', ALICE],
    ] as const)
      bridges.add(`hash of ${token}`, device);
  });
  const found = () => [bridges.find('b', 'phone'), bridges.find('t', 'tablet'), bridges.find('a', 'phone')];

  it('are found by the hash of their token, and belong to one client', () => {
    expect(found()).toEqual([BOB, TABLET, ALICE]);
    for (const [token, clientId] of [
      ['b', 'tablet'],
      ['x', 'phone'],
      ['hash of b', 'phone'],
      ['', 'phone'],
    ] as const)
      expect(bridges.find(token, clientId)).toBeUndefined();
  });

  it('expire by the monotonic clock', () => {
    clock.set(86_400_000);
    clock.advance(LIFE_MS - 1);
    expect(found()).toEqual([BOB, TABLET, ALICE]);
    clock.advance(1);
    expect(found()).toEqual([undefined, undefined, undefined]);
  });

  it('end when their device has signed in again', () => {
    bridges.remove(BOB);
    expect(found()).toEqual([undefined, TABLET, ALICE]);
  });

  it('end with the sessions of their user', () => {
    bridges.revoke('bob');
    expect(found()).toEqual([undefined, undefined, ALICE]);
  });

  it('are stored as a hash, and not stored without a session or a hash function', () => {
    expect([bridges.hashOf('b'), bridges.hashOf(undefined)]).toEqual(['hash of b', null]);
    const without = new Bridges(clock, undefined, LIFE_MS);
    expect([without.hashOf('b'), without.find('b', 'phone')]).toEqual([null, undefined]);
  });

  it('are hashed once while their calls are stored, and tokens of requests are not kept', () => {
    const hashed: string[] = [];
    const counted = new Bridges(clock, (text) => `hash ${hashed.push(text)}`, LIFE_MS);
    expect([counted.hashOf('a'), counted.hashOf('a')]).toEqual(['hash 1', 'hash 1']);
    counted.find('b', 'phone');
    expect(counted.hashOf('b')).toBe('hash 3');
    // A thousand others, so the first hash is not kept any more.
    for (let session = 0; session < 999; session += 1) counted.hashOf(`session ${session}`);
    expect(hashed).toHaveLength(1_002);
    counted.hashOf('b');
    expect(hashed).toHaveLength(1_002);
    expect(counted.hashOf('a')).toBe('hash 1003');
  });
});
