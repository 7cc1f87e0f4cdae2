/** Rooms of the exchange: how clients create, enter, leave and delete them, over the channel and over HTTP. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ErrorCode } from '../../../../src/protocol/errors.ts';
import { ROOM_TYPES } from '../../../../src/protocol/room-entities.ts';
import type { JournalEntry } from '../../../../sim/exchange/delivery/journal.ts';
import { MemoryStore } from '../../../../sim/store/memory-store.ts';
import type { Device } from '../exchange-fixture.ts';
import {
  codeOf,
  createRoomWorld,
  heard,
  lastOf,
  master,
  MEDIA,
  run,
  type RoomWorld,
  type Way,
} from './room-fixture.ts';

const WAYS: Way[] = ['channel', 'http'];
const START = Date.UTC(2026, 0, 1);

let world: RoomWorld;
let alice: Device;
let bob: Device;
let carol: Device;
beforeEach(async () => {
  world = createRoomWorld();
  const { device } = world.fixture;
  [alice, bob, carol] = [await device('alice'), await device('bob'), await device('carol')];
});

const user = (user_id: string) => ({ user_id, nickname: user_id, profile_url: '', metadata: {}, is_active: true });
/** The participants of a room, as a snapshot has them. */
const present = async (room_id: string, by = carol) =>
  (await run(by, 'room_get', { room_id })).room.current_participants.map((one) => one.participant_id);
/** The events of the other kinds of sessions are not of rooms. */
const ids = (...parties: { participant_id: string }[]) => parties.map(({ participant_id }) => participant_id);

