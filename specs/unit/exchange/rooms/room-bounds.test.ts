/** The bounds of rooms: their bytes, their number, their place in memory, and a store that is slow or fails. */
import { describe, expect, it } from 'vitest';
import { ErrorCode } from '../../../../src/protocol/errors.ts';
import { LIMITS } from '../../../../src/protocol/limits.ts';
import { Rooms } from '../../../../sim/exchange/rooms/rooms.ts';
import type { Room } from '../../../../sim/exchange/rooms/room.ts';
import type { RoomRecord } from '../../../../sim/exchange/rooms/room-store.ts';
import { MemoryRooms } from '../../../../sim/store/memory-rooms.ts';
import { MemoryStore } from '../../../../sim/store/memory-store.ts';
import { codeOf, createRoomWorld, GUESTS, heard, lastOf, MEDIA, run } from './room-fixture.ts';

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const record = (count: number, length: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, 'v'.repeat(length)]));

describe('a room with many users', () => {
  const fullOf = async (more: { nickname: string; profile_url: string; metadata?: Record<string, string> }) => {
    const world = createRoomWorld({ users: GUESTS.map((user_id) => ({ user_id, ...more })) });
    const devices = await Promise.all(GUESTS.map((guest) => world.fixture.device(guest)));
    const [first, ...others] = devices;
    if (!first) throw new Error('no device');
    const { room } = await run(first, 'room_create', {
      type: 'large_room_for_video',
      custom_items: record(10, LIMITS.customItemChars),
    });
    const { room_id } = room;
    for (const device of others.slice(0, 99)) await world.enter(device, room_id);
    const frames: number[] = [];
    world.fixture.exchange.onFrame(({ frame }) => frames.push(bytes(frame)));
    const party = await world.enter(first, room_id);
    const last = others.at(-1);
    if (!last) throw new Error('no device');
    await run(first, 'invitation_send', { room_id, invitee_id: last.userId });
    await run(first, 'room_audio', { ...party.me, on: false });
    return { room: (await run(first, 'room_get', { room_id })).room, frames, last, others };
  };
  const usersOf = ({ room }: Awaited<ReturnType<typeof fullOf>>) => room.current_participants.map(({ user }) => user);

  it('and short users has all of each', async () => {
    const made = await fullOf({ nickname: 'n', profile_url: 'u', metadata: { a: 'b' } });
    expect(usersOf(made)).toHaveLength(100);
    for (const user of usersOf(made))
      expect(user).toMatchObject({ nickname: 'n', profile_url: 'u', metadata: { a: 'b' } });
  });

  it.each([
    ['metadata', { nickname: 'n', profile_url: 'u', metadata: record(10, 100) }, { nickname: 'n', profile_url: 'u' }],
    ['pictures', { nickname: 'n', profile_url: 'u'.repeat(400) }, { nickname: 'n', profile_url: '' }],
    ['nicknames', { nickname: '晚'.repeat(300), profile_url: 'u'.repeat(900) }, { nickname: '', profile_url: '' }],
  ])('leaves out %s when a frame could not hold them, and events still have them', async (_, more, left) => {
    const made = await fullOf(more);
    for (const user of usersOf(made)) expect(user).toMatchObject({ ...left, metadata: {} });
    expect(Math.max(...made.frames)).toBeLessThanOrEqual(LIMITS.frameBytes);
    expect(lastOf(made.others[0] as never, 'participant_entered').participant.user).toMatchObject(more);
    expect(lastOf(made.last, 'invitation_sent').inviter).toMatchObject(more);
  });

  /** Fills a room with users of these ids, and returns the frames of every reply and event with the room. */
  async function filled(idOf: (at: number) => string, custom_items: Record<string, string>) {
    const more = { nickname: '"'.repeat(1_000), profile_url: 'u'.repeat(4_000), metadata: record(64, 900) };
    const users = Array.from({ length: 102 }, (_, at) => ({ user_id: idOf(at), ...more }));
    const world = createRoomWorld({ users });
    const frames: number[] = [];
    world.fixture.exchange.onFrame(({ direction, frame }) => {
      if (direction === 'out') frames.push(bytes(frame));
    });
    const devices = await Promise.all(
      users.map(({ user_id }, at) =>
        world.fixture.device(user_id, String(at).padStart(at === 0 ? 100 : LIMITS.idChars, 'c')),
      ),
    );
    const [first, last] = [devices[0], devices.at(-1)];
    if (!first || !last) throw new Error('no device');
    const request = (at: string) => at.padEnd(128, '\u0001');
    const { room } = await run(first, 'room_create', { type: 'large_room_for_audio_only', custom_items });
    const { room_id } = room;
    let entered = 0;
    for (const device of devices.slice(0, 100)) {
      const { error } = await device.room('room_enter', { room_id, ...MEDIA, kick_siblings: false }, request('enter'));
      if (error) expect(error.code).toBe(ErrorCode.ERR_ROOM_MAX_PARTICIPANTS);
      else entered += 1;
    }
    await first.room('room_get', { room_id }, request('get'));
    await first.room('invitation_send', { room_id, invitee_id: last.userId }, request('send'));
    const http = await world.fixture.http('GET', `/v1/rooms/${room_id}`, { headers: first.headers });
    return { world, first, last, frames, entered, room_id, seen: http.body.room };
  }

  it('D25 D26: fits into a frame with a hundred users of the longest ids and any items', async () => {
    const items = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [String(at).padEnd(128, '\u0001'), '\u0002'.repeat(128)]),
    );
    const made = await filled((at) => String(at).padStart(LIMITS.userIdChars, 'u'), items);
    expect(made.entered).toBe(100);
    expect(Math.max(...made.frames)).toBeLessThanOrEqual(LIMITS.frameBytes);
    expect(bytes(made.seen)).toBeLessThanOrEqual(LIMITS.frameBytes);
    const [own, ...others] = made.seen.current_participants;
    expect(own).toMatchObject({ is_local_participant: true, client_id: made.first.clientId, user: { nickname: '' } });
    expect(new Set(others.map((one: { client_id: string }) => one.client_id))).toEqual(new Set(['']));
    expect(lastOf(made.last, 'invitation_sent')).toMatchObject({ room: { custom_items: items } });
  });

  it('D25: takes no participant, and no items, with which no frame could hold it', async () => {
    const made = await filled((at) => String(at).padStart(LIMITS.userIdChars, '\u0003'), {});
    // Each character of these ids has six bytes in JSON.
    expect(made.entered).toBeGreaterThan(40);
    expect(made.entered).toBeLessThan(100);
    expect(Math.max(...made.frames)).toBeLessThanOrEqual(LIMITS.frameBytes);
    const { room_id, first } = made;
    const long = { room_id, custom_items: record(10, LIMITS.customItemChars) };
    const invalid = ErrorCode.INVALID_PARAMETER_VALUE;
    expect(await codeOf(first, 'room_custom_items_update', long)).toBe(invalid);
    expect(await codeOf(first, 'room_custom_items_update', { room_id, custom_items: { a: '1' } })).toBe(0);
    expect((await run(first, 'room_custom_items_get', { room_id })).custom_items).toEqual({ a: '1' });
    // A full room still takes a client in place of its sibling.
    const again = await made.world.fixture.device(first.userId, 'again');
    await made.world.enter(again, room_id, { kick_siblings: true });
    expect(Math.max(...made.frames)).toBeLessThanOrEqual(LIMITS.frameBytes);
  });

  it('a user of more than 4 KiB has no metadata in any event', async () => {
    const more = { nickname: 'n', profile_url: 'u', metadata: record(64, 1_000) };
    const world = createRoomWorld({ users: ['alice', 'bob'].map((user_id) => ({ user_id, ...more })) });
    const [alice, bob] = [await world.fixture.device('alice'), await world.fixture.device('bob')];
    const room_id = await world.create(alice);
    await world.enter(alice, room_id);
    await world.enter(bob, room_id);
    const user = { user_id: 'bob', nickname: 'n', profile_url: 'u', metadata: {} };
    expect(lastOf(alice, 'participant_entered').participant.user).toMatchObject(user);
    await run(alice, 'invitation_send', { room_id, invitee_id: 'bob' });
    expect(lastOf(bob, 'invitation_sent')).toMatchObject({ invitee: user, inviter: { metadata: {} } });
  });
});

