import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { WriteQueue } from '../delivery/write-queue.ts';
import type { Room } from './room.ts';
import type { RoomRecord, RoomStore } from './room-store.ts';

type Store = Pick<RoomStore, 'save' | 'find' | 'countOpen'>;
type Queue = Pick<WriteQueue, 'keep' | 'settled'>;

const isIdle = ({ members, invitations }: Room) => members.size === 0 && invitations.size === 0;

/** Returns the record of a room as it is now. */
const recordOf = (room: Room, deletedAt: number | null): RoomRecord => ({
  roomId: room.id,
  type: room.type,
  createdAt: room.createdAt,
  createdBy: room.createdBy,
  items: room.items,
  sequence: room.sequence,
  participants: room.members.size,
  deletedAt,
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

/** What keeps a room in memory besides its participants and invitations. */
interface Use {
  /** The commands about it that have not ended. */
  running: number;
  /** The number of its changes, and of the last one that is stored. */
  changes: number;
  stored: number;
}

/**
 * The rooms of an exchange. A room is in memory while it has participants or invitations, while a command runs, and
 * until it is stored. Other rooms are in the store alone.
 */
export class Rooms {
  readonly #store: Store;
  readonly #writeQueue: Queue;
  readonly #live = new Map<string, Room>();
  readonly #loading = new Map<string, Promise<Room>>();
  readonly #creating = new Map<string, Promise<void>>();
  readonly #uses = new WeakMap<Room, Use>();

  constructor(store: Store, writeQueue: Queue) {
    this.#store = store;
    this.#writeQueue = writeQueue;
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
   * Adds a room that `make` returns. The creations of a user wait for one another, so that each is counted.
   *
   * Rejects with CallError `ERR_NO_PERMISSION` when the user has `most` open rooms.
   */
  create(userId: string, most: number, make: () => Room): Promise<Room> {
    const former = this.#creating.get(userId) ?? Promise.resolve();
    const created = former.then(() => this.#create(userId, most, make));
    const ended = created.then(
      () => undefined,
      () => undefined,
    );
    this.#creating.set(userId, ended);
    void ended.then(() => {
      if (this.#creating.get(userId) === ended) this.#creating.delete(userId);
    });
    return created;
  }

  /**
   * Calls `act` with a room, at once for a room in memory.
   *
   * @throws CallError, or rejects with it, `ERR_ROOM_DELETED` for a room that is deleted or unknown.
   *   `ERR_SERVER_INTERNAL_ERROR` when too many rooms wait for the store. Also what `act` throws.
   */
  with<T>(roomId: string, act: (room: Room) => T | Promise<T>): T | Promise<T> {
    const live = this.#live.get(roomId);
    return live ? this.#run(live, act) : this.#load(roomId).then((room) => this.#run(room, act));
  }

  /** Queues the write of a room as it is when the write begins. */
  changed(room: Room): void {
    const use = this.#useOf(room);
    use.changes += 1;
    this.#writeQueue.keep('a room', async () => {
      const at = use.changes;
      await this.#store.save(recordOf(room, room.deletedAt));
      use.stored = at;
      this.#releaseIdle(room);
    });
  }

  async #create(userId: string, most: number, make: () => Room): Promise<Room> {
    await this.#writeQueue.settled();
    const stored = await this.#store.countOpen(userId);
    // The store counts no room that it failed to write.
    const others = this.live.filter((room) => room.createdBy === userId && this.#useOf(room).stored === 0);
    const unstored = others.filter((room) => room.deletedAt === null && this.#useOf(room).changes > 0);
    if (stored + unstored.length >= most) {
      throw new CallError(ErrorCode.ERR_NO_PERMISSION, {
        message: `A user may have at most ${most} open rooms. Delete one first.`,
      });
    }
    const room = make();
    this.#live.set(room.id, room);
    this.changed(room);
    return room;
  }

  #run<T>(room: Room, act: (room: Room) => T | Promise<T>): T | Promise<T> {
    if (room.deletedAt !== null) throw new CallError(ErrorCode.ERR_ROOM_DELETED);
    // A command that waited for the same load may have released the room.
    this.#live.set(room.id, room);
    const use = this.#useOf(room);
    const end = () => {
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
      return Promise.reject(
        new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message: 'Too many rooms are read. Try again later.' }),
      );
    }
    const loaded = this.#read(roomId).finally(() => this.#loading.delete(roomId));
    this.#loading.set(roomId, loaded);
    return loaded;
  }

  async #read(roomId: string): Promise<Room> {
    await this.#writeQueue.settled();
    const record = await this.#store.find(roomId);
    if (!record || record.deletedAt !== null) throw new CallError(ErrorCode.ERR_ROOM_DELETED);
    const room = roomFrom(record);
    this.#live.set(roomId, room);
    return room;
  }

  #useOf(room: Room): Use {
    const known = this.#uses.get(room);
    if (known) return known;
    const use = { running: 0, changes: 0, stored: 0 };
    this.#uses.set(room, use);
    return use;
  }

  /** Drops a room from memory that no participant, invitation, command or write needs. */
  #releaseIdle(room: Room): void {
    const { running, changes, stored } = this.#useOf(room);
    if (isIdle(room) && running === 0 && changes === stored && this.#live.get(room.id) === room) {
      this.#live.delete(room.id);
    }
  }
}
