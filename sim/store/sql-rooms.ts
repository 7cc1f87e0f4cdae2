import type { Kysely } from 'kysely';
import * as v from 'valibot';
import { roomType } from '../../src/protocol/room-entities.ts';
import type { RoomPage, RoomQuery, RoomRecord, RoomStay, RoomStore } from '../exchange/rooms/room-store.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables/tables.ts';

/** Rooms in a SQLite or PostgreSQL database. */
export class SqlRooms implements RoomStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async save(record: RoomRecord): Promise<void> {
    const { room_id, ...changeable } = rowOf(record);
    await this.#db
      .insertInto('ringback_rooms')
      .values({ room_id, ...changeable })
      .onConflict((conflict) => conflict.column('room_id').doUpdateSet(changeable))
      .execute();
  }

  async find(roomId: string): Promise<RoomRecord | undefined> {
    const row = await this.#db
      .selectFrom('ringback_rooms')
      .where('room_id', '=', roomId)
      .selectAll()
      .executeTakeFirst();
    return row && recordOf(row);
  }

  async query(query: RoomQuery): Promise<RoomPage | undefined> {
    const { beside, limit } = query;
    const anchor = beside && (await this.#createdAt(beside.roomId));
    if (beside === null) return this.#pageAfter(query, null);
    if (anchor === null) return undefined;
    const place = { roomId: beside.roomId, createdAt: anchor };
    if (beside.side === 'after') return this.#pageAfter(query, place);
    const found = await this.#wanted(query)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'room_id'), '>', tuple(anchor, place.roomId)))
      .orderBy('created_at', 'asc')
      .orderBy('room_id', 'asc')
      .limit(limit + 1)
      .execute();
    return {
      rooms: found.slice(0, limit).toReversed().map(recordOf),
      hasPrevious: found.length > limit,
      hasNext: await this.#isAny(query, '<=', place),
    };
  }

  async countOpen(userId: string): Promise<number> {
    const row = await this.#db
      .selectFrom('ringback_rooms')
      .where('created_by', '=', userId)
      .where('deleted_at', 'is', null)
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirst();
    return Number(row?.count ?? 0);
  }

  async emptyAll(exchange: string): Promise<void> {
    let full = this.#db.updateTable('ringback_rooms').set({ participants: 0 }).where('participants', '>', 0);
    // A database of one exchange has no other one whose rooms could have participants.
    if (this.#database.isShared) full = full.where('exchange', '=', exchange);
    await full.execute();
  }

  async saveStay(stay: RoomStay): Promise<void> {
    await this.#db
      .insertInto('ringback_room_stays')
      .values({
        participant_id: stay.participantId,
        room_id: stay.roomId,
        user_id: stay.userId,
        client_id: stay.clientId,
        entered_at: stay.enteredAt,
        exited_at: stay.exitedAt,
        duration: stay.duration,
        reason: stay.reason,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async stays(roomId: string): Promise<readonly RoomStay[]> {
    const rows = await this.#db
      .selectFrom('ringback_room_stays')
      .where('room_id', '=', roomId)
      .selectAll()
      .orderBy('entered_at', 'asc')
      .orderBy('participant_id', 'asc')
      .execute();
    return rows.map((row) => ({
      participantId: row.participant_id,
      roomId: row.room_id,
      userId: row.user_id,
      clientId: row.client_id,
      enteredAt: row.entered_at,
      exitedAt: row.exited_at,
      duration: row.duration,
      reason: row.reason,
    }));
  }

  async forgetUser(userId: string): Promise<void> {
    await this.#database.transact((transaction) => eraseRooms(transaction, userId));
  }

  async #pageAfter(query: RoomQuery, place: Place | null): Promise<RoomPage> {
    let page = this.#wanted(query)
      .orderBy('created_at', 'desc')
      .orderBy('room_id', 'desc')
      .limit(query.limit + 1);
    if (place) {
      page = page.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'room_id'), '<', tuple(place.createdAt, place.roomId)),
      );
    }
    const found = await page.execute();
    const hasPrevious = place !== null && (await this.#isAny(query, '>=', place));
    return { rooms: found.slice(0, query.limit).map(recordOf), hasNext: found.length > query.limit, hasPrevious };
  }

  #wanted({ type, state, roomIds, createdBy, participants, createdAt }: RoomQuery) {
    let wanted = this.#db.selectFrom('ringback_rooms').selectAll();
    if (type !== null) wanted = wanted.where('room_type', '=', type);
    if (state !== null) wanted = wanted.where('deleted_at', state === 'open' ? 'is' : 'is not', null);
    if (roomIds.length > 0) wanted = wanted.where('room_id', 'in', roomIds);
    if (createdBy.length > 0) wanted = wanted.where('created_by', 'in', createdBy);
    if (participants[0] !== null) wanted = wanted.where('participants', '>=', participants[0]);
    if (participants[1] !== null) wanted = wanted.where('participants', '<=', participants[1]);
    if (createdAt[0] !== null) wanted = wanted.where('created_at', '>=', createdAt[0]);
    if (createdAt[1] !== null) wanted = wanted.where('created_at', '<=', createdAt[1]);
    return wanted;
  }

  async #createdAt(roomId: string): Promise<number | null> {
    return (await this.find(roomId))?.createdAt ?? null;
  }

  /** Returns whether a wanted room is at a place or on one side of it. */
  async #isAny(query: RoomQuery, side: '<=' | '>=', { roomId, createdAt }: Place): Promise<boolean> {
    const found = await this.#wanted(query)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'room_id'), side, tuple(createdAt, roomId)))
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  }

  get #db(): Database['db'] {
    return this.#database.db;
  }
}

/** Erases a user from the rooms, see {@link RoomStore.forgetUser}. */
export async function eraseRooms(db: Kysely<Tables>, userId: string): Promise<void> {
  await db.deleteFrom('ringback_room_stays').where('user_id', '=', userId).execute();
  await db.deleteFrom('ringback_rooms').where('created_by', '=', userId).where('participants', '=', 0).execute();
  await db.updateTable('ringback_rooms').set({ created_by: '' }).where('created_by', '=', userId).execute();
}

interface Place {
  readonly roomId: string;
  readonly createdAt: number;
}

const items = v.record(v.string(), v.string());

const rowOf = (record: RoomRecord): Tables['ringback_rooms'] => ({
  room_id: record.roomId,
  exchange: record.exchange,
  room_type: record.type,
  created_at: record.createdAt,
  created_by: record.createdBy,
  custom_items: JSON.stringify(record.items.items),
  items_affected_at: record.items.affectedAt,
  sequence: record.sequence,
  participants: record.participants,
  deleted_at: record.deletedAt,
});

const recordOf = (row: Tables['ringback_rooms']): RoomRecord => ({
  roomId: row.room_id,
  exchange: row.exchange,
  type: v.parse(roomType, row.room_type),
  createdAt: row.created_at,
  createdBy: row.created_by,
  items: { items: v.parse(items, JSON.parse(row.custom_items)), affectedAt: row.items_affected_at },
  sequence: row.sequence,
  participants: row.participants,
  deletedAt: row.deleted_at,
});
