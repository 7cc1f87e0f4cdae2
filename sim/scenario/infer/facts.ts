/**
 * A trace as facts of the wire: each request with its outcome. The events that the library reports (states, sounds,
 * listeners) are ignored: a recorded client has none.
 */
import { PATHS } from '../../../src/protocol/http.ts';
import type { HttpEvent, MessageEvent, SocketEvent, TraceEvent } from '../../../src/trace/events.ts';

export type Payload = Readonly<Record<string, unknown>>;

export interface Reply {
  readonly at: number;
  /** The code of a refusal. */
  readonly error?: number;
  readonly payload: Payload;
}

/** A command of a device, over its channel or by HTTP. */
export interface Command {
  readonly kind: 'command';
  /** Milliseconds since the trace began, as everywhere here. */
  readonly at: number;
  readonly device: string;
  readonly type: string;
  /** Empty for a dial that was never acknowledged. */
  readonly callId: string;
  readonly payload: Payload;
  readonly reply?: Reply;
  /** Whether it went by HTTP, because the channel was closed. */
  readonly byHttp?: true;
  /** Whether the command itself is not in the trace, and is inferred from what the other side received. */
  readonly unseen?: true;
}

/** A message of the exchange to a device. */
export interface Signal {
  readonly kind: 'signal';
  readonly at: number;
  readonly device: string;
  readonly type: string;
  readonly callId: string;
  readonly payload: Payload;
}

/** A request by HTTP that is no command. */
export interface Request {
  readonly kind: 'request';
  readonly at: number;
  readonly device: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly answer?: { readonly at: number; readonly status?: number; readonly body: unknown };
  readonly unseen?: true;
}

/** A realtime channel opened or closed. */
export interface ChannelChange {
  readonly kind: 'channel';
  readonly at: number;
  readonly device: string;
  readonly what: 'open' | 'close';
  readonly code?: number;
}

export type Fact = Command | Signal | Request | ChannelChange;

/** Messages that the library sends periodically, and that no story contains. */
const QUIET = new Set([
  'candidate',
  'remove_candidates',
  'alive',
  'dial_rcv',
  'unended_calls',
  'heartbeat',
  'snapshot',
  'log_level',
]);
const ACK = '_ack';

const mapOf = (value: unknown): Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : {};
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the code of a refusal in the body of an answer. */
export function codeOf(body: unknown): number | undefined {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
  return typeof code === 'number' ? code : undefined;
}

export interface Facts {
  readonly facts: Fact[];
  /** Whether the trace was read to its end. */
  readonly isWhole: boolean;
  /** The time of the last event that was read, in milliseconds since the trace began. */
  readonly until: number;
}

/**
 * Returns the facts of a trace, in order, until more than `mostCalls` calls are dialed. The sdp is left out: its
 * content decides nothing here.
 */
export function readFacts(trace: Iterable<TraceEvent>, mostCalls: number): Facts {
  const reader = new FactReader();
  let calls = 0;
  let until = 0;
  for (const event of trace) {
    if (event.kind === 'message' && event.direction === 'up' && event.cmd === 'dial') calls += 1;
    if (calls > mostCalls) return { facts: reader.facts, isWhole: false, until };
    until = event.at;
    reader.take(event);
  }
  return { facts: reader.facts, isWhole: true, until };
}

type Open<T> = { -readonly [K in keyof T]: T[K] };

class FactReader {
  readonly facts: Fact[] = [];
  /** Commands without a reply, by device and type, the oldest first. */
  readonly #asked = new Map<string, Open<Command>[]>();
  /** Requests without an answer, by device, method and path. */
  readonly #requested = new Map<string, (Open<Request> | Open<Command> | undefined)[]>();

  take(event: TraceEvent): void {
    if (event.kind === 'socket') return this.#channel(event);
    if (event.kind === 'message') return this.#message(event);
    if (event.kind === 'http') return this.#http(event);
  }

