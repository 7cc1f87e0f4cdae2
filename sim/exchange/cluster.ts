/**
 * The seam between an exchange and the other nodes of a cluster. `sim/cluster` implements it. An exchange without a
 * cluster has none of it.
 */
import type { AnyCommandFrame, ReplyFrame } from '../../src/protocol/envelope.ts';
import type { CallingRoute } from '../../src/protocol/calling-api.ts';
import type { Router } from './delivery/router.ts';
import type { DeviceDirectory, Devices } from './directory/devices.ts';
import type { DeviceId, SessionRegistry, Sessions } from './directory/sessions.ts';
import type { ShortLivedTokens, TokenIssuer } from './directory/short-lived-tokens.ts';
import type { RateLimiter } from './limits/token-buckets.ts';
import type { Unended } from './participations.ts';
import type { Budget } from './settings.ts';
import type { KeptCall } from './store.ts';

/** The rate limits of devices and users, by the settings of their budgets. */
export type LimitName = 'messages' | 'accountMessages' | 'sent' | 'dials' | 'invitations' | 'logins' | 'loginFailures';

/** The rate limits of requests over HTTP, by the rows of their budgets. */
export type RequestLimitName = `${CallingRoute} by ${'device' | 'account'}`;

/** What a request over HTTP asks about a call. */
export interface CallRequest {
  readonly route: CallingRoute;
  readonly params: unknown;
  /** The query and the body, as the schemas of the route read them. */
  readonly query?: unknown;
  readonly body?: unknown;
}

/** The answer to a request: its status, and its body as JSON. */
export interface CallAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Another exchange, which owns a call or a room. */
export interface CommandOwner {
  /**
   * Runs a command there, and returns its reply. A device whose session this exchange has checked sent it. Rejects with
   * RequestConflict as the owner does, and when the owner cannot be reached. Undefined when this exchange has become the
   * owner: it runs the command itself.
   */
  command(from: DeviceId, frame: AnyCommandFrame): Promise<ReplyFrame | undefined>;
  /**
   * Returns the answer of the owner to a request, also a refusal. Rejects when the owner cannot be reached. Undefined
   * when this exchange has become the owner.
   */
  request?(from: DeviceId, request: CallRequest): Promise<CallAnswer | undefined>;
}

/** What every exchange of a cluster must do for a user. */
export type Order =
  | { readonly kind: 'sign out'; readonly userId: string; readonly access: string | null }
  | { readonly kind: 'revoke sessions'; readonly userId: string }
  | { readonly kind: 'remove user'; readonly userId: string }
  | { readonly kind: 'end calls'; readonly userId: string; readonly other: string }
  /** The logins of these clients are over: their parts in calls and rooms end. */
  | { readonly kind: 'drop devices'; readonly userId: string; readonly clientIds: readonly string[] };

