/** Rooms, calls and their store: budgets of writes, a store that hangs, a second exchange, and users who are removed. */
import { describe, expect, it } from 'vitest';
import { ErrorCode } from '../../../../src/protocol/errors.ts';
import { WriteQueue, WriteSubject, type WriteKind } from '../../../../sim/exchange/delivery/write-queue.ts';
import type { RoomRecord } from '../../../../sim/exchange/rooms/room-store.ts';
import { MemoryRooms } from '../../../../sim/store/memory-rooms.ts';
import { MemoryStore } from '../../../../sim/store/memory-store.ts';
import { AV, type Device } from '../exchange-fixture.ts';
import { codeOf, createRoomWorld, GUESTS, heard, lastOf, MEDIA, run, type RoomWorld } from './room-fixture.ts';

const BUSY = ErrorCode.ERR_SERVER_INTERNAL_ERROR;

/** A store of rooms that fails, or that hangs until the test lets it continue. */
class HeldRooms extends MemoryRooms {
  isFailing = false;
  saves = 0;
  /** The reads and counts that hang. Null: they do not. */
  held: (() => void)[] | null = null;

  override async save(record: RoomRecord): Promise<void> {
    if (this.isFailing) throw new Error('the disk is full');
    this.saves += 1;
    await super.save(record);
  }

  override async find(roomId: string): Promise<RoomRecord | undefined> {
    const found = await super.find(roomId);
    await this.#hold();
    return found;
  }

  override async countOpen(userId: string): Promise<number> {
    const count = await super.countOpen(userId);
    await this.#hold();
    return count;
  }

  async #hold(): Promise<void> {
    if (this.held) await new Promise<void>((resolve) => this.held?.push(resolve));
  }

  /** Lets every read continue. */
  release(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const release of held) release();
  }
}

class HeldStore extends MemoryStore {
  override readonly rooms = new HeldRooms();
}

/** A store whose writes of rooms and stays wait, and which writes live calls apart. */
class SlowStore extends MemoryStore {
  readonly liveCallPlace = 'file';
  /** What the writes wait for. */
  disk: Promise<void> = Promise.resolve();

  constructor() {
    super();
    const { rooms } = this;
    const [save, saveStay] = [rooms.save.bind(rooms), rooms.saveStay.bind(rooms)];
    rooms.save = (room) => this.disk.then(() => save(room));
    rooms.saveStay = (stay) => this.disk.then(() => saveStay(stay));
  }
}

const flush = async () => {
  for (let at = 0; at < 50; at += 1) await Promise.resolve();
};
const kept = ({ fixture }: RoomWorld) => fixture.exchange.kept();
const type = 'small_room_for_video';
const create = (device: Device) => codeOf(device, 'room_create', { type });

async function open(options: Parameters<typeof createRoomWorld>[0] = {}) {
  const store = new HeldStore();
  const world = createRoomWorld({ store, ...options });
  const [alice, bob] = [await world.fixture.device('alice'), await world.fixture.device('bob')];
  return { store: store.rooms, all: store, world, alice, bob };
}

