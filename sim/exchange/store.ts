/**
 * What the exchange keeps beyond its own process: a port. A call that goes on is written at each change of its state, and
 * its record when it ends. Each implementation passes one contract suite (specs/contract/store).
 */
import type { DirectCallRole, EndResult, PushTokenType } from '../../src/protocol/enumerations.ts';
import type { SummaryBody } from '../../src/protocol/http.ts';
import type { EndRecord } from './calls/call.ts';
import type { CustomItems } from './calls/custom-items.ts';
import type { LiveCall, LiveSignal, Moment } from './calls/live-call.ts';
import type { DeviceId } from './directory/sessions.ts';

/** What of a user's history is asked for. Times are milliseconds since the epoch, both included, of the dialling. */
export interface HistoryRequest {
  readonly userId: string;
  /** The part the user had; null for either. */
  readonly role: DirectCallRole | null;
  /** Empty for any result. */
  readonly endResults: readonly EndResult[];
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** The call after which the page begins; null for the newest. */
  readonly after: string | null;
}

/** The newest call first. */
export interface HistoryPage {
  readonly calls: readonly EndRecord[];
  readonly hasMore: boolean;
}

export interface CallRecordStore {
  /**
   * Keeps the record of a call that ended, and in the same step forgets it as a call that goes on. A second record of the
   * same call changes nothing.
   */
  saveCall(record: EndRecord): Promise<void>;
  /** A page of a user's calls; undefined when the call it is to begin after is none of theirs. */
  history(request: HistoryRequest): Promise<HistoryPage | undefined>;
  /** The record of an ended call; undefined when there is no such call. */
  call(callId: string): Promise<EndRecord | undefined>;
  /** Replaces the custom items of a call if they are still those of `affectedAt`; false when another change was faster. */
  replaceCustomItems(callId: string, affectedAt: number, items: CustomItems): Promise<boolean>;
}

/** Where a user's device can be rung while it is away. */
export interface PushToken {
  readonly userId: string;
  readonly type: PushTokenType;
  readonly token: string;
}

export interface PushTokenStore {
  /**
   * Keeps a token; a unique one is taken from all other users who have it.
   *
   * @param most - tokens of this user and type that are kept at most. Others make room for a further one.
   */
  savePushToken(token: PushToken, isUnique: boolean, most: number): Promise<void>;
  /** False when the user has no such token. */
  removePushToken(token: PushToken): Promise<boolean>;
  removePushTokens(userId: string, type: PushTokenType): Promise<void>;
  pushTokens(userId: string): Promise<readonly PushToken[]>;
}

export interface SummaryStore {
  /** Keeps what a call was like for one device. A second one of the same device changes nothing. */
  saveSummary(callId: string, device: DeviceId, summary: SummaryBody): Promise<void>;
  summaries(callId: string): Promise<readonly SummaryBody[]>;
}

export interface CallerStore {
  /** Keeps that a user has authenticated. A second time changes nothing. */
  saveCaller(userId: string): Promise<void>;
  /** The ids of the users who have ever authenticated. */
  callers(): Promise<readonly string[]>;
  /** Forgets a user: another one may get the id. */
  forgetCaller(userId: string): Promise<void>;
}

/** An exchange as the owner of calls that go on. */
export interface Owner {
  /** The name of the exchange, the same each time it starts. */
  readonly name: string;
  /** Which of its starts this is, from 1: an earlier one writes no more. */
  readonly epoch: number;
}

/** A call that goes on, with when the exchange that owned it last wrote: the call was seen until then. */
export interface KeptCall {
  readonly callId: string;
  /** To be read as {@link LiveCall}: another version of ringback may have written it. */
  readonly body: unknown;
  /** Each leg's in order of their numbers. */
  readonly signals: readonly LiveSignal[];
  readonly seen: Moment;
}

export interface LiveCallStore {
  /**
   * An exchange starts. It owns the calls that were its own before. In a database of one exchange it also takes over those
   * of another name that left, or has not written since `before` (milliseconds since the epoch).
   */
  takeLiveCalls(name: string, seen: Moment, before: number): Promise<{ owner: Owner; calls: readonly KeptCall[] }>;
  /**
   * Writes calls as they are now, adds signals, and notes that the exchange was there at `seen`. All or nothing.
   *
   * @returns false, and writes nothing, where another exchange has started under the name since.
   */
  saveLiveCalls(
    owner: Owner,
    seen: Moment,
    calls: readonly LiveCall[],
    signals: readonly LiveSignal[],
  ): Promise<boolean>;
  /** The exchange stops: it will not write any more. */
  leaveLiveCalls(owner: Owner): Promise<void>;
  /** The calls of exchanges that have not written since `before`. */
  abandonedCalls(before: number): Promise<readonly KeptCall[]>;
  /** Forgets calls, without a record. */
  forgetLiveCalls(callIds: readonly string[]): Promise<void>;
}

export interface Store extends CallRecordStore, PushTokenStore, SummaryStore, CallerStore, LiveCallStore {}
