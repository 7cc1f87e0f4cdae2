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

const alone = (id: string) => room({ room_id: id, current_participants: [], sequence_number: 1 });
const me = participant('me', { is_local_participant: true });

/** The rooms of a client. Its requests about the room `kept` are answered with these values. */
function roomsOf(answers: { page: RoomPayload[]; room?: RoomPayload }) {
  const reply = { me, room: { ...alone('kept'), current_participants: [me], sequence_number: 2 } };
  const media: string[] = [];
  const rooms = new Rooms({
    routes: {
      signalling: {
        send: async ({ type }) =>
          (type === 'room_enter'
            ? reply
            : { room_id: 'kept', ...(answers.room ? { room: answers.room } : {}) }) as never,
      },
      rest: { request: async () => ({ rooms: answers.page, next: null, prev: null }) as never },
    },
    startMedia: () =>
      ({
        missing: [],
        isSharingScreen: false,
        follow: (sources: { participantId: string; isConnected: boolean }[]) =>
          void media.push(sources.map((one) => `${one.participantId} ${one.isConnected}`).join()),
        connectAgain: () => void media.push('again'),
        close: () => undefined,
      }) as never,
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
  /** Delivers an event about a participant. */
  const receive = (type: string, sequence_number: number, about: ParticipantPayload, more: object = {}) =>
    rooms.receive({
      ...{ version: 1, cmd: 'COMM', type, sequence_number },
      message_id: 'a message',
      delivery_info: { channel: 'websocket' },
      payload: { room_id: 'kept', participant: about, ...more },
    });
  return { rooms, media, receive };
}

test('a room that another server has continued connects its media again', async () => {
  const answers: Parameters<typeof roomsOf>[0] = { page: [alone('kept')] };
  const { rooms, media, receive } = roomsOf(answers);
  await rooms.page({});
  const kept = rooms.cached('kept');
  await kept!.enter();
  receive('participant_entered', 3, participant('bob'));
  receive('participant_connected', 4, participant('bob', { state: 'connected' }));
  const read = async (sequence_number: number, mine: ParticipantPayload) => {
    media.splice(0);
    answers.room = room({ room_id: 'kept', current_participants: [mine, participant('bob')], sequence_number });
    await kept!.readAgain();
    return media;
  };
  // This client has not connected yet, so it has lost nothing.
  expect(await read(5, me)).toEqual(['bob false']);
  receive('participant_connected', 6, { ...me, state: 'connected' });
  expect(await read(4, me)).toEqual([]);
  expect(await read(7, { ...me, state: 'connected' })).toEqual(['bob false']);
  expect(await read(1_007, me)).toEqual(['bob false', 'again']);
  expect(await read(1_008, me)).toEqual(['bob false']);
  rooms.signOut();
});

test('I17: a participant who has left does not come back, also when a server lists the participant again', async () => {
  const answers: Parameters<typeof roomsOf>[0] = { page: [alone('kept')] };
  const { rooms, receive } = roomsOf(answers);
  await rooms.page({});
  const kept = rooms.cached('kept');
  const told: string[] = [];
  for (const event of ['remoteParticipantEntered', 'remoteParticipantExited', 'remoteAudioSettingsChanged'] as const)
    kept!.on(event, ({ user }) => void told.push(`${event} ${user.userId}`));
  await kept!.enter();
  receive('participant_entered', 3, participant('bob'));
  receive('participant_exited', 4, participant('bob', { state: 'exited', exited_at: 2 }));
  const before = ['remoteParticipantEntered bob', 'remoteParticipantExited bob'];
  expect(told).toEqual(before);
  answers.room = room({ room_id: 'kept', current_participants: [me, participant('bob')], sequence_number: 5 });
  await kept!.readAgain();
  receive('participant_audio_status_changed', 6, participant('bob', { is_audio_on: false }), { on: false });
  const reason = 'connection_lost';
  receive('participant_disconnected', 7, participant('bob', { state: 'exited', exited_at: 2 }), { reason });
  expect([told, kept!.participants.map(({ user }) => user.userId)]).toEqual([before, ['me']]);
  receive('participant_entered', 8, participant('carol'));
  expect(kept!.participants.map(({ user }) => user.userId)).toEqual(['me', 'carol']);
  rooms.signOut();
});

test('a room that the client forgot gets its events again after the host enters it', async () => {
  const answers = { page: [alone('kept')] };
  const { rooms, receive } = roomsOf(answers);
  const [kept] = (await rooms.page({})).rooms;
  answers.page = Array.from({ length: 1_000 }, (_, at) => alone(`room-${at}`));
  await rooms.page({});
  expect(rooms.cached('kept')).toBeUndefined();
  await kept!.enter();
  receive('participant_entered', 3, participant('bob'));
  expect(kept!.participants.map(({ user }) => user.userId)).toEqual(['me', 'bob']);
  expect([rooms.cached('kept'), rooms.cached('room-0')]).toEqual([kept, undefined]);
  rooms.signOut();
});