describe('the writes of a busy room', () => {
  it('are one, or two during a write, with the latest state, however many events wait for the store', async () => {
    const { store, world, alice } = await open();
    const room_id = await world.create(alice);
    const party = await world.enter(alice, room_id);
    await kept(world);
    store.isFailing = true;
    for (let at = 0; at < 100; at += 1) await run(alice, 'room_audio', { ...party.me, on: at % 2 === 1 });
    store.isFailing = false;
    store.saves = 0;
    await kept(world);
    expect(store.saves).toBeLessThanOrEqual(2);
    expect(await store.find(room_id)).toMatchObject({ sequence: 101, participants: 1 });
    for (let at = 0; at < 100; at += 1) void run(alice, 'room_audio', { ...party.me, on: at % 2 === 0 });
    await kept(world);
    expect(store.saves).toBeLessThanOrEqual(3);
    expect(await store.find(room_id)).toMatchObject({ sequence: 200 });
  });

  it('drop no record of a call while the store hangs, nor do stays in rooms', async () => {
    const { store, all, world, alice, bob } = await open();
    const room_id = await world.create(alice);
    await world.enter(bob, room_id);
    bob.disconnect();
    await kept(world);
    let release: () => void = () => undefined;
    const saveCaller = all.saveCaller.bind(all);
    all.saveCaller = (userId) => new Promise<void>((resolve) => (release = resolve)).then(() => saveCaller(userId));
    await world.fixture.device('dave');
    const { payload } = alice.send('dial', {
      callee_id: 'bob',
      is_video_call: false,
      constraints: AV,
      capabilities: [],
    });
    const { call_id } = payload as { call_id: string };
    alice.send('cancel', { call_id });
    for (let at = 0; at < 10_100; at += 1) {
      const { me } = await world.enter(alice, room_id);
      await run(alice, 'room_exit', me);
    }
    const dropped = world.fixture.log.filter(({ message }) => message === 'a write was dropped');
    expect(new Set(dropped.map(({ fields }) => fields['write']))).toEqual(new Set(['a stay in a room']));
    release();
    await kept(world);
    expect(await all.call(call_id)).toMatchObject({ callId: call_id });
    expect(await store.stays(room_id)).toHaveLength(10_000);
  });

  it('that are dropped after an hour leave no room in memory', async () => {
    const { store, world, alice } = await open();
    const room_id = await world.create(alice);
    const party = await world.enter(alice, room_id);
    await kept(world);
    store.isFailing = true;
    await run(alice, 'room_exit', party.me);
    await kept(world);
    const finds = () => {
      let count = 0;
      const find = MemoryRooms.prototype.find.bind(store);
      store.find = (id) => {
        count += 1;
        return find(id);
      };
      return () => count;
    };
    const count = finds();
    await run(alice, 'room_get', { room_id });
    expect(count()).toBe(0);
    world.fixture.clock.advance(3_600_000);
    await kept(world);
    await run(alice, 'room_get', { room_id });
    expect(count()).toBe(1);
  });
});

describe('a room whose write waits for the disk', () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  async function opened() {
    const store = new SlowStore();
    const world = createRoomWorld({ store, name: 'one' });
    await world.fixture.exchange.open();
    const device = (name: string) => world.fixture.device(name);
    const [alice, bob, carol, dave] = [
      await device('alice'),
      await device('bob'),
      await device('carol'),
      await device('dave'),
    ];
    const room_id = await world.create(alice);
    await kept(world);
    /** Lets writes wait. Returns what lets them end. */
    const hold = () => {
      let end: () => void = () => undefined;
      store.disk = new Promise((resolve) => (end = resolve));
      return async () => {
        end();
        await kept(world);
        await turn();
      };
    };
    return { store, world, alice, bob, carol, dave, room_id, hold };
  }

  it('holds back the messages of its participants and of who left it, and no others', async () => {
    const { world, alice, bob, carol, dave, room_id, hold } = await opened();
    await world.enter(alice, room_id);
    const { me } = await world.enter(bob, room_id);
    await kept(world);
    const release = hold();
    const left = run(bob, 'room_exit', me).catch(() => undefined);
    const before = alice.roomEvents.length;
    await turn();
    const dial = { callee_id: 'dave', is_video_call: false, constraints: AV, capabilities: [] };
    carol.receive(JSON.stringify(carol.frame('dial', dial)));
    await turn();
    expect([carol.replies.length, dave.types, alice.roomEvents.length, bob.replies.length]).toEqual([
      1,
      ['dial'],
      before,
      1,
    ]);
    await release();
    await left;
    expect([alice.roomEvents.length, bob.replies.length]).toEqual([before + 1, 2]);
  });

  it.each<[title: string, act: (of: Awaited<ReturnType<typeof opened>>) => Promise<[Device, () => Promise<unknown>]>]>([
    ['creates it', async ({ carol }) => [carol, () => run(carol, 'room_create', { type })]],
    [
      'changes its items from outside',
      async ({ alice, room_id }) => [
        alice,
        () => run(alice, 'room_custom_items_update', { room_id, custom_items: { a: 'b' } }),
      ],
    ],
    [
      'declines an invitation into it',
      async ({ alice, bob, room_id }) => {
        await run(alice, 'invitation_send', { room_id, invitee_id: 'bob' });
        return [bob, () => run(bob, 'invitation_decline', { room_id, inviter_id: 'alice' })];
      },
    ],
    [
      'cancels an invitation into it',
      async ({ alice, room_id }) => {
        await run(alice, 'invitation_send', { room_id, invitee_id: 'bob' });
        return [alice, () => run(alice, 'invitation_cancel', { room_id, invitee_id: 'bob' })];
      },
    ],
    [
      'deletes it',
      async ({ world, alice, room_id }) => {
        await world.enter(alice, room_id);
        return [alice, () => run(alice, 'room_delete', { room_id })];
      },
    ],
  ])('holds back the reply to the device that %s', async (_, act) => {
    const all = await opened();
    const [device, command] = await act(all);
    await kept(all.world);
    const release = all.hold();
    const before = device.replies.length;
    void command().catch(() => undefined);
    await turn();
    expect(device.replies).toHaveLength(before);
    await release();
    expect(device.replies).toHaveLength(before + 1);
    expect(device.replies.at(-1)?.error).toBeUndefined();
  });

  type Command = () => Promise<unknown>;
  it.each<[title: string, act: (of: Awaited<ReturnType<typeof opened>>) => Promise<[change: Command, tell: Command]>]>([
    [
      'reads it',
      async ({ alice, carol, room_id }) => [
        () => run(alice, 'room_custom_items_update', { room_id, custom_items: { a: 'b' } }),
        () => run(carol, 'room_get', { room_id }),
      ],
    ],
    [
      'reads its items',
      async ({ alice, carol, room_id }) => [
        () => run(alice, 'room_custom_items_update', { room_id, custom_items: { a: 'b' } }),
        () => run(carol, 'room_custom_items_get', { room_id }),
      ],
    ],
    [
      'is refused, since it is deleted',
      async ({ world, alice, carol, room_id }) => {
        await world.enter(alice, room_id);
        return [() => run(alice, 'room_delete', { room_id }), () => run(carol, 'room_get', { room_id })];
      },
    ],
    [
      'is invited into it',
      async ({ alice, room_id }) => [
        () => run(alice, 'room_custom_items_update', { room_id, custom_items: { a: 'b' } }),
        () => run(alice, 'invitation_send', { room_id, invitee_id: 'carol' }),
      ],
    ],
    [
      'learns that an invitation into it is canceled',
      async ({ alice, room_id }) => {
        await run(alice, 'invitation_send', { room_id, invitee_id: 'carol' });
        return [async () => undefined, () => run(alice, 'invitation_cancel', { room_id, invitee_id: 'carol' })];
      },
    ],
    [
      'learns that its invitation into it is accepted',
      async ({ bob, carol, world }) => {
        const room_id = await world.create(carol);
        await run(carol, 'invitation_send', { room_id, invitee_id: 'bob' });
        return [async () => undefined, () => run(bob, 'invitation_accept', { room_id, inviter_id: 'carol' })];
      },
    ],
  ])('holds back the message to a device outside that %s', async (_, act) => {
    const all = await opened();
    const { carol, world } = all;
    const [change, tell] = await act(all);
    await kept(world);
    await turn();
    const release = all.hold();
    const got = () => carol.replies.length + carol.roomEvents.length;
    const before = got();
    void change().catch(() => undefined);
    // The write has begun.
    await turn();
    void tell().catch(() => undefined);
    await turn();
    expect(got()).toBe(before);
    await release();
    expect(got()).toBe(before + 1);
  });
});

