/**
 * The realtime channel: one websocket, its requests and its events, kept alive by retries (§7, D07).
 *
 *     closed ── connect ── connecting ── opened ── open
 *                              │ ▲                  │
 *                     failed   │ │ retry due   lost │
 *                              ▼ │                  │
 *                            waiting ◄──────────────┘          close, refused: closed, from anywhere
 */
import {
  decodeServerFrame,
  FrameFault,
  type EventFrame,
  type ServerFrame,
  type UnreadEvent,
} from '../../protocol/envelope.ts';
import { CallError, ErrorCode, invalidValue } from '../../protocol/errors.ts';
import { CHANNEL_QUERY, PATHS } from '../../protocol/http.ts';
import { LIMITS, TIMES } from '../../protocol/limits.ts';
import type { CommandPayload, CommandType } from '../../protocol/messages/commands.ts';
import type { ReplyPayload } from '../../protocol/messages/replies.ts';
import type { Logger } from '../logging/log.ts';
import type { Clock, Timer } from '../../common/clock.ts';
import type { Socket, SocketPort } from '../platform/socket.ts';
import { directCommand } from './command-frame.ts';
import { socketHeartbeat, type Heartbeat } from './heartbeat.ts';
import {
  pendingRequests,
  USUAL_LIMIT,
  type OutgoingCommand,
  type PendingRequests,
  type RequestOptions,
} from './requests.ts';
import { channelPolicy, type RetryPolicy } from './retry-policy.ts';

export interface ChannelAddress {
  /** The address `wss://host`, without a path. */
  readonly wsHost: string;
  readonly sessionToken: string;
  readonly clientId: string;
  /** The library's version. */
  readonly version: string;
}

/** The events of the channel. A callback that throws is logged and has no effect. */
export interface ChannelEvents {
  /** Receives an event of the exchange. */
  event(frame: EventFrame): void;
  /** Receives an event of a room, whose payload is not read yet. */
  roomEvent(frame: UnreadEvent): void;
  /** Runs when the open channel was lost. Retries have begun. */
  lost(): void;
  /** Runs when a retry has opened the channel. The client must catch up. */
  restored(): void;
  /** Runs when the exchange refuses the session (`USER_NOT_AUTHENTICATED`). Retries have stopped. */
  refused(): void;
}

export interface ChannelDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly sockets: SocketPort;
  readonly log: Logger;
  readonly events: ChannelEvents;
  /** Returns whether a call waits for the channel. Its client reconnects before those without a call. */
  readonly isUrgent: () => boolean;
}

/** One attempt to open a socket, from the address to its end. */
interface Attempt {
  readonly socket: Socket;
  /** The timer that drops a socket that neither opens nor closes. */
  readonly limit: Timer;
}

type State =
  | { readonly name: 'closed' }
  | { readonly name: 'connecting'; readonly attempt: Attempt }
  | { readonly name: 'open'; readonly attempt: Attempt; readonly since: number }
  | { readonly name: 'waiting'; readonly retry: Timer };

interface Outcome {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: CallError) => void;
}

/** The close codes by which an exchange refuses a session on a platform that hides the status of the upgrade. */
const REFUSING_CODES = [4401, 4403];
const REFUSING_STATUSES = [401, 403];

export class Channel {
  readonly #deps: ChannelDeps;
  readonly #pending: PendingRequests;
  readonly #policy: RetryPolicy;
  readonly #heartbeat: Heartbeat;
  #state: State = { name: 'closed' };
  #address: ChannelAddress | undefined;
  /** The promise of the callers of connect, until an attempt has a result. */
  #outcome: Outcome | undefined;
  #opens = 0;
  #retries = 0;

