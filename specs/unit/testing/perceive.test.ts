import { expect, it } from 'vitest';
import { perceptionOf, takesPart } from '../../../cli/testing/host/perceive.ts';
import { NO_MEDIA, type ReceivedMedia } from '../../../sim/scenario/actor/received-media.ts';

const ALICE = { user: 'alice', devices: ['alice.phone', 'alice.page'], hasPage: false };

const inCall = (received: Partial<ReceivedMedia>, values: Readonly<Record<string, unknown>> = {}) => ({
  received: { ...NO_MEDIA, ...received },
  read: (path: readonly string[]) =>
    ({ 'call.state': 'connected', 'call.remote': 'alice', ...values })[path.join('.')] as unknown,
});

it('tells the sound of a headless user by its tone, and that of a page as any sound of its call', () => {
  const page = { ...ALICE, hasPage: true };
  const tone = inCall({ heard: ['alice.phone'], any: { sound: true, motion: false } });
  const voice = inCall({ any: { sound: true, motion: false } });
  expect(perceptionOf(tone, 'hears', ALICE).isSo).toBe(true);
  expect(perceptionOf(tone, 'hears', { ...ALICE, user: 'carol', devices: ['carol'] })).toEqual({
    isSo: false,
    found: 'the call is with alice',
  });
  expect(perceptionOf(voice, 'hears', ALICE)).toEqual({ isSo: false, found: 'sound of an unknown source' });
  expect(perceptionOf(voice, 'hears', page).isSo).toBe(true);
  expect(perceptionOf(inCall({}), 'hears', page)).toEqual({ isSo: false, found: 'silence' });
});

it('tells pictures of a headless user by their marks, and those of a page by their motion', () => {
  const page = { ...ALICE, hasPage: true };
  expect(perceptionOf(inCall({ marker: 'advancing' }), 'sees', ALICE).isSo).toBe(true);
  const moving = inCall({ any: { sound: false, motion: true } });
  expect(perceptionOf(moving, 'sees', page).isSo).toBe(true);
  expect(perceptionOf(moving, 'sees', ALICE).isSo).toBe(false);
  expect(perceptionOf(inCall({}), 'sees', page)).toEqual({ isSo: false, found: 'no moving picture' });
});

it('perceives nothing in silence and without a connected call, and nothing else', () => {
  expect(perceptionOf(inCall({}), 'hears nothing', undefined).isSo).toBe(true);
  expect(perceptionOf(inCall({ any: { sound: true, motion: false } }), 'hears nothing', undefined).isSo).toBe(false);
  expect(perceptionOf(inCall({ marker: 'advancing' }), 'sees nothing', undefined).isSo).toBe(false);
  const ringing = inCall({}, { 'call.state': 'ringing' });
  expect(perceptionOf(ringing, 'hears nothing', undefined).isSo).toBe(true);
  expect(perceptionOf(ringing, 'hears', ALICE)).toEqual({ isSo: false, found: 'the call is ringing' });
});

it('tells the users of a room by what the room presents', () => {
  const room = inCall({}, { 'room.entered': true, 'room.heard': ['alice.phone'], 'room.seen': ['bob'] });
  expect(perceptionOf(room, 'hears', ALICE).isSo).toBe(true);
  expect(perceptionOf(room, 'sees', ALICE)).toEqual({ isSo: false, found: 'bob' });
  expect(perceptionOf(room, 'sees nothing', undefined).isSo).toBe(false);
});

it('takes part from the first ring to the end', () => {
  const state = (value: unknown) => takesPart(inCall({}, { 'call.state': value }));
  expect(['ringing', 'dialing', 'established', 'connected', 'reconnecting'].every(state)).toBe(true);
  expect([undefined, 'ended', 'closing'].some(state)).toBe(false);
  expect(takesPart(inCall({}, { 'call.state': undefined, 'room.entered': true }))).toBe(true);
});

it('says that a user is not in the room, and not which other user is heard', () => {
  const inRoom = inCall({}, { 'room.entered': true, 'room.participants': ['bob', 'carol'], 'room.heard': ['carol'] });
  expect(perceptionOf(inRoom, 'hears', ALICE)).toEqual({ isSo: false, found: 'alice is not in the room' });
  const carol = { user: 'carol', devices: ['carol'], hasPage: false };
  expect(perceptionOf(inRoom, 'hears', carol).isSo).toBe(true);
});