describe('a write queue', () => {
  const queue = () => {
    const lost: unknown[] = [];
    const log = { error: (_: string, fields?: Readonly<Record<string, unknown>>) => lost.push(fields?.['write']) };
    return { lost, writes: new WriteQueue(log, { now: () => 0, after: () => ({ cancel: () => undefined }) }) };
  };

  it('drops the oldest write of the kind that has ten thousand, and counts the places of the others', async () => {
    const { lost, writes } = queue();
    let isDown = true;
    const written: string[] = [];
    const keep = (what: string, kind: WriteKind) =>
      writes.keep(
        what,
        async () => {
          if (isDown) throw new Error('down');
          written.push(what);
        },
        { kind, dropped: () => lost.push(`${what} ended`) },
      );
    keep('call', 'calls');
    await writes.settled();
    lost.length = 0;
    for (let at = 0; at < 10_000; at += 1) keep(`stay ${at}`, 'stays');
    keep('room', 'rooms');
    await writes.settled();
    keep('one more', 'stays');
    await writes.settled();
    expect(lost.filter((what) => what !== 'call')).toEqual(['stay 0', 'stay 0 ended']);
    expect([writes.asked, writes.done]).toEqual([10_003, 0]);
    isDown = false;
    await writes.settled();
    expect([written.length, ...written.slice(0, 2), ...written.slice(-2)]).toEqual([
      10_002,
      'call',
      'stay 1',
      'room',
      'one more',
    ]);
    expect([writes.asked, writes.done, writes.has(writes.asked)]).toEqual([10_003, 10_003, true]);
  });

  it('writes once for what is about the same thing, and again for what comes after the write began', async () => {
    const { writes } = queue();
    const [room, other] = [new WriteSubject(), new WriteSubject()];
    let state = 0;
    const written: string[] = [];
    let finish: () => void = () => undefined;
    const keep = (about: WriteSubject) =>
      writes.keep(
        'a',
        async () => {
          const seen = state;
          await new Promise<void>((resolve) => void (finish = resolve));
          written.push(`${about === room ? 'room' : 'other'} ${seen}`);
        },
        { about },
      );
    const next = async () => {
      await flush();
      finish();
      await flush();
    };
    keep(room);
    keep(room);
    keep(other);
    state = 1;
    expect(writes.asked).toBe(2);
    await flush();
    state = 2;
    keep(room);
    keep(room);
    expect(writes.asked).toBe(3);
    await next();
    await next();
    await next();
    expect([written, writes.done]).toEqual([['room 1', 'other 2', 'room 2'], 3]);
    keep(room);
    expect(writes.asked).toBe(4);
    await next();
  });

  it('covers changes by a write that failed, since it writes again', async () => {
    const { writes } = queue();
    const room = new WriteSubject();
    let [state, isDown] = [0, true];
    const written: number[] = [];
    const keep = () =>
      writes.keep(
        'a',
        async () => {
          if (isDown) throw new Error('down');
          written.push(state);
        },
        { about: room },
      );
    for (; state < 10; state += 1) {
      keep();
      await writes.settled();
    }
    isDown = false;
    await writes.settled();
    expect([written, writes.asked]).toEqual([[10], 1]);
  });
});