  #channel({ at, device, what, code }: SocketEvent): void {
    this.facts.push({ kind: 'channel', at, device, what, ...(code === undefined ? {} : { code }) });
  }

  #message({ at, device, direction, cmd, payload, error, fate }: MessageEvent): void {
    if (direction === 'up') {
      const command = this.#command(at, device, cmd, mapOf(payload));
      if (command) push(this.#asked, `${device} ${cmd}`, command);
      return;
    }
    // A dropped message never arrived.
    if (fate === 'dropped') return;
    if (cmd.endsWith(ACK)) return this.#replied(device, cmd.slice(0, -ACK.length), at, mapOf(payload), error);
    // That a device rings matters only if the device is not in the trace.
    if (QUIET.has(cmd) && cmd !== 'dial_rcv') return;
    const { session: _session, ...rest } = mapOf(payload);
    this.facts.push({ kind: 'signal', at, device, type: cmd, callId: textOf(rest['call_id']), payload: rest });
  }

  #command(at: number, device: string, type: string, payload: Payload): Open<Command> | undefined {
    if (QUIET.has(type)) return undefined;
    const { session: _session, ...rest } = payload;
    const command: Open<Command> = {
      kind: 'command',
      at,
      device,
      type,
      callId: textOf(payload['call_id']),
      payload: rest,
    };
    this.facts.push(command);
    return command;
  }

  #replied(device: string, type: string, at: number, payload: Payload, error?: number): void {
    const asked = this.#asked.get(`${device} ${type}`) ?? [];
    const callId = textOf(payload['call_id']);
    // A refusal does not name its call. Replies keep their order.
    const found = Math.max(
      0,
      asked.findIndex((command) => callId !== '' && command.callId === callId),
    );
    const [command] = asked.splice(found, 1);
    if (command) settle(command, at, payload, error);
  }

  #http({ at, device, direction, request, body, status, fate }: HttpEvent): void {
    const key = `${device} ${request}`;
    if (direction === 'up') {
      const [method = '', path = ''] = request.split(' ');
      const frame = mapOf(body);
      if (path.endsWith(PATHS.action)) {
        return push(this.#requested, key, this.#command(at, device, textOf(frame['type']), mapOf(frame['payload'])));
      }
      const asked: Open<Request> = { kind: 'request', at, device, method, path, body };
      this.facts.push(asked);
      return push(this.#requested, key, asked);
    }
    if (fate === 'dropped') return;
    const asked = this.#requested.get(key)?.shift();
    if (asked?.kind === 'request') asked.answer = { at, body, ...(status === undefined ? {} : { status }) };
    else if (asked) {
      const { payload, error, code } = mapOf(body);
      const refused = mapOf(error)['code'] ?? code;
      settle(asked, at, mapOf(payload), typeof refused === 'number' ? refused : undefined);
    }
  }
}

function settle(command: Open<Command>, at: number, payload: Payload, error: number | undefined): void {
  command.reply = { at, payload, ...(error === undefined ? {} : { error }) };
  if (command.callId === '') command.callId = textOf(payload['call_id']);
}

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** The times at which the channel of each device was open. */
export class Channels {
  readonly #changes = new Map<string, ChannelChange[]>();

  constructor(facts: readonly Fact[]) {
    for (const fact of facts) {
      if (fact.kind !== 'channel') continue;
      const changes = this.#changes.get(fact.device);
      if (changes) changes.push(fact);
      else this.#changes.set(fact.device, [fact]);
    }
  }

  isOpen(device: string, from: number, until: number): boolean {
    const changes = this.#changes.get(device) ?? [];
    // Before the first change the state was the opposite. Without a change the channel was open before the recording
    // began.
    const before = changes.findLast(({ at }) => at <= from)?.what ?? (changes[0]?.what === 'open' ? 'close' : 'open');
    return before === 'open' && !changes.some(({ at, what }) => what === 'close' && at > from && at <= until);
  }
}
