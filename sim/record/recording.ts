/**
 * A recording of the traffic as a trace: which client sends, what it sends, and when. It has no sockets and no clock.
 * It stores only the names of the clients: each event is passed on at once.
 */
import { CHANNEL_QUERY, HEADERS, PATHS } from '../../src/protocol/http.ts';
import { readable } from '../../src/trace/readable.ts';
import type { TraceEvent, Untimed } from '../../src/trace/events.ts';
import { Clients } from './clients.ts';

export interface RecordingOptions {
  /** Returns milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Receives each event as it happens. */
  readonly keep: (event: TraceEvent) => void;
}

/** A request that is being forwarded. */
export interface RecordedRequest {
  readonly method: string;
  /** The URL as the client sent it, with its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The part of a body that is recorded. */
export interface RecordedBody {
  readonly bytes: number;
  /** Absent if the body is no text, or too long. */
  readonly text?: string;
}

/** A realtime channel that is being forwarded. */
export interface RecordedChannel {
  up(text: string): void;
  down(text: string): void;
  closed(code: number): void;
}

const LOGIN = /^\/v1\/users\/([^/]+)\/login$/;
/** A push token is in the path (§7), wherever the server has its paths. */
const PUSH_TOKEN = /(\/v1\/users\/[^/]+\/push\/[^/]+\/).+$/;
/** The name for requests of programs that send no client id. */
const NOBODY = 'client';

export class Recording {
  readonly #options: RecordingOptions;
  readonly #began: number;
  readonly #clients = new Clients();
  #isOver = false;

  constructor(options: RecordingOptions) {
    this.#options = options;
    this.#began = options.now();
  }

  /** The number of clients so far. */
  get clients(): number {
    return this.#clients.count;
  }

  /** The duration of the recording so far, in milliseconds. */
  get elapsedMs(): number {
    return Math.round(this.#options.now() - this.#began);
  }

  /** Stops recording: what closes from now on closes because the recorder stops. */
  end(): void {
    this.#isOver = true;
  }

  /** Records a request that is complete and goes to the server. Returns the function that records its answer. */
  request(request: RecordedRequest, body: RecordedBody): (status: number, answer: RecordedBody) => void {
    // The preflight request of a browser is no part of the story.
    if (request.method === 'OPTIONS') return () => undefined;
    const path = pathOf(request.url);
    const device = this.#deviceOf(request, path);
    const name = nameOf(request.method, path);
    this.#keep({ kind: 'http', device, direction: 'up', request: name, body: bodyOf(body) });
    return (status, answer) =>
      this.#keep({ kind: 'http', device, direction: 'down', request: name, body: bodyOf(answer), status });
  }

  /** Records a channel that is open on both sides. Returns undefined for a websocket that is no realtime channel. */
  channel(url: string): RecordedChannel | undefined {
    const query = new URLSearchParams(url.split('?')[1] ?? '');
    const clientId = query.get(CHANNEL_QUERY.clientId);
    if (clientId === null && pathOf(url) !== PATHS.channel) return undefined;
    const device = this.#clients.nameOf(clientId ?? '');
    this.#keep({ kind: 'socket', device, what: 'open' });
    let isClosed = false;
    return {
      up: (text) => this.#message(device, 'up', text),
      down: (text) => this.#message(device, 'down', text),
      closed: (code) => {
        if (isClosed) return;
        isClosed = true;
        this.#keep({ kind: 'socket', device, what: 'close', code });
        this.#clients.left(clientId ?? '');
      },
    };
  }

  /** Records that the server could not be reached, or broke the connection. */
  failed(request: RecordedRequest, message: string): void {
    const path = pathOf(request.url);
    const device = this.#deviceOf(request, path);
    this.#keep({
      kind: 'error',
      device,
      message: `${nameOf(request.method, path)}: ${message}`,
    });
  }

  #message(device: string, direction: 'up' | 'down', text: string): void {
    const value = parsed(text);
    const frame = (typeof value === 'object' && value !== null ? value : {}) as Parsed;
    const code = (frame['error'] as Parsed | undefined)?.['code'];
    this.#keep({
      kind: 'message',
      device,
      direction,
      cmd: typeof frame['type'] === 'string' ? frame['type'] : '?',
      payload: readable(frame['payload']),
      ...(typeof code === 'number' ? { error: code } : {}),
    });
  }

  #deviceOf({ url, headers }: RecordedRequest, path: string): string {
    const query = new URLSearchParams(url.split('?')[1] ?? '');
    const clientId = headers[HEADERS.clientId] ?? query.get(CHANNEL_QUERY.clientId);
    if (typeof clientId !== 'string') return NOBODY;
    const user = LOGIN.exec(path)?.[1];
    return user === undefined ? this.#clients.nameOf(clientId) : this.#clients.signIn(clientId, decoded(user));
  }

  #keep(event: Untimed): void {
    if (!this.#isOver) this.#options.keep({ at: this.elapsedMs, ...event });
  }
}

/** Returns the path of the protocol. A server may have its paths below another, as `/scripts/decline/v1`. */
function pathOf(url: string): string {
  const [path = url] = url.split('?');
  const start = path.indexOf('/v1/');
  return start > 0 ? path.slice(start) : path;
}

const nameOf = (method: string, path: string): string => `${method} ${path.replace(PUSH_TOKEN, '$1***')}`;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

type Parsed = Readonly<Record<string, unknown>>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the body to record. A command over HTTP is a frame: its sdp is unpacked as on a channel. */
function bodyOf({ bytes, text }: RecordedBody): unknown {
  if (bytes === 0) return undefined;
  const value = text === undefined ? undefined : parsed(text);
  if (value === undefined) return `(${bytes} bytes)`;
  if (typeof value !== 'object' || value === null || !('payload' in value)) return readable(value);
  return { ...value, payload: readable(value.payload) };
}