describe('the open rooms of a user', () => {
  it('S14: are limited, also when they are created at once; a deleted room counts no more', async () => {
    const world = createRoomWorld({ settings: { roomsPerUser: 3 } });
    const [alice, bob] = [await world.fixture.device('alice'), await world.fixture.device('bob')];
    const create = () => codeOf(alice, 'room_create', { type: 'small_room_for_video' });
    const codes = await Promise.all([1, 2, 3, 4, 5].map(create));
    const refused = ErrorCode.ERR_NO_PERMISSION;
    expect(codes).toEqual([0, 0, 0, refused, refused]);
    const { body } = await world.fixture.http('GET', '/v1/rooms', { headers: alice.headers });
    expect(body.rooms).toHaveLength(3);
    expect(await codeOf(bob, 'room_create', { type: 'small_room_for_video' })).toBe(0);
    const { room_id } = body.rooms[0];
    await world.enter(alice, room_id);
    await run(alice, 'room_delete', { room_id });
    expect([await create(), await create()]).toEqual([0, refused]);
  });
});

/** A store of rooms whose writes and reads a test holds back or fails. */
class SlowRooms extends MemoryRooms {
  isFailing = false;
  finds = 0;
  found: (() => void) | null = null;
  isHeld = false;

  override async save(record_: RoomRecord): Promise<void> {
    if (this.isFailing) throw new Error('the disk is full');
    await super.save(record_);
  }

