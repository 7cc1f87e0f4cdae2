import type { Clock } from '../../src/common/clock.ts';
import type { IdempotencyCache } from './delivery/idempotency-cache.ts';
import type { Bridges } from './directory/bridges.ts';
import type { RateLimiter } from './limits/token-buckets.ts';
import type { DialQuestion } from './calls/call-event.ts';
import type { CallRecords } from './calls/call-records.ts';
import type { Calls } from './calls/calls.ts';
import type { Cluster, CommandOwner } from './cluster.ts';
import type { ClientLogs } from './logging/client-logs.ts';
import type { Credentials } from './directory/credentials.ts';
import type { DeviceDirectory, Devices } from './directory/devices.ts';
import type { RequestBudgets } from './http/request-budgets.ts';
import type { WriteQueue } from './delivery/write-queue.ts';
import type { ExchangeEvents } from './events.ts';
import type { LiveCalls } from './calls/live-calls.ts';
import type { Log } from './logging/log.ts';
import type { MediaPath, Ids, PostWebhook, UnpackSdp } from './ports.ts';
import type { CallPolicy } from './policy.ts';
import type { Journal } from './delivery/journal.ts';
import type { Outbox } from './delivery/outbox.ts';
import type { WaitingCommands } from './commands/waiting-commands.ts';
import type { Router } from './delivery/router.ts';
import type { Participations } from './participations.ts';
import type { RoomMediaEngine } from './rooms/room-media.ts';
import type { Rooms } from './rooms/rooms.ts';
import type { SessionRegistry } from './directory/sessions.ts';
import type { ExchangeSettings } from './settings.ts';
import type { TokenIssuer } from './directory/short-lived-tokens.ts';
import type { Store } from './store.ts';
import type { Users } from './directory/users.ts';
import type { LogLevel } from '../../src/protocol/enumerations.ts';
import type { ReplyFrame } from '../../src/protocol/envelope.ts';

/** A dial that waits for the decision of the host. */
export interface DialAsk {
  readonly question: DialQuestion;
  /** The refusal of the host. Undefined when the call may be dialled. */
  readonly refusal: Promise<ReplyFrame | undefined>;
  /**
   * The number of frames of the same request that wait for the decision. A client may repeat a request over another
   * channel.
   */
  waiting: number;
}

/** The parts of an exchange, for its handlers. */
export interface Core {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: ExchangeSettings;
  readonly log: Log;
  readonly users: Users;
  readonly sessions: SessionRegistry;
  readonly bridges: Bridges;
  readonly devices: DeviceDirectory;
  /** The channels of the devices that are connected to this exchange. */
  readonly channels: Devices;
  readonly calls: Calls;
  readonly rooms: Rooms;
  /** The media of rooms. Null: endpoints are refused. */
  readonly roomMedia: RoomMediaEngine | null;
  /** Each kind of session in which devices take part. */
  readonly participations: readonly Participations[];
  readonly credentials: Credentials;
  readonly shortLivedTokens: TokenIssuer;
  readonly answers: IdempotencyCache<object>;
  /** The answers to commands about rooms. They are large: rooms never push answers of calls out. */
  readonly roomAnswers: IdempotencyCache<object>;
  readonly clientLogs: ClientLogs;
  /** The lowest level of log lines that a user's clients upload, by user id. */
  readonly uploadLevels: Map<string, LogLevel>;
  readonly store: Store;
  /** The writes of ended calls. */
  readonly records: CallRecords;
  /** The queue of writes that need only the database. */
  readonly writeQueue: WriteQueue;
  /** The queue of writes of rooms and stays. In a cluster it is another one, since a room is also in the shared state. */
  readonly roomQueue: WriteQueue;
  /** The queues of all writes. That of live calls is another one when they are not in the database. */
  readonly writeQueues: readonly WriteQueue[];
  /** The storage of live calls. Null when they end with the exchange. */
  readonly live: LiveCalls | null;
  /** The queue of all outgoing messages. */
  readonly outbox: Outbox;
  readonly router: Router;
  readonly journal: Journal;
  /** Whether devices and requests are accepted. They are refused before the start and during the stop. */
  readonly status: { isOpen: boolean; isDraining: boolean };
  /** Commands of a device, by socket and by HTTP. */
  readonly messages: RateLimiter;
  /** Commands of all devices of a user. */
  readonly accountMessages: RateLimiter;
  /** Characters of the commands of a device. */
  readonly sent: RateLimiter;
  readonly dials: RateLimiter;
  /** Invitations of a user into rooms. */
  readonly invitations: RateLimiter;
  readonly logins: RateLimiter;
  /** Failed logins, by user and address. */
  readonly loginFailures: RateLimiter;
  /** Requests by HTTP. */
  readonly requests: RequestBudgets;
  /** The commands that wait until it is known which exchange carries them out. */
  readonly waiting: WaitingCommands;
  /** The decisions that the host makes. */
  readonly policy: CallPolicy;
  /** The sender of webhooks. Null without webhook hosts. */
  readonly post: PostWebhook | null;
  readonly unpackSdp: UnpackSdp;
  readonly openMediaPath: ((callId: string) => MediaPath) | null;
  /** The other nodes. Null for an exchange alone. */
  readonly cluster: Cluster | null;
  /** Returns the exchange that owns a call. Null for this one. */
  readonly ownerOf: (callId: string) => CommandOwner | null;
  /** Returns the id of a new call. */
  readonly newCallId: () => string;
  /** Returns the form in which an access token is stored: a hash, where there is a hash function. */
  readonly accessOf: {
    (accessToken: string): string;
    (accessToken: string | null): string | null;
  };
  /** The dials that wait for the host, by device and request. */
  readonly asks: Map<string, DialAsk>;
  /** Everything that happens, for the host. */
  readonly events: ExchangeEvents;
}
