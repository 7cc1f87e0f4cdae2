import type { Clock } from '../../src/common/clock.ts';
import * as v from 'valibot';
import { HEADERS, loginAnswer, loginBody } from '../../src/protocol/http.ts';
import type { ChannelIdentity, Connection, Refusal } from '../exchange/delivery/connection.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { HttpRequest, HttpResponse } from '../http/request.ts';
import type { Log } from '../exchange/logging/log.ts';
import type { Ids, Link } from '../exchange/ports.ts';
import { SimulatedUsers } from './simulated-users.ts';
import { ClientLink } from './client-link.ts';
import { Delays } from './delays.ts';
import { requestName } from './format/message-names.ts';
import type { Script } from './format/tree.ts';
import type { MediaSwitch, MediaPeerMaker } from './media-peer.ts';
import { Play } from './play.ts';
import { SimulatedDeviceLink } from './simulated-device-link.ts';
import type { PassingFrame } from './wire-text.ts';

export interface ScriptedExchangeOptions {
  readonly script: Script;
  readonly exchange: Pick<Exchange, 'connect' | 'http' | 'subscribe' | 'liveCalls'>;
  /** The application id that logins must send. */
  readonly appId: string;
  /** The ids of all users, in the order in which callers and callees are chosen. */
  readonly userIds: readonly string[];
  /** The access token with which simulated users sign in. It is a secret of this process. */
  readonly token: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly parties: MediaPeerMaker;
  readonly media: MediaSwitch;
}

/** What is known of a client under test. */
interface Client {
  readonly line: ClientLink;
  userId: string | null;
  /** The number of its open sockets. */
  sockets: number;
  hasCome: boolean;
}

/** The most devices that are remembered: each page that loads is another one. */
const DEVICES = 2_000;

/**
 * An exchange that plays a script. Every client that signs in is a client under test, and meets the users and the
 * faults of the script. Simulated users with media sign in over the same interface, with separate access tokens.
 */
export class ScriptedExchange {
  readonly #options: ScriptedExchangeOptions;
  readonly #users: SimulatedUsers;
  readonly #play: Play;
  readonly #delays: Delays;
  readonly #clients = new Map<string, Client>();
  readonly #staff = new Map<string, SimulatedDeviceLink>();
  /** The calls that users with media take part in, by access token. */
  readonly #admitted = new Map<string, string | null>();
  readonly #stop: () => void;

  constructor(options: ScriptedExchangeOptions) {
    this.#options = options;
    const { exchange, clock } = options;
    this.#delays = new Delays(clock);
    this.#play = new Play({
      ...options,
      admit: (callId) => {
        const ticket = options.ids.token();
        this.#admitted.set(ticket, callId);
        return ticket;
      },
      dismiss: (ticket) => this.#admitted.delete(ticket),
      decline: (userId, callId) => this.#users.decline(userId, callId),
      silence: (userId, callId) => this.#silence(userId, callId),
    });
    this.#users = new SimulatedUsers({
      ...options,
      rang: (userId, callId) => this.#play.called(userId, callId, this.#users.reactionsOf(userId)),
    });
    this.#stop = exchange.subscribe(({ kind }) => {
      if (kind === 'presence') this.#play.review(exchange.liveCalls.map(({ callId }) => callId));
    });
  }

  /** Works as `connect` of the exchange. */
  connect(who: ChannelIdentity, link: Link): Connection | Refusal {
    const staff = this.#staff.get(who.clientId);
    if (staff) return staff.connect(who, link);
    const client = this.#clientOf(who.clientId);
    const connection = client.line.connect(who, link);
    if ('status' in connection) return connection;
    client.sockets += 1;
    this.#come(client);
    return {
      receive: (text) => connection.receive(text),
      closed: () => {
        client.sockets -= 1;
        connection.closed();
      },
    };
  }

  /** Works as `http` of the exchange. An answer that the script loses never arrives. */
  async http(request: HttpRequest): Promise<HttpResponse> {
    const clientId = request.headers[HEADERS.clientId] ?? '';
    const login = requestName(request.path) === 'login' ? v.safeParse(loginBody, request.body) : undefined;
    if (login?.success) return this.#login(request, clientId, login.output);
    return (this.#staff.get(clientId) ?? this.#clientOf(clientId).line).http(request);
  }

  /** Dials from one user to another, as the script would. A user that a client has signed in as does not dial. */
  dial(userId: string, calleeId: string, video: boolean): void {
    if (!this.#users.isSimulated(userId)) return;
    this.#play.dial(userId, calleeId, video, this.#users.reactionsOf(userId));
  }

  /** Whether no client has an open channel. */
  get isIdle(): boolean {
    return [...this.#clients.values()].every(({ sockets }) => sockets === 0);
  }

  /** Disconnects all simulated users and cancels every pending action. */
  close(): void {
    this.#stop();
    this.#delays.close();
    this.#play.close();
    this.#users.close();
  }

  async #login(request: HttpRequest, clientId: string, login: v.InferOutput<typeof loginBody>): Promise<HttpResponse> {
    const { user_id, access_token } = login;
    const { exchange, token } = this.#options;
    const callId = this.#admitted.get(access_token ?? '');
    if (callId !== undefined) {
      const who = { userId: user_id, callId };
      remember(this.#staff, clientId, new SimulatedDeviceLink(who, exchange, (frame) => this.#onFrame(user_id, frame)));
      return exchange.http({ ...request, body: { ...login, access_token: token } });
    }
    const client = this.#clientOf(clientId);
    const response = await client.line.http(request);
    if (v.is(loginAnswer, response.body)) {
      client.userId = user_id;
      this.#users.takeOver(user_id);
    }
    return response;
  }

  #clientOf(clientId: string): Client {
    const known = this.#clients.get(clientId);
    if (known) return known;
    const { exchange, script } = this.#options;
    const line = new ClientLink(exchange, this.#delays, script.faults);
    const client: Client = { line, userId: null, sockets: 0, hasCome: false };
    remember(this.#clients, clientId, client);
    return client;
  }

  /**
   * Handles a client that opened its channel: the simulated users who call it do so. They do not call again after a
   * reconnect.
   */
  #come(client: Client): void {
    const { userId: clientUserId } = client;
    if (client.hasCome || clientUserId === null) return;
    client.hasCome = true;
    for (const { userId, reaction } of this.#users.callersOf(clientUserId)) {
      this.#delays.after(reaction.after, () => {
        if (client.sockets === 0) return;
        this.#play.dial(userId, clientUserId, reaction.video, this.#users.reactionsOf(userId));
      });
    }
  }

  /** Handles a message of the exchange to a simulated user. */
  #onFrame(userId: string, { type, payload }: PassingFrame): void {
    const callId = payload?.call_id;
    if (callId === undefined) return;
    if (type === 'dial_ack') this.#play.dialled(userId, payload?.callee?.user_id ?? '', callId);
    else if (type === 'dial_rcv') this.#play.happened('ringing', userId, callId);
    else if (type === 'accept' || type === 'accept_ack') this.#play.happened('accepted', userId, callId);
    else if (type === 'connected_ack') this.#play.happened('connected', userId, callId);
  }

  #silence(userId: string, callId: string): void {
    for (const line of this.#staff.values()) if (line.userId === userId && line.isIn(callId)) line.goSilent();
  }
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= DEVICES) return;
    map.delete(oldest);
  }
}
