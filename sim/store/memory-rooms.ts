import type { RoomPage, RoomQuery, RoomRecord, RoomStay, RoomStore } from '../exchange/rooms/room-store.ts';

/** Rooms in the memory of a process. */
export class MemoryRooms implements RoomStore {
  readonly #rooms = new Map<string, RoomRecord>();
  readonly #stays = new Map<string, RoomStay>();

  async save(record: RoomRecord): Promise<void> {
    this.#rooms.set(record.roomId, record);
  }

  async find(roomId: string): Promise<RoomRecord | undefined> {
    return this.#rooms.get(roomId);
  }

  async query(query: RoomQuery): Promise<RoomPage | undefined> {
    const { beside, limit } = query;
    const all = [...this.#rooms.values()].toSorted(newestFirst);
    const at = beside && all.findIndex(({ roomId }) => roomId === beside.roomId);
    if (at === -1) return undefined;
    const isWanted = (record: RoomRecord) => matches(record, query);
    if (beside === null || at === null) return pageOf([], all.filter(isWanted), limit);
    const before = all.slice(0, at);
    const after = all.slice(at + 1);
    if (beside.side === 'after') {
      return pageOf([...before, ...all.slice(at, at + 1)].filter(isWanted), after.filter(isWanted), limit);
    }
    const newer = before.filter(isWanted);
    const rooms = newer.slice(-limit);
    return {
      rooms,
      hasPrevious: newer.length > rooms.length,
      hasNext: all.slice(at).some(isWanted),
    };
  }

  async countOpen(userId: string): Promise<number> {
    return [...this.#rooms.values()].filter(({ createdBy, deletedAt }) => createdBy === userId && deletedAt === null)
      .length;
  }

  async emptyAll(exchange: string): Promise<void> {
    for (const [roomId, record] of this.#rooms) {
      if (record.exchange === exchange) this.#rooms.set(roomId, { ...record, participants: 0 });
    }
  }

  async saveStay(stay: RoomStay): Promise<void> {
    if (!this.#stays.has(stay.participantId)) this.#stays.set(stay.participantId, stay);
  }

  async stays(roomId: string): Promise<readonly RoomStay[]> {
    return [...this.#stays.values()]
      .filter((stay) => stay.roomId === roomId)
      .toSorted((one, other) => one.enteredAt - other.enteredAt || (one.participantId < other.participantId ? -1 : 1));
  }

  async forgetUser(userId: string): Promise<void> {
    for (const [id, stay] of this.#stays) if (stay.userId === userId) this.#stays.delete(id);
    for (const [roomId, record] of this.#rooms) {
      if (record.createdBy !== userId) continue;
      if (record.participants === 0) this.#rooms.delete(roomId);
      else this.#rooms.set(roomId, { ...record, createdBy: '' });
    }
  }
}

const pageOf = (before: readonly RoomRecord[], after: readonly RoomRecord[], limit: number): RoomPage => ({
  rooms: after.slice(0, limit),
  hasNext: after.length > limit,
  hasPrevious: before.length > 0,
});

const isWithin = (value: number, [from, to]: readonly [from: number | null, to: number | null]) =>
  (from === null || value >= from) && (to === null || value <= to);

const matches = (record: RoomRecord, { type, state, roomIds, createdBy, participants, createdAt }: RoomQuery) =>
  (type === null || record.type === type) &&
  (state === null || (state === 'open') === (record.deletedAt === null)) &&
  (roomIds.length === 0 || roomIds.includes(record.roomId)) &&
  (createdBy.length === 0 || createdBy.includes(record.createdBy)) &&
  isWithin(record.participants, participants) &&
  isWithin(record.createdAt, createdAt);

function newestFirst(one: RoomRecord, other: RoomRecord): number {
  if (one.createdAt !== other.createdAt) return other.createdAt - one.createdAt;
  return one.roomId < other.roomId ? 1 : -1;
}