describe('creations of rooms while the store hangs', () => {
  it('S14: of one user are ten at most, and the others are refused at once', async () => {
    const { store, world, alice, bob } = await open();
    store.held = [];
    const waiting = Array.from({ length: 10 }, () => create(alice));
    expect([await create(alice), await create(alice)]).toEqual([BUSY, BUSY]);
    const http = await world.fixture.http('POST', '/v1/rooms', { headers: alice.headers, body: { type } });
    expect([http.status, http.body.code]).toEqual([503, BUSY]);
    const other = create(bob);
    for (let turn = 0; turn < 20; turn += 1) {
      store.held?.shift()?.();
      await flush();
    }
    store.release();
    expect([...(await Promise.all(waiting)), await other]).toEqual(Array(11).fill(0));
    expect(await create(alice)).toBe(0);
  });

  it('S14: of all users are a thousand at most', async () => {
    const { store, world, alice } = await open();
    const devices = await Promise.all(GUESTS.map((guest) => world.fixture.device(guest)));
    store.held = [];
    const waiting = devices.slice(0, 100).flatMap((device) => Array.from({ length: 10 }, () => create(device)));
    expect(await create(alice)).toBe(BUSY);
    for (let at = 0; at < 20; at += 1) {
      const held = store.held ?? [];
      store.held = [];
      for (const release of held) release();
      await flush();
    }
    store.release();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([0]));
    expect(await create(alice)).toBe(0);
  });
});

describe('two exchanges with one store', () => {
  const countOf = async (store: MemoryStore, roomId: string) => (await store.rooms.find(roomId))?.participants;

  it('count their participants apart: the start of one leaves the rooms of the other', async () => {
    const store = new MemoryStore();
    const one = createRoomWorld({ store, name: 'one' });
    await one.fixture.exchange.open();
    const alice = await one.fixture.device('alice');
    const room_id = await one.create(alice);
    await one.enter(alice, room_id);
    await kept(one);
    const two = createRoomWorld({ store, name: 'two' });
    await two.fixture.exchange.open();
    expect(await countOf(store, room_id)).toBe(1);
    await one.fixture.exchange.open();
    expect(await countOf(store, room_id)).toBe(1);
    const again = createRoomWorld({ store, name: 'one' });
    await again.fixture.exchange.open();
    expect(await countOf(store, room_id)).toBe(0);
  });

  it('an exchange empties no room before it owns its calls', async () => {
    const store = new MemoryStore();
    const one = createRoomWorld({ store, name: 'one' });
    await one.fixture.exchange.open();
    const alice = await one.fixture.device('alice');
    const room_id = await one.create(alice);
    await one.enter(alice, room_id);
    await kept(one);
    const take = store.takeLiveCalls.bind(store);
    store.takeLiveCalls = () => Promise.reject(new Error('the store failed'));
    const two = createRoomWorld({ store, name: 'one' });
    await expect(two.fixture.exchange.open()).rejects.toThrow('the store failed');
    expect(await countOf(store, room_id)).toBe(1);
    store.takeLiveCalls = take;
    await two.fixture.exchange.open();
    expect(await countOf(store, room_id)).toBe(0);
  });

  it('an exchange without a name still counts who entered before its start', async () => {
    const { store, world, alice } = await open();
    const room_id = await world.create(alice);
    await world.enter(alice, room_id);
    await kept(world);
    await world.fixture.exchange.open();
    await kept(world);
    expect(await store.find(room_id)).toMatchObject({ participants: 1 });
  });
});

