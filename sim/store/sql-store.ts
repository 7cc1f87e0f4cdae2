import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { user } from '../../src/protocol/entities.ts';
import { endResult, pushTokenType, type PushTokenType } from '../../src/protocol/enumerations.ts';
import { summaryBody, type SummaryBody } from '../../src/protocol/http.ts';
import type { EndRecord } from '../exchange/calls/call.ts';
import type { CustomItems } from '../exchange/calls/custom-items.ts';
import type { DeviceId } from '../exchange/directory/sessions.ts';
import type { LiveCall, LiveSignal, Moment } from '../exchange/calls/live-call.ts';
import {
  ALL_SAVED,
  type HistoryPage,
  type HistoryRequest,
  type KeptCall,
  type LiveCallPlace,
  type NotSaved,
  type Owner,
  type PushToken,
  type RefusedRecord,
  type Store,
} from '../exchange/store.ts';
import type { Database } from './database.ts';
import type { LiveCallFile } from './live-call-file.ts';
import { SqlRooms } from './sql-rooms.ts';
import { chunksOf, forgetLive, SqlLiveCalls } from './sql-live-calls.ts';
import { statementOfRows } from './statement.ts';
import { isOfValues } from './store-error.ts';
import type { Tables } from './tables/tables.ts';

/** A store in a SQLite or PostgreSQL database. The queries are the same. */
export class SqlStore implements Store {
  readonly rooms: SqlRooms;
  readonly #database: Database;
  readonly #live: SqlLiveCalls;
  readonly #liveFile: LiveCallFile | null;
  /**
   * Whether each end deletes the live call from the database. A database in memory is new, so it has none before the
   * first one is written to it. With a file of live calls, the start has deleted them.
   */
  #hasLiveCalls: boolean;
  /** The owner of the calls in the file. Null before the start. */
  #owner: Owner | null = null;

  /**
   * @param database - with its tables up to date.
   * @param liveFile - where live calls are written instead. Only the exchange that has claimed the database may use it.
   *   Default: live calls are in the database.
   */
  constructor(database: Database, liveFile: LiveCallFile | null = null) {
    this.#database = database;
    this.#live = new SqlLiveCalls(database);
    this.#liveFile = liveFile;
    this.#hasLiveCalls = liveFile === null && database.outlives;
    this.rooms = new SqlRooms(database);
  }

