import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { type WriteQueue, WriteSubject } from '../delivery/write-queue.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { Groups, RoomPeople } from './people.ts';
import type { Room } from './room.ts';
import type { RoomRecord, RoomStore } from './room-store.ts';

type Store = Pick<RoomStore, 'save' | 'find' | 'countOpen'>;
type Queue = Pick<WriteQueue, 'keep' | 'settled' | 'holdBack'>;

const isIdle = ({ members, invitations }: Room) => members.size === 0 && invitations.size === 0;

/** Returns the record of a room of an exchange as it is now. */
const recordOf = (room: Room, exchange: string): RoomRecord => ({
  roomId: room.id,
  exchange,
  type: room.type,
  createdAt: room.createdAt,
  createdBy: room.createdBy,
  items: room.items,
  sequence: room.sequence,
  participants: room.members.size,
  deletedAt: room.deletedAt,
});

/** Returns a room without participants from its record. */
const roomFrom = ({ roomId, type, createdAt, createdBy, items, sequence, deletedAt }: RoomRecord): Room => ({
  id: roomId,
  type,
  createdAt,
  createdBy,
  deletedAt,
  items,
  sequence,
  members: new Map(),
  invitations: new Map(),
  media: null,
});

/** The loads of different rooms that may wait for the store at once. */
const PENDING_LOADS = 1_000;
/** The creations that may wait for the store at once: of one user, and of all. */
const PENDING_CREATIONS = { user: 10, all: 1_000 } as const;

/** What keeps a room in memory besides its participants and invitations. */
interface Use {
  /** The room as the queue of writes knows it. */
  readonly subject: WriteSubject;
  /** The commands about it that have not ended. */
  running: number;
  /** The number of its changes, and of the last one that is stored. */
  changes: number;
  stored: number;
}

/** The creations of one user, which wait for one another. */
interface Creations {
  waiting: number;
  last: Promise<unknown>;
  /** Whether the user was removed meanwhile. Another user may get the id. */
  isRemoved: boolean;
}

const tooMany = (message: string) => new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message });

/**
 * The rooms of an exchange. A room is in memory while it has participants or invitations, while a command runs, and
 * until it is stored. Other rooms are in the store alone.
 */
export class Rooms {
  /** The participants and invitations of the rooms in memory. */
  readonly people = new RoomPeople();
  readonly #store: Store;
  readonly #writeQueue: Queue;
  readonly #exchange: string;
  readonly #isShared: boolean;
  readonly #live = new Map<string, Room>();
  readonly #byCreator = new Groups<Room>();
  readonly #loading = new Map<string, Promise<Room>>();
  readonly #creating = new Map<string, Creations>();
  readonly #uses = new WeakMap<Room, Use>();
  #creations = 0;
  /** The number of users who were removed. */
  #removals = 0;

  /**
   * @param exchange - the name of the exchange, with which its rooms are stored. Empty without a name.
   * @param isShared - whether other exchanges of a cluster may continue its rooms.
   */
  constructor(store: Store, writeQueue: Queue, exchange = '', isShared = false) {
    this.#store = store;
    this.#writeQueue = writeQueue;
    this.#exchange = exchange;
    this.#isShared = isShared;
  }