  constructor(deps: ChannelDeps) {
    this.#deps = deps;
    this.#pending = pendingRequests(deps);
    this.#policy = channelPolicy(deps.random, deps.isUrgent);
    this.#heartbeat = socketHeartbeat({
      clock: deps.clock,
      ask: () => void this.request('heartbeat', {}).catch(() => undefined),
      dead: () => {
        deps.log.info('realtime channel is silent');
        this.reconnectNow();
      },
    });
  }

  get state(): State['name'] {
    return this.#state.name;
  }

  /** The number of opens since the first connect. 0 when it was never open. */
  get opens(): number {
    return this.#opens;
  }

  /**
   * Opens the channel. Resolves at once while it is open. While it opens, callers share the result. Between retries it
   * tries now.
   *
   * @throws CallError `ERR_WEBSOCKET_CONNECTION_FAILED` when it cannot be opened now (retries continue until {@link
   *   close}). `USER_NOT_AUTHENTICATED` when the session is refused (retries stop).
   */
  connect(address: ChannelAddress): Promise<void> {
    this.#address = address;
    if (this.#state.name === 'open') return Promise.resolve();
    this.#outcome ??= newOutcome();
    const { promise } = this.#outcome;
    if (this.#state.name !== 'connecting') this.#try(address);
    return promise;
  }

  /**
   * Sends a command and waits for its reply.
   *
   * @throws CallError with the code of the exchange when it refuses. `ERR_WEBSOCKET_CONNECTION_NOT_OPENED` when the
   *   channel is not open. `ERR_NO_RESPONSE_DUE_TO_TIMEOUT` without a reply within the limit.
   *   `ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST` when the channel was lost, or found dead.
   *   `USER_NOT_AUTHENTICATED` when the session is refused, which closes the channel ({@link ChannelEvents.refused}).
   *   `ERR_WRONG_RESPONSE` for a reply of another shape. `INVALID_PARAMETER_VALUE` when the request id is empty or in
   *   use, or the payload breaks its schema.
   */
  async send<Reply>(
    { frame, read }: OutgoingCommand<Reply>,
    { requestId = this.#deps.newId(), limit = USUAL_LIMIT }: RequestOptions = {},
  ): Promise<Reply> {
    if (this.#state.name !== 'open') throw new CallError(ErrorCode.ERR_WEBSOCKET_CONNECTION_NOT_OPENED);
    const { attempt } = this.#state;
    const { socket } = attempt;
    // The registry comes first: it distinguishes an empty id from one in use, which the frame's schema does not.
    const reply = this.#pending.register(requestId, read, limit);
    try {
      const text = JSON.stringify(frame(requestId));
      if (new TextEncoder().encode(text).length > LIMITS.frameBytes) throw invalidValue('payload');
      socket.send(text);
      this.#heartbeat.sent();
    } catch (error) {
      this.#pending.fail(
        requestId,
        error instanceof CallError
          ? error
          : new CallError(ErrorCode.ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST, { cause: error }),
      );
    }
    return reply.catch((error: unknown) => {
      const code = error instanceof CallError ? error.code : 0;
      const isHere = this.#state.name === 'open' && this.#state.attempt === attempt;
      if (isHere && code === ErrorCode.USER_NOT_AUTHENTICATED) {
        this.#refused();
        socket.close(1000);
      }
      // The channel lives without a reply to this command. Another channel may carry it.
      const isSilent = code === ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT && limit.replacesChannel;
      if (isHere && isSilent) this.reconnectNow();
      throw error;
    });
  }

  /** Sends a command about a direct call, or about none. Rejects as {@link send} does. */
  request<T extends CommandType>(
    type: T,
    payload: CommandPayload<T>,
    options?: RequestOptions,
  ): Promise<ReplyPayload<T>> {
    return this.send(directCommand(type, payload), options);
  }

  /**
   * Reconnects at once, when the page or the network is back. Between retries it does not wait for the next one. It
   * replaces an open channel, whose socket may have died during a sleep. Does nothing while connecting or closed.
   */
  reconnectNow(): void {
    const address = this.#address;
    if (!address || this.#state.name === 'closed' || this.#state.name === 'connecting') return;
    if (this.#state.name === 'open') {
      const { socket } = this.#state.attempt;
      this.#lose();
      socket.close(1000);
    }
    // The callback of the loss may have closed or connected the channel.
    if (this.state === 'waiting') this.#try(address);
  }

  /** Continues with another session. A channel that is open, or opening, is opened again. A closed one stays closed. */
  readdress(address: ChannelAddress): void {
    if (this.#state.name === 'closed') return;
    this.#address = address;
    if (this.#state.name !== 'connecting') return this.reconnectNow();
    const { attempt } = this.#state;
    attempt.limit.cancel();
    this.#try(address);
    attempt.socket.close(1000);
  }

  /**
   * Closes the channel for good. Nothing is retried, and waiting requests fail with
   * `ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST`. A second call does nothing.
   */
  close(): void {
    const state = this.#state;
    this.#state = { name: 'closed' };
    this.#address = undefined;
    this.#opens = 0;
    this.#retries = 0;
    this.#heartbeat.stop();
    if (state.name === 'waiting') state.retry.cancel();
    if (state.name === 'connecting' || state.name === 'open') {
      state.attempt.limit.cancel();
      state.attempt.socket.close(1000);
    }
    this.#pending.failAll();
    this.#settle(new CallError(ErrorCode.ERR_WEBSOCKET_CONNECTION_FAILED));
  }

  #try(address: ChannelAddress): void {
    if (this.#state.name === 'waiting') this.#state.retry.cancel();
    const { clock, sockets } = this.#deps;
    const limit = clock.after(TIMES.requestTimeoutMs, () => {
      if (!isCurrent()) return;
      this.#failed();
      attempt.socket.close(1000);
    });
    // Events of an abandoned socket are dropped.
    const isCurrent = () => 'attempt' in this.#state && this.#state.attempt.limit === limit;
    const early: (() => void)[] = [];
    let opening = true;
    const whenCurrent = (act: () => void) => {
      if (opening) early.push(act);
      else if (isCurrent()) act();
    };
    const socket = sockets.open(channelUrl(address), {
      opened: () => whenCurrent(() => this.#opened()),
      received: (text) => whenCurrent(() => this.#received(text)),
      closed: (code, status) => whenCurrent(() => this.#closed(code, status)),
    });
    const attempt: Attempt = { socket, limit };
    this.#state = { name: 'connecting', attempt };
    // A socket may emit events before `open` has returned it.
    opening = false;
    for (const act of early) whenCurrent(act);
  }

  #opened(): void {
    if (this.#state.name !== 'connecting') return;
    const { attempt } = this.#state;
    attempt.limit.cancel();
    this.#state = { name: 'open', attempt, since: this.#deps.clock.now() };
    this.#opens += 1;
    this.#heartbeat.heard();
    this.#deps.log.info('realtime channel open', { opens: this.#opens });
    const asked = this.#outcome !== undefined && this.#opens === 1;
    this.#settle();
    // The caller of connect learns of its own opening. Any other opening is reported.
    if (!asked) this.#tell(() => this.#deps.events.restored());
  }

  #received(text: string): void {
    this.#heartbeat.heard();
    let decoded: ServerFrame;
    try {
      decoded = decodeServerFrame(text);
    } catch (fault) {
      // An unreadable frame is dropped, and the socket stays open (D25).
      this.#deps.log.error('unreadable frame', {
        code: fault instanceof FrameFault ? fault.code : ErrorCode.ERR_MALFORMED_DATA,
        fault,
      });
      return;
    }
    if (decoded.kind === 'reply') this.#pending.settle(decoded.frame);
    else if (decoded.kind === 'room') this.#tell(() => this.#deps.events.roomEvent(decoded.frame));
    else this.#tell(() => this.#deps.events.event(decoded.frame));
  }

  #closed(code: number, status: number | undefined): void {
    this.#deps.log.info('realtime channel closed', { code, status });
    const refused = REFUSING_CODES.includes(code) || (status !== undefined && REFUSING_STATUSES.includes(status));
    if (refused) this.#refused();
    else if (this.#state.name === 'open') this.#lose();
    else this.#failed();
  }

  #lose(): void {
    if (this.#state.name !== 'open') return;
    // A channel that lived for less than the first backoff counts as a failed attempt: flapping backs off too.
    if (this.#deps.clock.now() - this.#state.since >= TIMES.channelBackoffMs[0]) this.#retries = 0;
    this.#wait();
    this.#pending.failAll();
    this.#tell(() => this.#deps.events.lost());
  }

  #failed(): void {
    this.#wait();
    this.#settle(new CallError(ErrorCode.ERR_WEBSOCKET_CONNECTION_FAILED));
  }

  #refused(): void {
    this.#endAttempt();
    this.#state = { name: 'closed' };
    this.#pending.failAll();
    this.#settle(new CallError(ErrorCode.USER_NOT_AUTHENTICATED));
    this.#tell(() => this.#deps.events.refused());
  }

  #wait(): void {
    this.#endAttempt();
    const ms = this.#policy.waitBefore(this.#retries) ?? 0;
    this.#retries += 1;
    const retry = this.#deps.clock.after(ms, () => {
      if (this.#address) this.#try(this.#address);
    });
    this.#state = { name: 'waiting', retry };
    this.#deps.log.debug('realtime channel retries', { in: Math.round(ms), retry: this.#retries });
  }

  #endAttempt(): void {
    this.#heartbeat.stop();
    if ('attempt' in this.#state) this.#state.attempt.limit.cancel();
  }

  #settle(error?: CallError): void {
    const outcome = this.#outcome;
    this.#outcome = undefined;
    if (error) outcome?.reject(error);
    else outcome?.resolve();
  }

  #tell(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#deps.log.error('a listener of the realtime channel failed', { error });
    }
  }
}

function newOutcome(): Outcome {
  let resolve: () => void = () => undefined;
  let reject: (error: CallError) => void = () => undefined;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

function channelUrl({ wsHost, sessionToken, clientId, version }: ChannelAddress): string {
  const query = new URLSearchParams({
    [CHANNEL_QUERY.sessionToken]: sessionToken,
    [CHANNEL_QUERY.clientId]: clientId,
    [CHANNEL_QUERY.version]: version,
  });
  return `${wsHost.replace(/\/+$/, '')}${PATHS.channel}?${query}`;
}
