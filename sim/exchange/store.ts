/**
 * What the exchange keeps beyond the life of a call, and of itself: a port. Calls that go on live in memory; what is here
 * is written when they end. Each implementation passes one contract suite (specs/contract/store).
 */
import type { DirectCallRole, EndResult, PushTokenType } from '../../src/protocol/enumerations.ts';
import type { SummaryBody } from '../../src/protocol/http.ts';
import type { EndRecord } from './call.ts';
import type { CustomItems } from './custom-items.ts';
import type { DeviceId } from './sessions.ts';

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
  /** Keeps the record of a call that ended. A second one of the same call changes nothing. */
  saveCall(record: EndRecord): Promise<void>;
  /** A page of a user's calls; undefined when the call it is to begin after is none of theirs. */
  history(request: HistoryRequest): Promise<HistoryPage | undefined>;
  /** The record of an ended call; undefined when there is no such call. */
  call(callId: string): Promise<EndRecord | undefined>;
  /** Replaces the custom items of a call if they are still those of `affectedAt`; false when somebody was faster. */
  replaceCustomItems(callId: string, affectedAt: number, items: CustomItems): Promise<boolean>;
}

/** Where a user's device can be rung while it is away. */
export interface PushToken {
  readonly userId: string;
  readonly type: PushTokenType;
  readonly token: string;
}

export interface PushTokenStore {
  /** Keeps a token; a unique one is taken from everybody else who has it. */
  savePushToken(token: PushToken, isUnique: boolean): Promise<void>;
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

export interface Store extends CallRecordStore, PushTokenStore, SummaryStore {}