describe('a user who is removed', () => {
  it('leaves no room that had only an invitation, also when a change of it waited for the store', async () => {
    const { store, world, alice, bob } = await open();
    const room_id = await world.create(alice);
    const party = await world.enter(alice, room_id);
    const guest = await world.enter(bob, room_id);
    const carol = await world.fixture.device('carol');
    await run(alice, 'invitation_send', { room_id, invitee_id: 'carol' });
    await run(bob, 'invitation_send', { room_id, invitee_id: 'carol' });
    await run(bob, 'room_exit', guest.me);
    await run(alice, 'room_exit', party.me);
    world.fixture.exchange.removeUser('alice');
    // As the product does before, in the same database.
    await store.forgetUser('alice');
    await kept(world);
    expect(await store.find(room_id)).toBeUndefined();
    expect(heard(carol).map((event) => event.split('_')[1])).toEqual(['sent', 'sent', 'canceled', 'canceled']);
    expect(lastOf(carol, 'invitation_canceled').room).toMatchObject({ state: 'deleted' });
    for (const name of ['room_get', 'room_custom_items_get'] as const) {
      expect(await codeOf(bob, name, { room_id })).toBe(ErrorCode.ERR_ROOM_DELETED);
    }
    expect(world.fixture.clock.pending).toBe(0);
  });

  it('leaves a room with other participants, which has no creator any more', async () => {
    const { store, world, alice, bob } = await open();
    const room_id = await world.create(alice);
    await world.enter(alice, room_id);
    const guest = await world.enter(bob, room_id);
    world.fixture.exchange.removeUser('alice');
    await kept(world);
    expect(await store.find(room_id)).toMatchObject({ createdBy: '', participants: 1, deletedAt: null });
    await run(bob, 'room_exit', guest.me);
    await kept(world);
    expect((await run(bob, 'room_get', { room_id })).room).toMatchObject({ created_by: '' });
  });

  it('has no room that was created meanwhile, also when another user has the id by then', async () => {
    const { store, world, alice } = await open();
    store.held = [];
    const codes = [create(alice), create(alice)];
    await flush();
    world.fixture.exchange.removeUser('alice');
    world.fixture.exchange.addUser({ user_id: 'alice', nickname: 'another', profile_url: '' });
    const another = await world.fixture.device('alice', 'another-1');
    const later = create(another);
    for (let turn = 0; turn < 10; turn += 1) {
      store.held?.shift()?.();
      await flush();
    }
    store.release();
    await flush();
    // The device of the removed user gets no reply any more.
    expect(alice.closes).toEqual([4401]);
    void codes;
    expect(await later).toBe(0);
    await kept(world);
    expect(await store.countOpen('alice')).toBe(1);
  });

  it('enters no room that was read meanwhile, nor does a client whose login ended', async () => {
    const { store, world, alice, bob } = await open();
    const room_id = await world.create(alice);
    await kept(world);
    store.held = [];
    void bob.room('room_enter', { room_id, ...MEDIA, kick_siblings: false }).catch(() => undefined);
    await flush();
    world.fixture.exchange.signOut('bob');
    store.release();
    await flush();
    await kept(world);
    expect(world.fixture.exchange.liveRooms).toEqual([]);
    expect(bob.closes).toEqual([4401]);
    expect((await run(alice, 'room_get', { room_id })).room.sequence_number).toBe(0);
  });

  it('is the creator of no room that another user reads meanwhile', async () => {
    const { store, world, alice, bob } = await open();
    const room_id = await world.create(alice);
    await kept(world);
    store.held = [];
    const entered = codeOf(bob, 'room_enter', { room_id, ...MEDIA, kick_siblings: false });
    await flush();
    world.fixture.exchange.removeUser('alice');
    store.release();
    expect(await entered).toBe(ErrorCode.ERR_ROOM_DELETED);
    await kept(world);
    expect(await store.find(room_id)).toBeUndefined();
  });
});
