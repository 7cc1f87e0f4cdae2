/**
 * The port of the store of an exchange. A live call is written at each change of its state, and its record when it
 * ends. Each implementation passes one contract suite (specs/contract/store).
 */
import type { DirectCallRole, EndResult, PushTokenType } from '../../src/protocol/enumerations.ts';
import type { SummaryBody } from '../../src/protocol/http.ts';
import type { EndRecord } from './calls/call.ts';
import type { CustomItems } from './calls/custom-items.ts';
import type { LiveCall, LiveSignal, Moment } from './calls/live-call.ts';
import type { DeviceId } from './directory/sessions.ts';
import type { RoomStore } from './rooms/room-store.ts';

/**
 * A query of a user's history. `from` and `to` are the times of dialling, milliseconds since the epoch, both included.
 */
export interface HistoryRequest {
  readonly userId: string;
  /** The role of the user. Null for either. */
  readonly role: DirectCallRole | null;
  /** The wanted results. Empty for any. */
  readonly endResults: readonly EndResult[];
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** The call after which the page begins. Null for the newest. */
  readonly after: string | null;
}

/** A page of the history, newest call first. */
export interface HistoryPage {
  readonly calls: readonly EndRecord[];
  readonly hasMore: boolean;
}

/** A record whose values the database refuses, so that another try is in vain. */
export interface RefusedRecord {
  readonly callId: string;
  readonly error: unknown;
}

export interface CallRecordStore {
  /**
   * Saves the records of calls that ended. A database and a file also remove their live calls in the same step. A second
   * record of the same call changes nothing. Rejects when the database fails: it may take the records later.
   *
   * @returns the records that the database refused. A file of live calls keeps them until the next start.
   */
  saveCalls(records: readonly EndRecord[]): Promise<readonly RefusedRecord[]>;
  /** Returns a page of a user's calls. Undefined when the user has no call with the id in `after`. */
  history(request: HistoryRequest): Promise<HistoryPage | undefined>;
  /** Returns the record of an ended call. Undefined for an unknown call. */
  call(callId: string): Promise<EndRecord | undefined>;
  /**
   * Replaces the custom items of a call if they are still those of `affectedAt`. Returns false after a concurrent
   * change.
   */
  replaceCustomItems(callId: string, affectedAt: number, items: CustomItems): Promise<boolean>;
}

/** A push token, by which an absent device of a user can ring. */
export interface PushToken {
  readonly userId: string;
  readonly type: PushTokenType;
  readonly token: string;
}

export interface PushTokenStore {
  /**
   * Saves a token. A unique one is removed from all other users.
   *
   * @param most - the most tokens of this user and type. A further one replaces another.
   */
  savePushToken(token: PushToken, isUnique: boolean, most: number): Promise<void>;
  /** Removes a token. Returns false when the user has no such token. */
  removePushToken(token: PushToken): Promise<boolean>;
  removePushTokens(userId: string, type: PushTokenType): Promise<void>;
  pushTokens(userId: string): Promise<readonly PushToken[]>;
}

export interface SummaryStore {
  /** Saves the summary of a call for one device. A second one of the same device changes nothing. */
  saveSummary(callId: string, device: DeviceId, summary: SummaryBody): Promise<void>;
  summaries(callId: string): Promise<readonly SummaryBody[]>;
}

export interface CallerStore {
  /** Saves that a user has logged in. A second time changes nothing. */
  saveCaller(userId: string): Promise<void>;
  /** Returns the ids of the users who have ever logged in. */
  callers(): Promise<readonly string[]>;
  /** Returns whether a user has ever logged in. */
  isCaller(userId: string): Promise<boolean>;
  /** Forgets a user: another user may get the id. */
  forgetCaller(userId: string): Promise<void>;
}

/** An exchange as the owner of live calls. */
export interface Owner {
  /** The name of the exchange, the same at each start. */
  readonly name: string;
  /** The number of its start, from 1. An earlier start cannot write any more. */
  readonly epoch: number;
}

/** A live call, with the last write of the exchange that owned it. */
export interface KeptCall {
  readonly callId: string;
  /** The body, read as {@link LiveCall}. Another version of ringback may have written it. */
  readonly body: unknown;
  /** The signals of each leg in the order of their numbers. */
  readonly signals: readonly LiveSignal[];
  readonly seen: Moment;
}

/** The live calls that a write left out. */
export interface NotSaved {
  /** True when another exchange has started under the name since. Nothing was written then. */
  readonly isReplaced: boolean;
  /** The ids of the calls that another exchange owns now. */
  readonly lost: readonly string[];
  /** The ids of the calls that the store has lost, or writes anew. It needs all their signals. */
  readonly missing: readonly string[];
}

/** The result of a write that left nothing out. */
export const ALL_SAVED: NotSaved = { isReplaced: false, lost: [], missing: [] };

/** The calls that an exchange takes over when it starts. */
export interface TakenCalls {
  readonly owner: Owner;
  readonly calls: readonly KeptCall[];
  /** The records of the former exchange that the database refused. The store keeps them. Default: none. */
  readonly refused?: readonly RefusedRecord[];
  /** The ids of calls that ended, whose records cannot be read: the history lacks these calls. Default: none. */
  readonly unreadable?: readonly string[];
  /** The number of stored parts that cannot be read, such as calls of another form. Default: 0. */
  readonly skipped?: number;
}

/**
 * The place where a store keeps live calls.
 *
 * - `database`: with the records. To save the record of a call removes the live call in the same transaction.
 * - `file`: in a file of this process. Writes end at once.
 * - `cluster`: in the shared state of several nodes. The exchange removes a call there once its record is saved.
 *
 * The database waits for no write to a file or to a cluster. They do not wait for the database either.
 */
export type LiveCallPlace = 'database' | 'file' | 'cluster';

export interface LiveCallStore {
  /** Default: `database`. */
  readonly liveCallPlace?: LiveCallPlace;
  /**
   * Starts the ownership of an exchange: it owns its former calls. In a database of one exchange it also takes over the
   * calls of another name that left, or has not written since `before` (milliseconds since the epoch). A file is that of
   * one process, so it takes over the calls of every name. It saves the records that the former process left.
   */
  takeLiveCalls(name: string, seen: Moment, before: number): Promise<TakenCalls>;
  /**
   * Writes calls as they are now, adds signals, and records that the exchange ran at `seen`. Of each call all or
   * nothing is written.
   *
   * @param signals - the new signals of these calls. A file also gets those of other calls that it has.
   * @returns the calls that were not written.
   */
  saveLiveCalls(
    owner: Owner,
    seen: Moment,
    calls: readonly LiveCall[],
    signals: readonly LiveSignal[],
  ): Promise<NotSaved>;
  /**
   * Records at once that a call ended, before its record is saved: a start then saves the record, and does not continue
   * the call. Only a file needs it. Never throws.
   */
  endLiveCall?(record: EndRecord): void;
  /** Ends the ownership: the exchange stops and does not write any more. */
  leaveLiveCalls(owner: Owner): Promise<void>;
  /** Returns the calls of exchanges that have not written since `before`. */
  abandonedCalls(before: number): Promise<readonly KeptCall[]>;
  /** Removes calls that have no record, or whose records are saved. */
  forgetLiveCalls(callIds: readonly string[]): Promise<void>;
}

export interface Store extends CallRecordStore, PushTokenStore, SummaryStore, CallerStore, LiveCallStore {
  readonly rooms: RoomStore;
}