describe.each(WAYS)('by %s', (way) => {
  it('HTTP-03 HTTP-04 ENT-01: a created room is open and empty, and has its type, items, creator and time', async () => {
    const payload = { type: 'large_room_for_video', custom_items: { topic: 'tea' } } as const;
    const { room } = await run(alice, 'room_create', payload, way);
    expect(room).toEqual({
      room_id: expect.any(String),
      state: 'open',
      room_type: 'large_room_for_video',
      custom_items: { topic: 'tea' },
      custom_items_affected_at: START,
      created_at: START,
      created_by: 'alice',
      current_participants: [],
      sequence_number: 0,
    });
    expect(await run(bob, 'room_get', { room_id: room.room_id }, way)).toEqual({ room });
    expect((await run(alice, 'room_create', { type: 'small_room_for_video' }, way)).room.custom_items).toEqual({});
  });

  it('HTTP-07 ENT-04: entering answers the participant and the room with it, as local to this client only', async () => {
    const room_id = await world.create(alice);
    await world.enter(bob, room_id);
    world.fixture.clock.advance(2_000);
    const enter = { room_id, is_audio_on: false, is_video_on: true, kick_siblings: false };
    const { me, room } = await run(alice, 'room_enter', enter, way);
    expect(me).toEqual({
      participant_id: expect.any(String),
      entered_at: START + 2_000,
      updated_at: START + 2_000,
      exited_at: null,
      duration: 0,
      state: 'entered',
      user: user('alice'),
      is_local_participant: true,
      client_id: 'alice-1',
      is_audio_on: false,
      is_video_on: true,
    });
    expect(room.current_participants).toMatchObject([
      { user: user('bob'), is_local_participant: false, entered_at: START, duration: 2, is_audio_on: true },
      me,
    ]);
    expect(room.sequence_number).toBe(2);
  });

  it('RM-14 RM-16 HTTP-08: the others learn who enters and who exits, each with the next number', async () => {
    const room_id = await world.create(alice);
    const first = await world.enter(alice, room_id, {}, way);
    const second = await world.enter(bob, room_id, {}, way);
    expect([heard(alice), heard(bob)]).toEqual([['2 participant_entered'], []]);
    expect(lastOf(alice, 'participant_entered')).toMatchObject({
      room_id,
      participant: { participant_id: second.participant_id, user: user('bob'), state: 'entered', exited_at: null },
    });
    world.fixture.clock.advance(3_000);
    expect(await run(bob, 'room_exit', second.me, way)).toEqual({ room_id });
    expect([heard(alice).at(-1), heard(bob)]).toEqual(['3 participant_exited', []]);
    expect(lastOf(alice, 'participant_exited').participant).toMatchObject({
      participant_id: second.participant_id,
      state: 'exited',
      duration: 3,
      exited_at: START + 3_000,
      updated_at: START + 3_000,
      is_local_participant: false,
    });
    expect(await present(room_id)).toEqual(ids(first));
    // A participant who left is not in the room any more.
    expect(await codeOf(bob, 'room_exit', second.me, way)).toBe(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
    const stays = await world.store.rooms.stays(room_id);
    expect(stays).toEqual([
      {
        participantId: second.participant_id,
        roomId: room_id,
        userId: 'bob',
        clientId: 'bob-1',
        enteredAt: START,
        exitedAt: START + 3_000,
        duration: 3_000,
        reason: null,
      },
    ]);
  });

  it('RM-15: a participant is connected when its master is, and all learn it once', async () => {
    const room_id = await world.create(alice);
    const [first] = [await world.enter(alice, room_id), await world.enter(bob, room_id)];
    world.fixture.clock.advance(1_000);
    const made = await master(first, way);
    await run(alice, 'endpoint_connected', made, way);
    expect(heard(bob)).toEqual(['3 participant_connected']);
    expect(heard(alice)).toEqual(['2 participant_entered', '3 participant_connected']);
    expect(lastOf(bob, 'participant_connected').participant).toMatchObject({
      participant_id: first.participant_id,
      state: 'connected',
      updated_at: START + 1_000,
      is_local_participant: false,
    });
    expect(lastOf(alice, 'participant_connected').participant.is_local_participant).toBe(true);
  });

  it.each(['audio', 'video'] as const)(
    'RM-18 RM-19 HTTP-10: all learn that %s is switched, and nothing when it is not',
    async (kind) => {
      const room_id = await world.create(alice);
      const [first] = [await world.enter(alice, room_id, { is_video_on: true }), await world.enter(bob, room_id)];
      world.fixture.clock.advance(1_000);
      const field = `is_${kind}_on`;
      const off = await run(alice, `room_${kind}`, { ...first.me, on: false }, way);
      expect(off.me).toMatchObject({ [field]: false, is_local_participant: true, updated_at: START + 1_000 });
      await run(alice, `room_${kind}`, { ...first.me, on: false }, way);
      expect(heard(bob)).toEqual([`3 participant_${kind}_status_changed`]);
      expect(lastOf(bob, `participant_${kind}_status_changed`)).toMatchObject({
        on: false,
        participant: { participant_id: first.participant_id, [field]: false },
      });
      await run(alice, `room_${kind}`, { ...first.me, on: true }, way);
      expect(heard(bob).at(-1)).toBe(`4 participant_${kind}_status_changed`);
    },
  );

  it('HTTP-09: a keep-alive answers the time and the number of the last event', async () => {
    const room_id = await world.create(alice);
    const first = await world.enter(alice, room_id);
    await world.enter(bob, room_id);
    world.fixture.clock.advance(5_000);
    expect(await run(alice, 'room_alive', first.me, way)).toEqual({
      room_id,
      alive_at: START + 5_000,
      sequence_number: 2,
    });
  });

  it('CI-02 HTTP-16 RM-20 RM-21 ENT-10: custom items change with a result, and an event to the participants', async () => {
    const room_id = await world.create(alice);
    await world.enter(bob, room_id);
    const update = { room_id, custom_items: { a: '1', b: '2' } };
    world.fixture.clock.advance(1_000);
    const at = START + 1_000;
    const updated = { custom_items: { a: '1', b: '2' }, updated: ['a', 'b'], deleted: [], affected_at: at };
    expect(await run(alice, 'room_custom_items_update', update, way)).toEqual(updated);
    expect(lastOf(bob, 'custom_items_update')).toEqual({
      room_id,
      custom_items: { a: '1', b: '2' },
      updated: ['a', 'b'],
      affected_at: at,
    });
    // The clock was set back: the newer of two states still has the higher time.
    const removed = await run(bob, 'room_custom_items_delete', { room_id, keys: ['a', 'x'] }, way);
    expect(removed).toEqual({ custom_items: { b: '2' }, updated: [], deleted: ['a'], affected_at: at + 1 });
    expect(lastOf(bob, 'custom_items_delete')).toEqual({
      room_id,
      custom_items: { b: '2' },
      deleted: ['a'],
      affected_at: at + 1,
    });
    expect(await run(alice, 'room_custom_items_delete', { room_id, keys: ['x'] }, way)).toMatchObject({ deleted: [] });
    expect(await run(alice, 'room_custom_items_delete', { room_id }, way)).toMatchObject({ deleted: ['b'] });
    expect(heard(bob)).toEqual(['2 custom_items_update', '3 custom_items_delete', '4 custom_items_delete']);
    expect(await run(carol, 'room_custom_items_get', { room_id }, way)).toEqual({
      custom_items: {},
      updated: [],
      deleted: [],
      affected_at: at + 2,
    });
    expect((await run(carol, 'room_get', { room_id })).room).toMatchObject({ custom_items_affected_at: at + 2 });
  });

  it('S06: only a user in the room, or its creator, changes custom items, up to their limit', async () => {
    const room_id = await world.create(alice);
    const change = { room_id, custom_items: { a: '1' } };
    expect(await codeOf(carol, 'room_custom_items_update', change, way)).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(await codeOf(carol, 'room_custom_items_delete', { room_id }, way)).toBe(ErrorCode.ERR_NO_PERMISSION);
    await world.enter(carol, room_id);
    expect(await codeOf(carol, 'room_custom_items_update', change, way)).toBe(0);
    const more = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`k${at}`, 'v']));
    expect(await codeOf(carol, 'room_custom_items_update', { room_id, custom_items: more }, way)).toBe(
      ErrorCode.INVALID_PARAMETER_VALUE,
    );
  });

  it('RM-32 RM-22 S21 D20 HTTP-06: any participant deletes the room for all; no other client does, not even its creator', async () => {
    const room_id = await world.create(alice);
    const [first, second] = [await world.enter(bob, room_id), await world.enter(carol, room_id)];
    const phone = await world.fixture.device('bob', 'bob-phone');
    for (const other of [alice, phone]) {
      expect(await codeOf(other, 'room_delete', { room_id }, way)).toBe(ErrorCode.ERR_NO_PERMISSION);
    }
    await master(first);
    expect(await run(carol, 'room_delete', { room_id }, way)).toEqual({ room_id });
    for (const device of [bob, carol]) expect(heard(device).at(-1)).toBe('4 room_deleted');
    expect([heard(alice), heard(phone)]).toEqual([[], []]);
    for (const type of ['room_get', 'room_delete', 'room_custom_items_get'] as const) {
      expect(await codeOf(carol, type, { room_id }, way), type).toBe(ErrorCode.ERR_ROOM_DELETED);
    }
    expect(await codeOf(bob, 'room_alive', first.me, way)).toBe(ErrorCode.ERR_ROOM_DELETED);
    expect(await codeOf(bob, 'room_enter', { room_id, ...MEDIA, kick_siblings: false }, way)).toBe(
      ErrorCode.ERR_ROOM_DELETED,
    );
    expect(await world.store.rooms.stays(room_id)).toMatchObject(
      [first, second].map(({ participant_id }) => ({ participantId: participant_id, reason: 'room_deleted' })),
    );
    expect([...world.media.rooms, ...world.media.endpoints]).toEqual([]);
    expect(world.fixture.clock.pending).toBe(0);
    expect(world.fixture.exchange.liveRooms).toEqual([]);
  });

  it('RM-31 RM-17: kick_siblings removes the other clients of the user, who learn the reason', async () => {
    const room_id = await world.create(alice);
    const [other, old] = [await world.enter(bob, room_id), await world.enter(alice, room_id)];
    const tablet = await world.fixture.device('alice', 'alice-tablet');
    await world.enter(tablet, room_id);
    const phone = await world.fixture.device('alice', 'alice-phone');
    const now = await world.enter(phone, room_id, { kick_siblings: true }, way);
    expect(heard(bob)).toEqual([
      '2 participant_entered',
      '3 participant_entered',
      '4 participant_disconnected',
      '5 participant_disconnected',
      '6 participant_entered',
    ]);
    expect(lastOf(alice, 'participant_disconnected')).toMatchObject({
      reason: 'sibling_kicked',
      participant: { participant_id: old.participant_id, state: 'exited', is_local_participant: true },
    });
    expect(lastOf(tablet, 'participant_disconnected')).toMatchObject({ participant: { client_id: 'alice-tablet' } });
    expect(await present(room_id)).toEqual(ids(other, now));
    expect(await codeOf(alice, 'room_alive', old.me, way)).toBe(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
  });

  it('B28: a client that has entered is refused, and finds its participant in the room after a lost reply', async () => {
    const room_id = await world.create(alice);
    const first = await world.enter(alice, room_id);
    for (const kick_siblings of [false, true]) {
      const again = { room_id, ...MEDIA, kick_siblings };
      expect(await codeOf(alice, 'room_enter', again, way)).toBe(ErrorCode.ERR_CLIENT_ALREADY_ENTERED);
    }
    const { room } = await run(alice, 'room_get', { room_id }, way);
    expect(room.current_participants.filter((one) => one.is_local_participant)).toMatchObject(
      [first.me].map(({ participant_id }) => ({ participant_id })),
    );
  });

  it('S06 S20 B58: ids of another client are refused as unknown ones are, or without permission for one in the room', async () => {
    const room_id = await world.create(alice);
    const [mine, his] = [await world.enter(alice, room_id), await world.enter(bob, room_id)];
    const hers = await master(mine);
    const acts = (participant_id: string, endpoint_id: string) =>
      [
        ['room_alive', { room_id, participant_id }],
        ['room_exit', { room_id, participant_id }],
        ['room_audio', { room_id, participant_id, on: false }],
        ['endpoint_release', { room_id, participant_id, endpoint_id }],
        ['endpoint_connected', { room_id, participant_id, endpoint_id }],
      ] as const;
    const codes = async (by: Device, participant_id: string, endpoint_id: string) => {
      const seen = new Set<number>();
      for (const [type, payload] of acts(participant_id, endpoint_id)) {
        seen.add(await codeOf(by, type, payload as never, way));
      }
      return [...seen];
    };
    const unknown = [ErrorCode.ERR_INVALID_ROOM_PARTICIPANT];
    expect(await codes(carol, mine.participant_id, hers.endpoint_id)).toEqual(unknown);
    expect(await codes(carol, 'x', 'y')).toEqual(unknown);
    expect(await codes(bob, 'x', 'y')).toEqual(unknown);
    expect(await codes(bob, mine.participant_id, hers.endpoint_id)).toEqual([ErrorCode.ERR_NO_PERMISSION]);
    for (const endpoint_id of [hers.endpoint_id, 'x']) {
      expect(await codeOf(bob, 'endpoint_release', { ...his.me, endpoint_id }, way)).toBe(unknown[0]);
    }
    expect([mine, his].every(Boolean) && (await present(room_id))).toEqual(ids(mine, his));
    expect(heard(alice).filter((event) => event.includes('audio'))).toEqual([]);
  });

  it('B57: an unknown room is refused as a deleted one, and a flag that is text as invalid', async () => {
    const room_id = 'there-is-none';
    expect(await codeOf(alice, 'room_get', { room_id }, way)).toBe(ErrorCode.ERR_ROOM_DELETED);
    expect(await codeOf(alice, 'room_enter', { room_id, ...MEDIA, kick_siblings: true }, way)).toBe(
      ErrorCode.ERR_ROOM_DELETED,
    );
    const text = { room_id, ...MEDIA, kick_siblings: 'true' as never };
    expect(await codeOf(alice, 'room_enter', text, way)).toBe(ErrorCode.INVALID_PARAMETER_VALUE);
    expect(await codeOf(alice, 'room_alive', { room_id, participant_id: 'x' }, way)).toBe(ErrorCode.ERR_ROOM_DELETED);
    expect(await codeOf(alice, 'invitation_send', { room_id, invitee_id: 'bob' }, way)).toBe(
      ErrorCode.ERR_ROOM_DELETED,
    );
  });

  it.each(ROOM_TYPES)(
    'RM-36 D26 B57: a room of the type %s is created, listed, entered up to its size, left and deleted',
    async (type) => {
      const most = type.startsWith('small') ? 6 : 100;
      const { room } = await run(alice, 'room_create', { type }, way);
      const { room_id } = room;
      const list = async () =>
        (await world.fixture.http('GET', '/v1/rooms', { headers: alice.headers, query: { type, state: 'open' } })).body
          .rooms;
      expect(await list()).toMatchObject([{ room_id, room_type: type, current_participants: [] }]);
      const parties = [];
      for (let at = 0; at < most; at += 1) {
        parties.push(await world.enter(await world.fixture.device(`guest-${at}`), room_id, {}, way));
      }
      const enter = { room_id, ...MEDIA, kick_siblings: false };
      expect(await codeOf(alice, 'room_enter', enter, way)).toBe(ErrorCode.ERR_ROOM_MAX_PARTICIPANTS);
      // A refused client has kicked no sibling.
      const lone = await world.fixture.device('alice', 'alice-2');
      expect(await codeOf(lone, 'room_enter', { ...enter, kick_siblings: true }, way)).toBe(
        ErrorCode.ERR_ROOM_MAX_PARTICIPANTS,
      );
      const [first] = parties;
      if (!first) throw new Error('no participant');
      await run(first.device, 'room_exit', first.me, way);
      expect((await list())[0].current_participants).toHaveLength(most - 1);
      expect(await codeOf(alice, 'room_enter', enter, way)).toBe(0);
      // A full room takes a client in place of its siblings.
      const replacing = await world.fixture.device('guest-1', 'guest-1-new');
      await world.enter(replacing, room_id, { kick_siblings: true }, way);
      expect((await list())[0].current_participants).toHaveLength(most);
      await run(alice, 'room_delete', { room_id }, way);
      expect(await list()).toEqual([]);
      expect(world.fixture.clock.pending).toBe(0);
    },
  );
});