  override async find(roomId: string): Promise<RoomRecord | undefined> {
    this.finds += 1;
    const record_ = await super.find(roomId);
    if (this.isHeld) await new Promise<void>((resolve) => (this.found = resolve));
    return record_;
  }
}

class SlowStore extends MemoryStore {
  override readonly rooms = new SlowRooms();
}

const flush = async () => {
  for (let at = 0; at < 50; at += 1) await Promise.resolve();
};

describe('a room in memory', () => {
  const open = async () => {
    const store = new SlowStore();
    const world = createRoomWorld({ store });
    const [alice, bob] = [await world.fixture.device('alice'), await world.fixture.device('bob')];
    return { store: store.rooms, world, alice, bob, kept: () => world.fixture.exchange.kept() };
  };

  it('I22: leaves it when it is empty and stored, and comes back by one read for all who wait', async () => {
    const { store, world, alice, bob, kept } = await open();
    const room_id = await world.create(alice);
    const party = await world.enter(alice, room_id);
    store.finds = 0;
    await run(alice, 'room_get', { room_id });
    expect(store.finds).toBe(0);
    await run(alice, 'room_exit', party.me);
    await kept();
    const get = () => run(alice, 'room_get', { room_id });
    await Promise.all([get(), get(), run(bob, 'room_get', { room_id })]);
    expect(store.finds).toBe(1);
    await get();
    expect(store.finds).toBe(2);
  });

  it('stays in it while its write fails, and leaves it after the write succeeds', async () => {
    const { store, world, alice, kept } = await open();
    const room_id = await world.create(alice);
    const party = await world.enter(alice, room_id);
    store.finds = 0;
    store.isFailing = true;
    await run(alice, 'room_custom_items_update', { room_id, custom_items: { a: '1' } });
    await run(alice, 'room_exit', party.me);
    await kept();
    expect((await run(alice, 'room_get', { room_id })).room).toMatchObject({ custom_items: { a: '1' } });
    expect(store.finds).toBe(0);
    store.isFailing = false;
    await kept();
    expect((await run(alice, 'room_get', { room_id })).room).toMatchObject({ custom_items: { a: '1' } });
    expect(store.finds).toBe(1);
  });

  it('counts for the limit of its creator also while it cannot be stored', async () => {
    const store = new SlowStore();
    const world = createRoomWorld({ store, settings: { roomsPerUser: 2 } });
    const alice = await world.fixture.device('alice');
    store.rooms.isFailing = true;
    const create = () => codeOf(alice, 'room_create', { type: 'small_room_for_video' });
    expect([await create(), await create(), await create()]).toEqual([0, 0, ErrorCode.ERR_NO_PERMISSION]);
  });

  it('refuses what waited for it when it is deleted meanwhile', async () => {
    const { store, world, alice, bob, kept } = await open();
    const room_id = await world.create(alice);
    await kept();
    store.isHeld = true;
    const enter = run(alice, 'room_enter', { room_id, ...MEDIA, kick_siblings: false });
    const deleted = run(alice, 'room_delete', { room_id });
    const late = codeOf(bob, 'room_enter', { room_id, ...MEDIA, kick_siblings: false });
    await flush();
    store.found?.();
    await enter;
    await deleted;
    expect(await late).toBe(ErrorCode.ERR_ROOM_DELETED);
    expect(heard(alice)).toEqual(['2 room_deleted']);
    store.isHeld = false;
    await kept();
    expect(await codeOf(bob, 'room_get', { room_id })).toBe(ErrorCode.ERR_ROOM_DELETED);
    expect(world.fixture.clock.pending).toBe(0);
  });

  it('is one for all who waited for its load, also when the first of them needs it no more', async () => {
    const { alice, bob, world, kept } = await open();
    const room_id = await world.create(alice);
    await kept();
    const [, party] = await Promise.all([run(alice, 'room_get', { room_id }), world.enter(bob, room_id)]);
    await kept();
    const { room } = await run(alice, 'room_get', { room_id });
    expect(room.current_participants).toMatchObject([{ participant_id: party.participant_id }]);
    expect(await codeOf(bob, 'room_alive', party.me)).toBe(0);
  });

  it('a store that fails a read refuses the command alone', async () => {
    const { store, world, alice, kept } = await open();
    const room_id = await world.create(alice);
    await kept();
    const find = store.find.bind(store);
    store.find = () => Promise.reject(new Error('the store failed'));
    expect(await codeOf(alice, 'room_get', { room_id })).toBe(ErrorCode.ERR_SERVER_INTERNAL_ERROR);
    store.find = find;
    expect(await codeOf(alice, 'room_get', { room_id })).toBe(0);
  });
});

