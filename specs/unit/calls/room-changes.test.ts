import { describe, expect, test } from 'vitest';
import { afterEvent, afterItems, afterSnapshot } from '../../../src/calls/room/room-changes.ts';
import { Rooms } from '../../../src/calls/room/rooms.ts';
import { SwitchReport } from '../../../src/calls/room/switch-report.ts';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import type { ParticipantPayload, RoomPayload } from '../../../src/protocol/room-entities.ts';

const participant = (id: string, more: Partial<ParticipantPayload> = {}): ParticipantPayload => ({
  participant_id: id,
  entered_at: 1,
  updated_at: 1,
  exited_at: null,
  duration: 0,
  state: 'entered',
  user: { user_id: id, nickname: `name of ${id}`, profile_url: '', metadata: {}, is_active: true },
  is_local_participant: false,
  client_id: `client of ${id}`,
  is_audio_on: true,
  is_video_on: true,
  ...more,
});

const room = (more: Partial<RoomPayload> = {}): RoomPayload => ({
  room_id: 'r1',
  state: 'open',
  room_type: 'small_room_for_video',
  custom_items: { a: '1', b: '2' },
  custom_items_affected_at: 100,
  created_at: 1,
  created_by: 'alice',
  current_participants: [participant('alice'), participant('bob')],
  sequence_number: 5,
  ...more,
});

const words = (changes: ReturnType<typeof afterSnapshot>['changes']) =>
  changes.map((change) =>
    'keys' in change
      ? `${change.what} ${change.keys.join(' ')}`
      : `${change.what} ${change.participant.participant_id}`,
  );

describe('a snapshot of a room', () => {
  test('that is older changes nothing', () => {
    const known = room();
    const older = room({
      sequence_number: 4,
      current_participants: [],
      custom_items: {},
      custom_items_affected_at: 200,
    });
    expect(afterSnapshot(known, older, 50)).toEqual({ room: known, changes: [] });
  });

  test('has each difference as a change, and shortened users do not replace those that are known', () => {
    const shortened = { ...participant('bob').user, nickname: '' };
    const next = room({
      sequence_number: 9,
      current_participants: [
        participant('bob', { state: 'connected', is_audio_on: false, user: shortened }),
        participant('carol', { state: 'connected', is_video_on: false }),
      ],
      custom_items: { b: '3', c: '4' },
      custom_items_affected_at: 101,
    });
    const { room: after, changes } = afterSnapshot(room(), next, 50);
    expect(words(changes)).toEqual([
      'exited alice',
      'connected bob',
      'audio bob',
      'entered carol',
      'connected carol',
      'itemsUpdated b c',
      'itemsDeleted a',
    ]);
    expect(changes[0]).toMatchObject({ participant: { state: 'exited', exited_at: 50, updated_at: 50 } });
    expect(after.current_participants.map(({ user }) => user.nickname)).toEqual(['name of bob', 'name of carol']);
    expect([after.sequence_number, after.custom_items]).toEqual([9, { b: '3', c: '4' }]);
  });

  test('with older custom items keeps the known ones', () => {
    const next = room({ sequence_number: 6, custom_items: { z: '0' }, custom_items_affected_at: 99 });
    const { room: after, changes } = afterSnapshot(room(), next, 50);
    expect([after.custom_items, after.custom_items_affected_at, changes]).toEqual([{ a: '1', b: '2' }, 100, []]);
  });
});

describe('an event of a room', () => {
  test('about an unknown participant adds it, and one about the exit of an unknown participant changes nothing', () => {
    const dave = participant('dave', { state: 'connected' });
    const added = afterEvent(room(), {
      cmd: 'COMM',
      type: 'participant_connected',
      payload: { room_id: 'r1', participant: dave },
    });
    expect([words(added.changes), added.room.current_participants.at(-1)]).toEqual([
      ['entered dave', 'connected dave'],
      dave,
    ]);
    const gone = { cmd: 'COMM', type: 'participant_exited', payload: { room_id: 'r1', participant: dave } } as const;
    expect(afterEvent(room(), gone)).toEqual({ room: room(), changes: [] });
    expect(words(afterEvent(added.room, gone).changes)).toEqual(['exited dave']);
  });

  test('ENT-02: custom items of the same or an older time are not applied', () => {
    for (const affected_at of [99, 100]) {
      expect(afterItems(room(), { custom_items: {}, affected_at }, [], ['a'])).toEqual({ room: room(), changes: [] });
    }
    expect(words(afterItems(room(), { custom_items: {}, affected_at: 101 }, [], ['a', 'b']).changes)).toEqual([
      'itemsDeleted a b',
    ]);
  });
});

test('RM-25: reports are sent one after another, a state that is known is not sent, and none after the end', async () => {
  const sent: boolean[] = [];
  const answers: ((failure?: Error) => void)[] = [];
  const report = new SwitchReport(true, (isOn) => {
    sent.push(isOn);
    return new Promise<void>((resolve, reject) => answers.push((failure) => (failure ? reject(failure) : resolve())));
  });
  const answer = async (failure?: Error) => {
    answers.shift()?.(failure);
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  };
  report.set(true);
  expect(sent).toEqual([]);
  for (const isOn of [false, true, false]) report.set(isOn);
  expect([sent, report.isOn]).toEqual([[false], false]);
  await answer();
  expect(sent).toEqual([false]);
  report.set(true);
  report.set(false);
  await answer();
  expect(sent).toEqual([false, true, false]);
  await answer(new Error('refused'));
  expect(sent).toEqual([false, true, false]);
  void report.again();
  expect(sent).toEqual([false, true, false, false]);
  report.set(true);
  report.close();
  await answer();
  expect(sent).toEqual([false, true, false, false]);
});

test('a room that the client forgot gets its events again after the host enters it', async () => {
  const alone = (id: string) => room({ room_id: id, current_participants: [], sequence_number: 1 });
  let page = [alone('kept')];
  const me = participant('me', { is_local_participant: true });
  const reply = { me, room: { ...alone('kept'), current_participants: [me], sequence_number: 2 } };
  const media = { missing: [], isSharingScreen: false, follow: () => undefined, close: () => undefined };
  const rooms = new Rooms({
    routes: {
      signalling: { send: async ({ type }) => (type === 'room_enter' ? reply : { room_id: 'kept' }) as never },
      rest: { request: async () => ({ rooms: page, next: null, prev: null }) as never },
    },
    startMedia: () => media as never,
    clock: new VirtualClock(0),
    log: {
      verbose: () => undefined,
      debug: () => undefined,
      info: () => undefined,
      warning: () => undefined,
      error: () => undefined,
    },
    hasten: () => undefined,
    reconnect: () => undefined,
    invited: () => undefined,
  });
  const [kept] = (await rooms.page({})).rooms;
  page = Array.from({ length: 1_000 }, (_, at) => alone(`room-${at}`));
  await rooms.page({});
  expect(rooms.cached('kept')).toBeUndefined();
  await kept!.enter();
  rooms.receive({
    version: 1,
    cmd: 'COMM',
    type: 'participant_entered',
    message_id: 'a message',
    delivery_info: { channel: 'websocket' },
    sequence_number: 3,
    payload: { room_id: 'kept', participant: participant('bob') },
  });
  expect(kept!.participants.map(({ user }) => user.userId)).toEqual(['me', 'bob']);
  expect([rooms.cached('kept'), rooms.cached('room-0')]).toEqual([kept, undefined]);
  rooms.signOut();
});