describe('a silent participant', () => {
  it('I17 RM-17: is gone after 43 s, and all learn that its connection is lost', async () => {
    const room_id = await world.create(alice);
    const [first, second] = [await world.enter(alice, room_id), await world.enter(bob, room_id)];
    await world.pass(40_000, first);
    await run(alice, 'room_alive', first.me);
    world.fixture.clock.advance(2_999);
    expect(await present(room_id)).toEqual(ids(first, second));
    world.fixture.clock.advance(1);
    expect(await present(room_id)).toEqual(ids(first));
    expect(heard(alice).at(-1)).toBe('3 participant_disconnected');
    const gone = { reason: 'connection_lost', participant: { participant_id: second.participant_id, state: 'exited' } };
    expect(lastOf(alice, 'participant_disconnected')).toMatchObject(gone);
    expect(lastOf(bob, 'participant_disconnected')).toMatchObject({ participant: { is_local_participant: true } });
    expect(await world.store.rooms.stays(room_id)).toMatchObject([{ reason: 'connection_lost', duration: 43_000 }]);
    expect(await codeOf(bob, 'room_alive', second.me)).toBe(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
    expect((await world.enter(bob, room_id)).participant_id).not.toBe(second.participant_id);
  });

  it('stays as long as any of its commands is heard', async () => {
    const room_id = await world.create(alice);
    const first = await world.enter(alice, room_id);
    for (const type of ['room_audio', 'room_video'] as const) {
      world.fixture.clock.advance(42_999);
      await run(alice, type, { ...first.me, on: true });
    }
    world.fixture.clock.advance(42_999);
    expect(await present(room_id)).toEqual(ids(first));
  });

  it('a participant without a channel gets no event, and its next snapshot has all of them', async () => {
    const room_id = await world.create(alice);
    const first = await world.enter(alice, room_id);
    alice.disconnect();
    const second = await world.enter(bob, room_id);
    await run(bob, 'room_audio', { ...second.me, on: false });
    await alice.connect();
    expect(heard(alice)).toEqual([]);
    expect(await run(alice, 'room_alive', first.me)).toMatchObject({ sequence_number: 3 });
    expect((await run(alice, 'room_get', { room_id })).room).toMatchObject({
      sequence_number: 3,
      current_participants: [{}, { is_audio_on: false }],
    });
  });
});

describe('repeated commands', () => {
  it('B66 I12: have one effect, and the same answer', async () => {
    const room_id = await world.create(alice);
    const payload = { room_id, ...MEDIA, kick_siblings: false };
    await world.enter(bob, room_id);
    const [once, again] = [
      await alice.room('room_enter', payload, 'r-1'),
      await alice.room('room_enter', payload, 'r-1'),
    ];
    expect([once.error, again]).toEqual([undefined, once]);
    expect(heard(bob)).toEqual(['2 participant_entered']);
    const created = { type: 'small_room_for_video' } as const;
    const [one, two] = [alice.room('room_create', created, 'r-2'), alice.room('room_create', created, 'r-2')];
    expect(await two).toEqual(await one);
    const { body } = await world.fixture.http('GET', '/v1/rooms', { headers: alice.headers });
    expect(body.rooms).toHaveLength(2);
  });

  it('a command of rooms also runs by the fallback over HTTP, with the same request id', async () => {
    const room_id = await world.create(alice);
    const payload = { room_id, ...MEDIA, kick_siblings: false };
    const reply = await alice.room('room_enter', payload, 'r-1');
    const frame = { version: 1, request_id: 'r-1', cmd: 'COMM', type: 'room_enter', payload };
    const { status, body } = await world.fixture.http('POST', '/v1/action/direct_call', {
      headers: alice.headers,
      body: frame,
    });
    expect([status, body]).toEqual([200, reply]);
  });
});

describe('the frames of rooms', () => {
  it('RM-35: have type, version, id, delivery, number and payload, pass the journal, and leave no secret in the log', async () => {
    const entries: JournalEntry[] = [];
    world.fixture.exchange.onFrame((entry) => entries.push(entry));
    const room_id = await world.create(alice);
    await world.enter(alice, room_id);
    await world.enter(bob, room_id);
    await run(alice, 'invitation_send', { room_id, invitee_id: 'carol' });
    expect(alice.roomEvents).toEqual([
      {
        version: 1,
        message_id: expect.any(String),
        cmd: 'COMM',
        type: 'participant_entered',
        delivery_info: { channel: 'websocket' },
        sequence_number: 2,
        payload: expect.any(Object),
      },
    ]);
    const seen = entries.map(({ direction, device, frame }) => `${direction} ${device.userId} ${frame.type}`);
    for (const one of ['in alice room_create', 'out alice room_create_ack', 'out alice participant_entered']) {
      expect(seen).toContain(one);
    }
    expect(seen).toContain('out carol invitation_sent');
    const messages = [...alice.roomEvents, ...carol.roomEvents].map(({ message_id }) => message_id);
    expect(new Set(messages).size).toBe(messages.length);
    const log = JSON.stringify(world.fixture.log);
    const { short_lived_token } = lastOf(carol, 'invitation_sent');
    for (const secret of [short_lived_token, alice.token, '192.0.2.1']) expect(log).not.toContain(secret);
  });

  it('I18: each participant gets the events after its entry without a gap', async () => {
    const room_id = await world.create(alice);
    const first = await world.enter(alice, room_id);
    const second = await world.enter(bob, room_id);
    await run(alice, 'room_audio', { ...first.me, on: false });
    const third = await world.enter(carol, room_id);
    await run(bob, 'room_exit', second.me);
    await run(carol, 'room_video', { ...third.me, on: true });
    await run(alice, 'room_delete', { room_id });
    const numbers = (device: Device) => device.roomEvents.map(({ sequence_number }) => sequence_number);
    expect(numbers(alice)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(numbers(bob)).toEqual([3, 4]);
    expect(numbers(carol)).toEqual([5, 6, 7]);
  });
});

describe('the end of a client', () => {
  it('a login that ends removes its participant, and a removed user leaves every room', async () => {
    const room_id = await world.create(alice);
    const [first] = [await world.enter(alice, room_id), await world.enter(bob, room_id)];
    world.fixture.exchange.signOut('bob');
    expect(lastOf(alice, 'participant_disconnected')).toMatchObject({ reason: 'connection_lost' });
    expect(await present(room_id)).toEqual(ids(first));
    const phone = await world.fixture.device('carol', 'carol-2');
    await world.enter(carol, room_id);
    await world.enter(phone, room_id);
    const hers = await world.create(carol);
    await world.enter(alice, hers);
    world.fixture.exchange.removeUser('carol');
    expect(await present(room_id, alice)).toEqual(ids(first));
    await world.fixture.exchange.kept();
    expect((await world.store.rooms.stays(room_id)).map(({ userId }) => userId)).toEqual(['bob']);
    expect(await world.store.rooms.find(hers)).toMatchObject({ createdBy: '' });
    expect((await run(alice, 'room_get', { room_id: hers })).room.created_by).toBe('');
  });

  it('a user in a room is in a call for others, who learn the changes', async () => {
    const seen: string[] = [];
    const { exchange } = world.fixture;
    exchange.subscribe((event) => {
      if (event.kind === 'presence') seen.push(`${event.userId} ${exchange.presenceOf(event.userId)}`);
    });
    const room_id = await world.create(alice);
    const first = await world.enter(alice, room_id);
    await run(alice, 'room_exit', first.me);
    await world.enter(bob, room_id);
    await run(bob, 'room_delete', { room_id });
    expect(seen).toEqual(['alice in_call', 'alice online', 'bob in_call', 'bob online']);
  });
});

describe('the exchange', () => {
  it('keeps rooms and their items over a restart; their participants are gone, and no number is used twice', async () => {
    const room_id = await world.create(alice);
    const first = await world.enter(alice, room_id);
    await run(alice, 'room_custom_items_update', { room_id, custom_items: { a: '1' } });
    await run(alice, 'room_audio', { ...first.me, on: false });
    await world.fixture.exchange.kept();
    const later = createRoomWorld({ store: world.store });
    await later.fixture.exchange.open();
    const again = await later.fixture.device('alice');
    expect(await codeOf(again, 'room_alive', first.me)).toBe(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
    const { room } = await run(again, 'room_get', { room_id });
    expect(room).toMatchObject({ custom_items: { a: '1' }, current_participants: [], sequence_number: 3 });
    const { body } = await later.fixture.http('GET', '/v1/rooms', {
      headers: again.headers,
      query: { current_participant_range_lte: '0' },
    });
    expect(body.rooms).toMatchObject([{ room_id }]);
    await later.enter(again, room_id);
    const other = await later.fixture.device('bob');
    await later.enter(other, room_id);
    expect(heard(again)).toEqual(['5 participant_entered']);
  });

  it.each([undefined, 'one'])('I22: has no timer and no room left when it stops (name: %s)', async (name) => {
    const mine = createRoomWorld(name === undefined ? {} : { name, store: new MemoryStore() });
    await mine.fixture.exchange.open();
    const [one, two] = [await mine.fixture.device('alice'), await mine.fixture.device('bob')];
    const room_id = await mine.create(one);
    const first = await mine.enter(one, room_id);
    await mine.enter(two, room_id);
    await mine.fixture.device('carol');
    await run(one, 'invitation_send', { room_id, invitee_id: 'carol' });
    await master(first);
    mine.fixture.exchange.close();
    await mine.fixture.exchange.kept();
    expect(mine.fixture.exchange.liveRooms).toEqual([]);
    expect([...mine.media.rooms, ...mine.media.endpoints]).toEqual([]);
    expect(await mine.store.rooms.stays(room_id)).toMatchObject([
      { userId: 'alice', reason: 'connection_lost' },
      { userId: 'bob', reason: 'connection_lost' },
    ]);
    expect((await mine.store.rooms.find(room_id))?.participants).toBe(0);
    if (name === undefined) expect(mine.fixture.clock.pending).toBe(0);
  });

  it('refuses rooms, entries and invitations while it drains, and lets participants go on', async () => {
    const room_id = await world.create(alice);
    const first = await world.enter(alice, room_id);
    world.fixture.exchange.drain();
    const busy = ErrorCode.ERR_SERVER_INTERNAL_ERROR;
    expect(await codeOf(bob, 'room_enter', { room_id, ...MEDIA, kick_siblings: false })).toBe(busy);
    expect(await codeOf(bob, 'room_create', { type: 'small_room_for_video' })).toBe(busy);
    expect(await codeOf(alice, 'invitation_send', { room_id, invitee_id: 'bob' })).toBe(busy);
    expect(await codeOf(alice, 'room_audio', { ...first.me, on: false })).toBe(0);
  });
});