  async saveCalls(records: readonly EndRecord[]): Promise<readonly RefusedRecord[]> {
    const refused = await this.#addEach(records);
    const refusedIds = new Set(refused.map(idOf));
    const savedIds = records.map(idOf).filter((callId) => !refusedIds.has(callId));
    // A process that ends before this finds the records when it starts.
    if (this.#liveFile) this.#liveFile.forget(savedIds);
    // The call must not go on at the next start.
    else if (refused.length > 0) await this.#live.forgetLiveCalls([...refusedIds]);
    return refused;
  }

  endLiveCall(record: EndRecord): void {
    this.#liveFile?.end(record);
  }

  async #addRecords(records: readonly EndRecord[]): Promise<void> {
    if (records.length === 0) return;
    await this.#database.transact(async (transaction) => {
      for (const some of chunksOf(records)) {
        await addCalls(transaction, some.map(rowOf));
        await addParts(transaction, some.flatMap(partsOf));
      }
      if (this.#hasLiveCalls) await forgetLive(transaction, records.map(idOf));
    });
  }

  get liveCallPlace(): LiveCallPlace {
    return this.#liveFile === null ? 'database' : 'file';
  }

  async takeLiveCalls(name: string, seen: Moment, before: number): ReturnType<Store['takeLiveCalls']> {
    if (!this.#liveFile) return this.#live.takeLiveCalls(name, seen, before);
    const taken = await this.#live.takeLiveCalls(name, seen, Number.MAX_SAFE_INTEGER);
    const left = this.#liveFile.read();
    const refused = await this.#addEach(left.records);
    // Older versions wrote live calls to the database. A start that was broken off may have copied them.
    const all = new Map([...taken.calls, ...left.calls].map((call) => [call.callId, call]));
    const recorded = await this.#recorded([...all.keys(), ...left.unreadable]);
    const over = new Set([...recorded, ...left.records.map(idOf)]);
    const calls = [...all.values()].filter(({ callId }) => !over.has(callId));
    const refusedIds = new Set(refused.map(idOf));
    this.#liveFile.begin({ calls, records: left.records.filter(({ callId }) => refusedIds.has(callId)) });
    await this.#live.forgetLiveCalls(taken.calls.map(idOf));
    this.#owner = taken.owner;
    return {
      owner: taken.owner,
      calls,
      refused,
      unreadable: left.unreadable.filter((callId) => !over.has(callId)),
      skipped: left.skipped,
    };
  }

  /**
   * Saves records, and returns those whose values the database refuses. They keep no other record back. Rejects when the
   * database fails: it may accept them later.
   */
  async #addEach(records: readonly EndRecord[]): Promise<readonly RefusedRecord[]> {
    try {
      await this.#addRecords(records);
      return [];
    } catch (error) {
      if (!isOfValues(error)) throw error;
      if (records.length === 1) return records.map(({ callId }) => ({ callId, error }));
      const half = Math.ceil(records.length / 2);
      return [...(await this.#addEach(records.slice(0, half))), ...(await this.#addEach(records.slice(half)))];
    }
  }

  /** Returns those of these calls that have a record. */
  async #recorded(callIds: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const some of chunksOf(callIds)) {
      const rows = await this.#db.selectFrom('ringback_calls').where('call_id', 'in', some).select('call_id').execute();
      found.push(...rows.map(({ call_id }) => call_id));
    }
    return found;
  }

  async saveLiveCalls(
    owner: Owner,
    seen: Moment,
    calls: readonly LiveCall[],
    signals: readonly LiveSignal[],
  ): Promise<NotSaved> {
    if (!this.#liveFile) {
      this.#hasLiveCalls = true;
      return this.#live.saveLiveCalls(owner, seen, calls, signals);
    }
    if (this.#owner?.name !== owner.name || this.#owner.epoch !== owner.epoch)
      return { ...ALL_SAVED, isReplaced: true };
    return { ...ALL_SAVED, missing: this.#liveFile.save(seen, calls, signals) };
  }

  leaveLiveCalls(owner: Owner): Promise<void> {
    return this.#live.leaveLiveCalls(owner);
  }

  async abandonedCalls(before: number): Promise<readonly KeptCall[]> {
    // The exchange that has the file has taken every call in it.
    return this.#liveFile ? [] : this.#live.abandonedCalls(before);
  }

  async forgetLiveCalls(callIds: readonly string[]): Promise<void> {
    if (this.#liveFile) this.#liveFile.forget(callIds);
    else await this.#live.forgetLiveCalls(callIds);
  }

  async history({
    userId,
    role,
    endResults,
    from,
    to,
    limit,
    after,
  }: HistoryRequest): Promise<HistoryPage | undefined> {
    const theirs = this.#db.selectFrom('ringback_parts as part').where('part.user_id', '=', userId);
    let query = theirs
      .innerJoin('ringback_calls as call', 'call.call_id', 'part.call_id')
      .selectAll('call')
      .where('part.created_at', '>=', from)
      .where('part.created_at', '<=', to)
      .orderBy('part.created_at', 'desc')
      .orderBy('part.call_id', 'desc')
      .limit(limit + 1);
    if (role !== null) query = query.where('part.role', '=', role);
    if (endResults.length > 0) query = query.where('call.end_result', 'in', endResults);
    if (after !== null) {
      const last = await theirs.where('part.call_id', '=', after).select('part.created_at').executeTakeFirst();
      if (!last) return undefined;
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('part.created_at', 'part.call_id'), '<', tuple(last.created_at, after)),
      );
    }
    const rows = await query.execute();
    return { calls: rows.slice(0, limit).map(recordOf), hasMore: rows.length > limit };
  }

  async call(callId: string): Promise<EndRecord | undefined> {
    const row = await this.#db
      .selectFrom('ringback_calls')
      .where('call_id', '=', callId)
      .selectAll()
      .executeTakeFirst();
    return row && recordOf(row);
  }

  async replaceCustomItems(callId: string, affectedAt: number, items: CustomItems): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('ringback_calls')
      .set({ custom_items: JSON.stringify(items.items), items_affected_at: items.affectedAt })
      .where('call_id', '=', callId)
      .where('items_affected_at', '=', affectedAt)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async savePushToken({ userId, type, token }: PushToken, isUnique: boolean, most: number): Promise<void> {
    const token_hash = hashOf(token);
    await this.#database.transact(async (transaction) => {
      await this.#database.lock(transaction, token_hash);
      // Of two parallel additions, the second counts the first.
      await this.#database.lock(transaction, `push tokens ${JSON.stringify([userId, type])}`);
      if (isUnique) {
        await transaction
          .deleteFrom('ringback_push_tokens')
          .where('token_hash', '=', token_hash)
          .where('token_type', '=', type)
          .where('user_id', '!=', userId)
          .execute();
      }
      await transaction
        .insertInto('ringback_push_tokens')
        .values({ user_id: userId, token_type: type, token_hash, token })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const own = transaction
        .selectFrom('ringback_push_tokens')
        .where('user_id', '=', userId)
        .where('token_type', '=', type)
        .where('token_hash', '!=', token_hash)
        .select('token_hash');
      const excess = (await own.execute()).slice(most - 1).map((row) => row.token_hash);
      if (excess.length === 0) return;
      await transaction
        .deleteFrom('ringback_push_tokens')
        .where('user_id', '=', userId)
        .where('token_type', '=', type)
        .where('token_hash', 'in', excess)
        .execute();
    });
  }

  async removePushToken({ userId, type, token }: PushToken): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('ringback_push_tokens')
      .where('user_id', '=', userId)
      .where('token_type', '=', type)
      .where('token_hash', '=', hashOf(token))
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  async removePushTokens(userId: string, type: PushTokenType): Promise<void> {
    await this.#db
      .deleteFrom('ringback_push_tokens')
      .where('user_id', '=', userId)
      .where('token_type', '=', type)
      .execute();
  }

  async pushTokens(userId: string): Promise<readonly PushToken[]> {
    const rows = await this.#db
      .selectFrom('ringback_push_tokens')
      .where('user_id', '=', userId)
      .select(['token_type', 'token'])
      .execute();
    return rows.map(({ token_type, token }) => ({ userId, type: v.parse(pushTokenType, token_type), token }));
  }

  async saveSummary(callId: string, { userId, clientId }: DeviceId, summary: SummaryBody): Promise<void> {
    await this.#db
      .insertInto('ringback_summaries')
      .values({ call_id: callId, user_id: userId, client_id: clientId, summary: JSON.stringify(summary) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async summaries(callId: string): Promise<readonly SummaryBody[]> {
    const rows = await this.#db
      .selectFrom('ringback_summaries')
      .where('call_id', '=', callId)
      .select('summary')
      .execute();
    return rows.map(({ summary }) => v.parse(summaryBody, JSON.parse(summary)));
  }

  async saveCaller(userId: string): Promise<void> {
    await this.#db
      .insertInto('ringback_callers')
      .values({ user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async callers(): Promise<readonly string[]> {
    const rows = await this.#db.selectFrom('ringback_callers').select('user_id').execute();
    return rows.map(({ user_id }) => user_id);
  }

  async isCaller(userId: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('ringback_callers')
      .where('user_id', '=', userId)
      .select('user_id')
      .executeTakeFirst();
    return row !== undefined;
  }

  async forgetCaller(userId: string): Promise<void> {
    await this.#db.deleteFrom('ringback_callers').where('user_id', '=', userId).execute();
  }

  /** Closes the database. The store must not be used afterwards. */
  async close(): Promise<void> {
    this.#liveFile?.close();
    await this.#db.destroy();
  }

  get #db(): Database['db'] {
    return this.#database.db;
  }
}

const idOf = ({ callId }: { readonly callId: string }): string => callId;

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

const participants = v.tuple([user, user]);
const items = v.record(v.string(), v.string());

/** Returns a row for each of the two users of a call. */
const partsOf = ({ callId: call_id, createdAt: created_at, participants: users }: EndRecord) =>
  users.map(({ user_id }, at) => ({ call_id, user_id, role: at === 0 ? 'dc_caller' : 'dc_callee', created_at }));

const addCalls = statementOfRows((db, rows: readonly Tables['ringback_calls'][]) =>
  db
    .insertInto('ringback_calls')
    .values(
      rows.map((row) => ({
        call_id: row.call_id,
        is_video_call: row.is_video_call,
        participants: row.participants,
        created_at: row.created_at,
        started_at: row.started_at,
        ended_at: row.ended_at,
        ended_by: row.ended_by,
        duration: row.duration,
        end_result: row.end_result,
        custom_items: row.custom_items,
        items_affected_at: row.items_affected_at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

const addParts = statementOfRows((db, rows: readonly Tables['ringback_parts'][]) =>
  db
    .insertInto('ringback_parts')
    .values(rows.map(({ call_id, user_id, role, created_at }) => ({ call_id, user_id, role, created_at })))
    .onConflict((conflict) => conflict.doNothing()),
);

const rowOf = (record: EndRecord): Tables['ringback_calls'] => ({
  call_id: record.callId,
  is_video_call: record.isVideoCall ? 1 : 0,
  participants: JSON.stringify(record.participants),
  created_at: record.createdAt,
  started_at: record.startedAt,
  ended_at: record.endedAt,
  ended_by: record.endedBy?.user_id ?? null,
  duration: record.duration,
  end_result: record.endResult,
  custom_items: JSON.stringify(record.customItems),
  items_affected_at: record.itemsAffectedAt,
});

function recordOf(row: Tables['ringback_calls']): EndRecord {
  const users = v.parse(participants, JSON.parse(row.participants));
  return {
    callId: row.call_id,
    isVideoCall: row.is_video_call !== 0,
    customItems: v.parse(items, JSON.parse(row.custom_items)),
    itemsAffectedAt: row.items_affected_at,
    participants: users,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    endedBy: users.find(({ user_id }) => user_id === row.ended_by) ?? null,
    duration: row.duration,
    endResult: v.parse(endResult, row.end_result),
  };
}