describe('rooms', () => {
  const NO_WRITES = { keep: () => undefined, settled: () => Promise.resolve(), holdBack: () => undefined };
  const codeOfRead = (read: Promise<Room> | Room) =>
    Promise.resolve(read).then(
      () => 0,
      (error: { code: number }) => error.code,
    );

  it('S14: of one user are created one after the other, so that a slow count misses none', async () => {
    const store = new MemoryRooms();
    let counts = 0;
    const countOpen = async (userId: string) => {
      counts += 1;
      const turns = counts * 20;
      const count = await store.countOpen(userId);
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      return count;
    };
    const writes = { ...NO_WRITES, keep: (_: string, write: () => Promise<void>) => void write() };
    const rooms = new Rooms({ save: (one) => store.save(one), find: (id) => store.find(id), countOpen }, writes);
    const make = (id: string) => (): Room => ({
      ...{ id, type: 'small_room_for_video', createdAt: 0, createdBy: 'alice', deletedAt: null, sequence: 0 },
      ...{ items: { items: {}, affectedAt: 0 }, members: new Map(), invitations: new Map(), media: null },
    });
    const made = [1, 2, 3].map((at) =>
      codeOfRead(rooms.create({ userId: 'alice', clientId: 'alice-1' }, 1, make(`room-${at}`))),
    );
    expect(await Promise.all(made)).toEqual([0, ErrorCode.ERR_NO_PERMISSION, ErrorCode.ERR_NO_PERMISSION]);
    expect(await store.countOpen('alice')).toBe(1);
  });

  it('S14: are read from the store up to 1,000 at once', async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const store = new MemoryRooms();
    const find = async (roomId: string) => {
      await answered;
      return store.find(roomId);
    };
    const rooms = new Rooms({ save: (one) => store.save(one), find, countOpen: () => Promise.resolve(0) }, NO_WRITES);
    const reads = Array.from({ length: 1_000 }, (_, at) => codeOfRead(rooms.with(`room-${at}`, (room) => room)));
    expect(await codeOfRead(rooms.with('one-more', (room) => room))).toBe(ErrorCode.ERR_SERVER_INTERNAL_ERROR);
    const same = codeOfRead(rooms.with('room-1', (room) => room));
    answer();
    expect(new Set([...(await Promise.all(reads)), await same])).toEqual(new Set([ErrorCode.ERR_ROOM_DELETED]));
    expect(await codeOfRead(rooms.with('one-more', (room) => room))).toBe(ErrorCode.ERR_ROOM_DELETED);
  });
});