/** A dial whose call lives. */
export interface BegunRequest {
  readonly callId: string;
  readonly device: DeviceId;
  readonly request: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** How a command runs that another node received. */
export interface ForwardedOptions {
  /** The id that the call of a dial has. Default: a new one. */
  readonly callId?: string | undefined;
  /** Runs first. The command is refused when the login of its device ends meanwhile. The command rejects as this does. */
  readonly before: () => Promise<void>;
}

/** The exchange of a node, as its cluster uses it. */
export interface ClusterHost {
  /** Whether the exchange answers commands and requests: it is neither starting nor stopping. */
  readonly isOpen: boolean;
  /** Runs a command that another node received and checked. */
  command(from: DeviceId, frame: AnyCommandFrame, options: ForwardedOptions): Promise<ReplyFrame>;
  /** Answers a request that another node received and checked. Returns the answer, or the refusal with its status. */
  request(from: DeviceId, request: CallRequest): Promise<CallAnswer>;
  /** Brings a device up to date about the calls and rooms of this exchange. */
  welcome(device: DeviceId): void;
  /** Sends the ends of calls of this exchange again that may have been lost on the way to these devices. */
  repeatEnds(isMeant: (device: DeviceId) => boolean): void;
  unended(device: DeviceId): readonly Unended[];
  /** Closes the channel of a device here, which has connected to another node. */
  replaced(device: DeviceId): void;
  /** Continues a call that the state has given to this exchange. Returns false when it cannot be read. */
  adopt(kept: KeptCall): boolean;
  /** Forgets live calls that belong to another node now, without a message, and lets their devices connect anew. */
  letGo(callIds: readonly string[]): void;
  /** Returns whether this exchange has the call, live or ended. */
  hasCall(callId: string): boolean;
  /** Returns whether this exchange has a call that is not over. */
  isLive(callId: string): boolean;
  /** @param at - when another node gave the order, by the time of the cluster. Default: this node gives it now. */
  carryOut(order: Order, at?: number): void;
  /** The presence of a user has changed at another node. */
  presenceChanged(userId: string): void;
  /** The dials whose calls live here, with the requests that clients may repeat. */
  readonly dials: readonly BegunRequest[];
  /**
   * Goes on with a call that this node has taken back, and writes it again.
   *
   * @param lastSignal - the highest number of a signal that the other node has stored.
   */
  tookBack(callId: string, lastSignal: number): void;
  /** Writes a live call again, which also finds out whether another node owns it. Without an id: all live calls. */
  writeAgain(callId?: string): void;
  /** Returns whether this exchange has a room in memory. */
  isRoomUsed(roomId: string): boolean;
  /** Returns the participants and invitations of a room in memory, as JSON. Null for another room. */
  keptRoom(roomId: string): unknown;
  /** Continues a room that the state has given to this exchange. Rejects when it is deleted or cannot be read. */
  continueRoom(roomId: string, kept: unknown): Promise<void>;
  /** Forgets a room that another node owns now, with its participants, without a message. */
  letGoRoom(roomId: string): void;
  /** Returns whether a user is busy with a call or room of this exchange. */
  isBusyHere(userId: string): boolean;
}

/**
 * What a cluster of exchanges replaces in each of its nodes, and does for it. A function with the parameter `here` gets
 * the part of the node itself, and returns one that also reaches the other nodes. A call stays at the exchange where it
 * was dialled.
 */
export interface Cluster {
  devices(here: Devices): DeviceDirectory;
  /** @param afterWrites - runs the function after the queued writes, in order, as {@link Router.send} does. */
  router(here: Router, afterWrites: (send: () => void) => void): Router;
  /** Returns the exchange that owns a call. Null for this one, and for an unknown call. */
  ownerOf(callId: string): CommandOwner | null;
  /** Resolves with the exchange that owns a room, and claims it for this one when none does. Null for this one. */
  ownerOfRoom?(roomId: string): Promise<CommandOwner | null>;
  /** Returns the id of a new call. Default: the unique text itself. */
  callId?(unique: string): string;
  /** Default: each node has its own sessions. */
  sessions?(here: Sessions): SessionRegistry;
  /** Default: each node has its own short-lived tokens. */
  shortLivedTokens?(here: ShortLivedTokens): TokenIssuer;
  /** Default: each node counts alone. */
  rateLimiter?(name: LimitName | RequestLimitName, here: RateLimiter, budget: Budget): RateLimiter;
  /** Joins the exchange of this node, before it accepts devices. */
  start?(host: ClusterHost): Promise<void>;
  /** The connected devices of a user at this node have changed. */
  devicesChanged?(userId: string): void;
  /** A device has connected here, and is up to date about the calls and rooms of this exchange. */
  connected?(device: DeviceId): void;
  /**
   * Prepares a dial. Returns the owner of a call that the same request began at another exchange, and another exchange
   * when this one drains. Null for a new call, and for one of this exchange.
   *
   * Rejects with CallError `ERR_SERVER_INTERNAL_ERROR` when the other nodes cannot be reached.
   *
   * @param callId - the id that a new call will have.
   */
  beforeDial?(from: DeviceId, requestId: string, callId: string): Promise<CommandOwner | null>;
  /**
   * Prepares the creation of a room. Returns the id that the room has: that of the first exchange with this request.
   *
   * Rejects with CallError `ERR_SERVER_INTERNAL_ERROR` when the other nodes cannot be reached.
   *
   * @param roomId - the id that a new room will have.
   */
  beforeRoom?(from: DeviceId, requestId: string, roomId: string): Promise<string>;
  /** Returns another exchange that creates rooms in place of this one, which drains. Null without one. */
  roomCreator?(): CommandOwner | null;
  /** Returns what the other nodes know to be unended for a device. */
  unended?(device: DeviceId): Promise<readonly Unended[]>;
  /**
   * Returns whether this node has renewed its sign of life in time for all of the last `ms` milliseconds. Otherwise
   * commands of devices at other nodes may not have reached it. Default: true.
   */
  hasHeardOthers?(ms: number): boolean;
  /**
   * Returns whether a device that is silent here may be connected to a node that does not reach this one, or did not
   * until a short time ago. Default: false.
   */
  mayBeUnheard?(device: DeviceId): boolean;
  /** Returns whether this exchange still owns a live call. Rejects when the other nodes or the database do not answer. */
  ownsCall?(callId: string): Promise<boolean>;
  /** A call of this exchange is over, or belongs to another node now. */
  callGone?(callId: string): void;
  /** Sends an order to the other nodes. */
  order?(order: Order): void;
  /** The exchange begins no calls any more. Its devices dial at other exchanges from now on. */
  drain?(): void;
  isBusyElsewhere?(userId: string): boolean;
  /** Returns whether a device of this exchange takes part in a call of another one, also while it is set up. */
  hasCallElsewhere?(device: DeviceId): boolean;
  /** The presence of a user at this node may have changed. */
  presenceChanged?(userId: string): void;
}