  /** The rooms in memory. */
  get live(): readonly Room[] {
    return [...this.#live.values()];
  }

  /** Returns a room in memory. Undefined for a room without participants and invitations. */
  get(roomId: string): Room | undefined {
    return this.#live.get(roomId);
  }

  /**
   * Adds a room that `make` returns, for a device of its creator. The creations of a user wait for one another, so that
   * each is counted.
   *
   * Rejects with CallError `ERR_NO_PERMISSION` when the user has `most` open rooms. `ERR_SERVER_INTERNAL_ERROR` when too
   * many creations wait for the store. `USER_NOT_AUTHENTICATED` when the user was removed meanwhile.
   */
  async create(from: DeviceId, most: number, make: () => Room): Promise<Room> {
    const { userId } = from;
    const creations = this.#creating.get(userId) ?? { waiting: 0, last: Promise.resolve(), isRemoved: false };
    if (creations.waiting >= PENDING_CREATIONS.user || this.#creations >= PENDING_CREATIONS.all) {
      throw tooMany('Too many rooms are created at once. Try again later.');
    }
    this.#creating.set(userId, creations);
    creations.waiting += 1;
    this.#creations += 1;
    const created = creations.last.then(() => this.#create(from, most, creations, make));
    creations.last = created.catch(() => undefined);
    try {
      return await created;
    } finally {
      creations.waiting -= 1;
      this.#creations -= 1;
      if (creations.waiting === 0 && this.#creating.get(userId) === creations) this.#creating.delete(userId);
    }
  }

  /**
   * Calls `act` with a room, at once for a room in memory.
   *
   * @param from - the device that gets the answer. Its messages wait for the changes that the answer may tell of.
   * @throws CallError, or rejects with it, `ERR_ROOM_DELETED` for a room that is deleted or unknown.
   *   `ERR_SERVER_INTERNAL_ERROR` when too many rooms wait for the store. Also what `act` throws.
   */
  with<T>(roomId: string, act: (room: Room) => T | Promise<T>, from?: DeviceId): T | Promise<T> {
    const live = this.#live.get(roomId);
    return live ? this.#run(live, act, from) : this.#load(roomId).then((room) => this.#run(room, act, from));
  }

  /**
   * Queues the write of a room as it is when the write begins. A busy room has one write in the queue. A room whose
   * write is dropped stays in memory only as long as it is used.
   *
   * The messages of its participants wait for the write, since they tell of the room. So do those of the devices of
   * {@link told}. In a cluster every message waits: another exchange may continue the room, and then tell any device of
   * it.
   *
   * @param from - a device whose messages wait too: its command changed the room.
   */
  changed(room: Room, from?: DeviceId): void {
    const use = this.#useOf(room);
    use.changes += 1;
    const storedAt = (changes: number) => {
      use.stored = changes;
      this.#releaseIdle(room);
    };
    const write = async () => {
      const at = use.changes;
      // Another exchange has the room, and writes it.
      if (this.#live.get(room.id) !== room) return storedAt(at);
      await this.#store.save(recordOf(room, this.#exchange));
      storedAt(at);
    };
    const members = [...room.members.values()].map(({ device }) => device);
    this.#writeQueue.keep('a room', write, {
      kind: 'rooms',
      about: use.subject,
      dropped: () => storedAt(use.changes),
      ...(this.#isShared ? {} : { devices: from ? [...members, from] : members }),
    });
  }

  /** Lets the messages of devices wait for the changes of a room that are not stored: one of them tells of the room. */
  told(room: Room, devices: readonly DeviceId[]): void {
    this.#writeQueue.holdBack(devices, this.#useOf(room).subject);
  }

  /** Forgets a room that another exchange has. It is not written any more. */
  forget(room: Room): void {
    if (this.#live.get(room.id) !== room) return;
    this.#live.delete(room.id);
    this.#byCreator.delete(room.createdBy, room);
  }

  /**
   * Forgets a user who is removed: the rooms of the user lose their creator, and those without participants are deleted.
   * The store must forget the user after the writes that this queues.
   *
   * @param now - milliseconds since the epoch.
   * @returns the rooms that are deleted. They may still have invitations.
   */
  forgetCreator(userId: string, now: number): readonly Room[] {
    this.#removals += 1;
    const creations = this.#creating.get(userId);
    if (creations) creations.isRemoved = true;
    this.#creating.delete(userId);
    const rooms = this.#byCreator.of(userId);
    for (const room of rooms) {
      if (room.members.size === 0) {
        // The store then deletes the rooms that still have this creator, and no participants.
        room.deletedAt ??= now;
      } else {
        this.#byCreator.delete(userId, room);
        room.createdBy = '';
      }
      this.changed(room);
    }
    return rooms.filter(({ createdBy }) => createdBy === userId);
  }

  async #create(from: DeviceId, most: number, creations: Creations, make: () => Room): Promise<Room> {
    const { userId } = from;
    await this.#writeQueue.settled();
    const stored = await this.#store.countOpen(userId);
    if (creations.isRemoved) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
    // The store counts no room that it failed to write.
    const others = this.#byCreator.of(userId).filter((room) => this.#useOf(room).stored === 0);
    const unstored = others.filter((room) => room.deletedAt === null && this.#useOf(room).changes > 0);
    if (stored + unstored.length >= most) {
      throw new CallError(ErrorCode.ERR_NO_PERMISSION, {
        message: `A user may have at most ${most} open rooms. Delete one first.`,
      });
    }
    const room = make();
    this.#add(room);
    this.changed(room, from);
    return room;
  }

  #run<T>(room: Room, act: (room: Room) => T | Promise<T>, from?: DeviceId): T | Promise<T> {
    if (room.deletedAt !== null) {
      if (from) this.told(room, [from]);
      throw new CallError(ErrorCode.ERR_ROOM_DELETED);
    }
    // A command that waited for the same load may have released the room.
    this.#add(room);
    const use = this.#useOf(room);
    const end = () => {
      if (from) this.told(room, [from]);
      use.running -= 1;
      this.#releaseIdle(room);
    };
    use.running += 1;
    let made: T | Promise<T>;
    try {
      made = act(room);
    } catch (error) {
      end();
      throw error;
    }
    if (made instanceof Promise) return made.finally(end);
    end();
    return made;
  }

  /** Loads a room once, however many commands wait for it. */
  #load(roomId: string): Promise<Room> {
    const loading = this.#loading.get(roomId);
    if (loading) return loading;
    if (this.#loading.size >= PENDING_LOADS) {
      return Promise.reject(tooMany('Too many rooms are read. Try again later.'));
    }
    const loaded = this.#read(roomId).finally(() => this.#loading.delete(roomId));
    this.#loading.set(roomId, loaded);
    return loaded;
  }

  async #read(roomId: string): Promise<Room> {
    for (;;) {
      const removals = this.#removals;
      await this.#writeQueue.settled();
      const record = await this.#store.find(roomId);
      // The record may still name a user who was removed meanwhile.
      if (this.#removals !== removals) continue;
      if (!record || record.deletedAt !== null) throw new CallError(ErrorCode.ERR_ROOM_DELETED);
      const room = roomFrom(record);
      this.#add(room);
      return room;
    }
  }

  #add(room: Room): void {
    this.#live.set(room.id, room);
    this.#byCreator.add(room.createdBy, room);
  }

  #useOf(room: Room): Use {
    const known = this.#uses.get(room);
    if (known) return known;
    const use = { subject: new WriteSubject(), running: 0, changes: 0, stored: 0 };
    this.#uses.set(room, use);
    return use;
  }

  /** Drops a room from memory that no participant, invitation, command or write needs. */
  #releaseIdle(room: Room): void {
    const { running, changes, stored } = this.#useOf(room);
    if (isIdle(room) && running === 0 && changes === stored) this.forget(room);
  }
}
