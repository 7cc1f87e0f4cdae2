/** An exchange under a hand-driven clock, with devices that record everything they get. */
import type { Clock } from '../../../src/common/clock.ts';
import {
  decodeServerFrame,
  frameValue,
  type EventFrame,
  type ReplyFrame,
  type RoomEventFrame,
} from '../../../src/protocol/envelope.ts';
import { loginAnswer } from '../../../src/protocol/http.ts';
import { COMMANDS, type CommandPayload, type CommandType } from '../../../src/protocol/messages/commands.ts';
import {
  ROOM_EVENTS,
  ROOM_GROUP,
  type RoomCommandPayload,
  type RoomCommandType,
} from '../../../src/protocol/messages/rooms.ts';
import { roomEventFrom } from '../../../src/protocol/room-envelope.ts';
import { packSdp } from '../../../src/protocol/sdp-codec.ts';
import type { CallEvent } from '../../../sim/exchange/calls/call-event.ts';
import { callEvents, type ExchangeListener } from '../../../sim/exchange/events.ts';
import { Exchange, type ExchangeOptions } from '../../../sim/exchange/exchange.ts';
import type { LogEntry } from '../../../sim/exchange/ports.ts';
import * as v from 'valibot';
import { MemoryStore } from '../../../sim/store/memory-store.ts';
import { HandClock } from '../support/hand-clock.ts';

const GROUP_OF = new Map(
  Object.entries(COMMANDS).flatMap(([group, types]) => Object.keys(types).map((type) => [type, group] as const)),
);

export const SDP = 'v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n';
export const PACKED = packSdp(SDP);
export const AV = { audio: true, video: true };
export const CANDIDATE = {
  sdp: 'candidate:1 1 udp 2113937151 192.0.2.7 54400 typ host',
  sdp_mline_index: 0,
  sdp_mid: '0',
};
export const CONNECTION = { connection_type: 'host', relay_protocol: null, protocol: 'udp' };

/** Returns a listener for the events of calls without those of their set-up. */
export const afterSetUp = (listener: (event: CallEvent) => void): ExchangeListener =>
  callEvents((event) => {
    if (event.kind !== 'ringing' && event.kind !== 'accepted') listener(event);
  });

/** Returns the event of a room in a frame. Null for another frame. */
export function roomEventOf(text: string): RoomEventFrame | null {
  const value = frameValue(text) as { cmd?: unknown; type?: unknown; message_id?: unknown };
  const isOfRoom = value.cmd === ROOM_GROUP && Object.hasOwn(ROOM_EVENTS, String(value.type));
  return isOfRoom && value.message_id !== undefined ? roomEventFrom(value) : null;
}

/** The microtasks after which a command without real time has its reply. */
const TURNS = 100_000;

export interface ExchangeFixture {
  readonly clock: HandClock;
  readonly exchange: Exchange;
  readonly log: LogEntry[];
  device(userId: string, clientId?: string): Promise<Device>;
  http(
    method: string,
    path: string,
    more?: { query?: Record<string, string>; headers?: Record<string, string>; body?: unknown },
  ): Promise<{ status: number; body: any }>;
}

/** @param process - the clock of the exchange, when it is not that of the test. */
export function createExchangeFixture(options: Partial<ExchangeOptions> = {}, process?: Clock): ExchangeFixture {
  const clock = options.clock instanceof HandClock ? options.clock : new HandClock(Date.UTC(2026, 0, 1));
  const log: LogEntry[] = [];
  let ids = 0;
  const exchange = new Exchange({
    ids: { uuid: () => `id-${(ids += 1)}`, token: () => `token-${(ids += 1)}` },
    users: ['alice', 'bob', 'carol', 'dave'].map((user_id) => ({ user_id, nickname: user_id, profile_url: '' })),
    log: (entry) => log.push(entry),
    hmacSha1: (key, text) => `hmac(${key},${text})`,
    store: new MemoryStore(),
    ...options,
    clock: process ?? clock,
  });
  const fixture: ExchangeFixture = {
    clock,
    exchange,
    log,
    http: (method, path, { query = {}, headers = {}, body } = {}) =>
      exchange.http({ method, path, query, headers, address: '192.0.2.1', body }),
    async device(userId, clientId = `${userId}-1`) {
      const { status, body } = await fixture.http('POST', `/v1/users/${userId}/login`, {
        headers: { 'x-client-id': clientId },
        body: { app_id: 'ringback-demo', user_id: userId },
      });
      if (status !== 200) throw new Error(`login of ${userId}: ${status} ${JSON.stringify(body)}`);
      const device = new Device(fixture, userId, clientId, v.parse(loginAnswer, body).sbcall_session_token);
      await device.connect();
      return device;
    },
  };
  return fixture;
}

