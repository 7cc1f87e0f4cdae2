import type { IdempotencyCache } from './delivery/idempotency-cache.ts';
import type { Bridges } from './directory/bridges.ts';
import type { TokenBuckets } from './limits/token-buckets.ts';
import type { CallEvent, DialQuestion } from './calls/call-event.ts';
import type { Calls } from './calls/calls.ts';
import type { ClientLogs } from './logging/client-logs.ts';
import type { Credentials } from './directory/credentials.ts';
import type { Devices } from './directory/devices.ts';
import type { RequestBudgets } from './http/request-budgets.ts';
import type { WriteQueue } from './delivery/write-queue.ts';
import type { LiveCalls } from './calls/live-calls.ts';
import type { Log } from './logging/log.ts';
import type { MediaPath } from './calls/media-path.ts';
import type { Outbox } from './delivery/outbox.ts';
import type { Clock, Ids, PostWebhook } from './ports.ts';
import type { Sessions } from './directory/sessions.ts';
import type { ExchangeSettings } from './settings.ts';
import type { ShortLivedTokens } from './directory/short-lived-tokens.ts';
import type { Store } from './store.ts';
import type { Users } from './directory/users.ts';
import type { UserPayload } from '../../src/protocol/entities.ts';
import type { LogLevel } from '../../src/protocol/enumerations.ts';
import type { ReplyFrame } from '../../src/protocol/envelope.ts';

/** A call that rings nowhere yet; a device that comes while it lasts is rung. */
export interface UnreachedCall {
  readonly callId: string;
  readonly calleeId: string;
  readonly caller: UserPayload;
  readonly isVideoCall: boolean;
}

/** A dial that the host is asked about. */
export interface DialAsk {
  readonly question: DialQuestion;
  /** What the host says: undefined where the call may be dialled, or the refusal. */
  readonly refusal: Promise<ReplyFrame | undefined>;
  /** How many frames of the same request wait for it: a client may send one again by another way. */
  waiting: number;
}

/** The parts of an exchange, for its handlers. */
export interface Core {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: ExchangeSettings;
  readonly log: Log;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly bridges: Bridges;
  readonly devices: Devices;
  readonly calls: Calls;
  readonly credentials: Credentials;
  readonly shortLivedTokens: ShortLivedTokens;
  readonly answers: IdempotencyCache<ReplyFrame>;
  readonly clientLogs: ClientLogs;
  /** From which level on a user's clients upload their log, by user id. */
  readonly uploadLevels: Map<string, LogLevel>;
  readonly store: Store;
  /** What is written to the store goes through it. */
  readonly writeQueue: WriteQueue;
  /** Keeps the calls that go on; null where they end with the exchange. */
  readonly live: LiveCalls | null;
  /** What is sent leaves through it. */
  readonly outbox: Outbox;
  /** Whether devices and requests are let in: not before the exchange has started, and not while it stops. */
  readonly status: { isOpen: boolean; isDraining: boolean };
  /** Commands of a device, by socket and by HTTP. */
  readonly messages: TokenBuckets;
  /** Commands of all devices of a user. */
  readonly accountMessages: TokenBuckets;
  /** Characters of the commands of a device. */
  readonly sent: TokenBuckets;
  readonly dials: TokenBuckets;
  readonly logins: TokenBuckets;
  /** Failed logins, by user and address. */
  readonly loginFailures: TokenBuckets;
  /** Requests by HTTP. */
  readonly requests: RequestBudgets;
  /** Whether this access token lets this user log in; null where none was given. */
  readonly mayLogIn: (userId: string, accessToken: string | null) => boolean | Promise<boolean>;
  /** The sender of webhooks. Null without webhook hosts. */
  readonly post: PostWebhook | null;
  readonly openMediaPath: ((callId: string) => MediaPath) | null;
  /** A call was dialled, and no device of the callee is connected. */
  readonly unreached: (call: UnreachedCall) => void;
  /** The check before a call is dialled. Null without a product server. */
  readonly mayDial: ((dial: DialQuestion) => Promise<boolean>) | null;
  /** Counts the code of each command that is refused or fails. */
  readonly refused: (code: number) => void;
  /** The dials that the host is being asked about, by device and request. */
  readonly asks: Map<string, DialAsk>;
  /** The listeners for events of calls. */
  readonly callListeners: ReadonlySet<(event: CallEvent) => void>;
  /** Reports that the presence of a user may have changed. */
  readonly presenceChanged: (userId: string) => void;
}
