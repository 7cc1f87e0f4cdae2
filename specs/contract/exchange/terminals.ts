/** Clients of a real exchange over real sockets. They use `fetch` and `ws`, and no code of the calling library. */
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket, type ClientOptions } from 'ws';
import {
  decodeServerFrame,
  type EventFrame,
  type ReplyFrame,
  type RoomEventFrame,
} from '../../../src/protocol/envelope.ts';
import { COMMANDS, type CommandPayload, type CommandType } from '../../../src/protocol/messages/commands.ts';
import type { Sim } from '../../../sim/server/start-sim.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { roomEventOf } from '../../unit/exchange/exchange-fixture.ts';

const GROUP_OF = new Map(
  Object.entries(COMMANDS).flatMap(([group, types]) => Object.keys(types).map((type) => [type, group] as const)),
);

/** The count of requests in a test file, so that no two have the same id. */
let requests = 0;

export const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

export async function answerOf(response: Response): Promise<{ status: number; body: any }> {
  return { status: response.status, body: await response.json() };
}

const LOOK_MS = 2;

/** Polls until `look` returns a value. Rejects after two seconds of the reference machine. */
export async function until<T>(look: () => T | undefined | false, what: string): Promise<T> {
  for (const end = performance.now() + scaled(2_000); performance.now() < end;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await delay(LOOK_MS);
  }
  throw new Error(`${what} did not come`);
}

/** Opens a socket. Resolves with 101, or with the status of a refused upgrade. */
export function upgrade(
  url: string,
  options: ClientOptions = {},
  { protocols = [], listen }: { protocols?: string[]; listen?: (socket: WebSocket) => void } = {},
) {
  const socket = new WebSocket(url, protocols, options);
  // The first message may come with the answer to the upgrade.
  listen?.(socket);
  return new Promise<{ status: number; body: string; socket: WebSocket }>((resolve, reject) => {
    socket.once('open', () => resolve({ status: 101, body: '', socket }));
    socket.once('unexpected-response', (_, response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, socket }));
    });
    socket.once('error', reject);
  });
}

export class Terminal {
  readonly events: EventFrame[] = [];
  /** The events of rooms and about invitations. */
  readonly roomEvents: RoomEventFrame[] = [];
  readonly replies: ReplyFrame[] = [];
  closeCode: number | undefined;
  #socket: WebSocket | undefined;
  readonly sim: Pick<Sim, 'url'>;
  readonly userId: string;
  readonly clientId: string;
  readonly token: string;

  private constructor(sim: Pick<Sim, 'url'>, userId: string, clientId: string, token: string) {
    this.sim = sim;
    this.userId = userId;
    this.clientId = clientId;
    this.token = token;
  }

  static async signIn(sim: Pick<Sim, 'url'>, userId: string, clientId = `${userId}-1`): Promise<Terminal> {
    const response = await fetch(
      `${sim.url}/v1/users/${userId}/login`,
      json({ app_id: 'ringback-demo', user_id: userId }, { 'x-client-id': clientId }),
    );
    const { status, body } = await answerOf(response);
    if (status !== 200) throw new Error(`login: ${status}`);
    const terminal = new Terminal(sim, userId, clientId, body.sbcall_session_token);
    await terminal.connect();
    return terminal;
  }

  get headers(): Record<string, string> {
    return { 'x-client-id': this.clientId, 'x-session-token': this.token };
  }

  get channelUrl(): string {
    const query = new URLSearchParams({ session_token: this.token, client_id: this.clientId, version: '1.10.20' });
    return `${this.sim.url.replace('http', 'ws')}/v1/realtime?${query}`;
  }

  get socket(): WebSocket {
    if (!this.#socket) throw new Error('not connected');
    return this.#socket;
  }

  async connect(options: ClientOptions = {}): Promise<void> {
    this.closeCode = undefined;
    const { status, socket } = await upgrade(this.channelUrl, options, { listen: (opening) => this.#listen(opening) });
    if (status !== 101) throw new Error(`upgrade: ${status}`);
    this.#socket = socket;
  }

  #read(text: string): void {
    const { kind, frame } = decodeServerFrame(text);
    if (kind === 'reply') this.replies.push(frame);
    else if (kind === 'event') this.events.push(frame);
  }

  #listen(socket: WebSocket): void {
    socket.on('message', (data) => {
      const event = roomEventOf(String(data));
      if (event) this.roomEvents.push(event);
      else this.#read(String(data));
    });
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      if (this.#socket === socket) this.closeCode = code;
    });
  }

  async disconnect(): Promise<void> {
    this.socket.close();
    await until(() => this.closeCode !== undefined, 'the close');
  }

  frame<T extends CommandType>(type: T, payload: CommandPayload<T>) {
    requests += 1;
    return { version: 1, request_id: `request-${requests}`, cmd: GROUP_OF.get(type), type, payload };
  }

  /** Sends a command and waits for its reply. */
  async send<T extends CommandType>(type: T, payload: CommandPayload<T>): Promise<{ payload: any; error: any }> {
    const frame = this.frame(type, payload);
    this.socket.send(JSON.stringify(frame));
    const reply = await until(
      () => this.replies.find(({ request_id }) => request_id === frame.request_id),
      `the reply to ${type}`,
    );
    return { payload: reply.payload, error: reply.error };
  }

  /** Waits for an event. Resolves with its payload. */
  async event(type: string): Promise<any> {
    return (await until(() => this.events.find((event) => event.type === type), `the event ${type}`)).payload;
  }
}