/** Calls the listener with each user whose presence may have changed. Returns the function that removes it. */
export const onPresence = (exchange: Exchange, listener: (userId: string) => void): (() => void) =>
  exchange.subscribe((event) => {
    if (event.kind === 'presence') listener(event.userId);
  });

export class Device {
  readonly events: EventFrame[] = [];
  /** The events of rooms and about invitations. */
  readonly roomEvents: RoomEventFrame[] = [];
  readonly replies: ReplyFrame[] = [];
  readonly closes: number[] = [];
  #connection: { receive(text: string): void; closed(): void } | undefined;
  #requests = 0;
  readonly fixture: ExchangeFixture;
  readonly userId: string;
  readonly clientId: string;
  readonly token: string;

  constructor(fixture: ExchangeFixture, userId: string, clientId: string, token: string) {
    this.fixture = fixture;
    this.userId = userId;
    this.clientId = clientId;
    this.token = token;
  }

  get headers(): Record<string, string> {
    return { 'x-client-id': this.clientId, 'x-session-token': this.token };
  }

  /** Opens the channel, and receives the waiting messages at once. */
  async connect(): Promise<void> {
    const taken = this.fixture.exchange.connect(
      { sessionToken: this.token, clientId: this.clientId, version: '1.10.20' },
      { send: (text) => this.#heard(text), close: (code) => void this.closes.push(code) },
    );
    if ('status' in taken) throw new Error(`refused with ${taken.status}`);
    this.#connection = taken;
    await Promise.resolve();
  }

  disconnect(): void {
    this.#connection?.closed();
    this.#connection = undefined;
  }

  receive(text: string): void {
    this.#connection?.receive(text);
  }

  frame<T extends CommandType>(type: T, payload: CommandPayload<T>, requestId?: string) {
    this.#requests += 1;
    const request_id = requestId ?? `${this.clientId}-${this.#requests}`;
    return { version: 1, request_id, cmd: GROUP_OF.get(type), type, payload };
  }

  /** Sends a command. The reply is here when this returns. */
  send<T extends CommandType>(type: T, payload: CommandPayload<T>, requestId?: string): ReplyFrame {
    const frame = this.frame(type, payload, requestId);
    this.receive(JSON.stringify(frame));
    const reply = this.replies.at(-1);
    if (reply?.request_id !== frame.request_id) throw new Error(`no reply to ${type}`);
    return reply;
  }

  /** Sends a command about a room, and resolves with its reply. */
  async room<T extends RoomCommandType>(
    type: T,
    payload: RoomCommandPayload<T>,
    requestId?: string,
  ): Promise<ReplyFrame> {
    this.#requests += 1;
    const request_id = requestId ?? `${this.clientId}-${this.#requests}`;
    const before = this.replies.length;
    this.receive(JSON.stringify({ version: 1, request_id, cmd: ROOM_GROUP, type, payload }));
    const reply = () => this.replies.slice(before).find((one) => one.request_id === request_id);
    for (let turn = 0; turn < TURNS && !reply(); turn += 1) await Promise.resolve();
    const got = reply();
    if (!got) throw new Error(`no reply to ${type}`);
    return got;
  }

  /** Sends a command and returns the code of its refusal. 0 when it was accepted. */
  code<T extends CommandType>(type: T, payload: CommandPayload<T>): number {
    return this.send(type, payload).error?.code ?? 0;
  }

  /** Dials and returns the call's id. */
  dial(callee: string, more: Partial<CommandPayload<'dial'>> = {}): string {
    const reply = this.send('dial', {
      callee_id: callee,
      is_video_call: true,
      constraints: AV,
      capabilities: [],
      ...more,
    });
    if (reply.error) throw new Error(`dial refused with ${reply.error.code}`);
    return (reply.payload as { call_id: string }).call_id;
  }

  accept(call_id: string): number {
    return this.code('accept', { call_id, constraints: AV, capabilities: [] });
  }

  connected(call_id: string): number {
    return this.code('connected', { call_id, connection: CONNECTION, reconnect: false });
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  event(type: string): any {
    return this.events.findLast((event) => event.type === type)?.payload;
  }

  /** The result of the call as the exchange sent it. Undefined when it sent none. */
  get told(): string | undefined {
    const last = this.events.findLast(
      ({ type, payload }) => type === 'other_device_accepted' || 'end_result' in payload,
    );
    if (last?.type === 'other_device_accepted') return 'other_device_accepted';
    return last && 'end_result' in last.payload ? last.payload.end_result : undefined;
  }

  #heard(text: string): void {
    const event = roomEventOf(text);
    if (event) return void this.roomEvents.push(event);
    const { kind, frame } = decodeServerFrame(text);
    if (kind === 'reply') this.replies.push(frame);
    else if (kind === 'event') this.events.push(frame);
  }
}
