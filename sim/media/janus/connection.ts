/** A connection to a Janus server: one socket and one session of Janus, from their opening to their end. */
import * as v from 'valibot';
import { WebSocket } from 'ws';
import type { Clock, Timer } from '../../../src/common/clock.ts';
import { type JanusMessage, type Jsep, MESSAGE_BYTES, pluginError, readMessage } from './messages.ts';

/** The times of a connection, milliseconds. */
export const JANUS_TIMES = {
  /** The limit of the opening of a socket. */
  openMs: 5_000,
  /** The limit of a request. Janus gathers its candidates while it answers an offer. */
  requestMs: 8_000,
  /** The time between two keep-alives. Janus ends a session after 60 seconds without one. */
  keepAliveMs: 10_000,
  /** The limit of a keep-alive. */
  aliveMs: 5_000,
} as const;
export type JanusTimes = Readonly<Record<keyof typeof JANUS_TIMES, number>>;

/** The most requests of a connection that wait for a reply. */
const MOST_PENDING = 2_000;
const SUBPROTOCOL = 'janus-protocol';

/** A request that Janus refuses, or does not answer. */
export class JanusError extends Error {
  /** The code of Janus or of its plugin. Null when there is no reply. */
  readonly code: number | null;

  constructor(message: string, code: number | null = null) {
    super(message);
    this.name = 'JanusError';
    this.code = code;
  }
}

export interface JanusReply {
  readonly data: Readonly<Record<string, unknown>>;
  readonly jsep: Jsep | undefined;
}

/** What happens to a handle. */
export interface HandleEvents {
  /** The peer connection of the handle is connected. */
  up?(): void;
  /** The peer connection of the handle has ended. */
  hungUp?(): void;
  /** The plugin offers again without a request. */
  offered?(jsep: Jsep): void;
}

/** An attachment to a plugin of Janus. It has at most one peer connection. */
export interface JanusHandle {
  /**
   * Sends a request to the plugin, and returns its reply.
   * @throws JanusError when it is refused, when no reply comes in time, and when the connection ends.
   */
  request(body: Readonly<Record<string, unknown>>, jsep?: Jsep): Promise<JanusReply>;
  /** Ends the handle and its peer connection. Its pending requests fail. */
  detach(): void;
}

interface ConnectionOptions {
  readonly url: string;
  /** The secret of Janus's API. Null without one. */
  readonly secret: string | null;
  readonly clock: Clock;
  readonly times: JanusTimes;
  /** Called once at the end of an opened connection, with its reason, unless `close` ended it. */
  readonly ended: (reason: string) => void;
}

interface Pending {
  readonly settle: (message: JanusMessage) => void;
  readonly fail: (error: JanusError) => void;
  /** Whether an `ack` is the reply. */
  readonly isAcked: boolean;
  /** The handle of the request. Null for a request of the session. */
  readonly handle: number | null;
  readonly limit: Timer;
}

interface RequestOptions {
  readonly isAcked?: boolean;
  readonly handle?: number;
  readonly limitMs?: number;
}

export class JanusConnection {
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #handles = new Map<number, HandleEvents>();
  #session: number | null = null;
  #transactions = 0;
  #keepAlive: Timer | null = null;
  #isEnded = false;

  private constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.#end('it sent bytes');
      else this.#received((data as Buffer).toString('utf8'));
    });
    socket.on('error', (error) => this.#end(`the socket failed (${codeOf(error)})`));
    socket.on('close', () => this.#end('the socket closed'));
  }

  /**
   * Opens a connection to a server that has `plugins`.
   * @throws JanusError with the reason: it does not answer, it is not Janus, it refuses, or it lacks a plugin.
   */
  static async open(options: ConnectionOptions, plugins: readonly string[]): Promise<JanusConnection> {
    const { openMs } = options.times;
    const socket = new WebSocket(options.url, SUBPROTOCOL, {
      handshakeTimeout: openMs,
      maxPayload: MESSAGE_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
    });
    // Errors between the opening and the handlers of the connection have a listener.
    const connection = new JanusConnection(socket, options);
    try {
      await connection.#opened();
      const { plugins: installed = {} } = await connection.#request({ janus: 'info' });
      const lacking = plugins.find((name) => !(name in installed));
      if (lacking !== undefined) throw new JanusError(`it lacks the plugin ${lacking}`);
      const { data } = await connection.#request({ janus: 'create' });
      if (!data) throw new JanusError('it made no session');
      connection.#session = data.id;
      connection.#beat();
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Attaches to a plugin. @throws JanusError as {@link JanusHandle.request}. */
  async attach(plugin: string, events: HandleEvents): Promise<JanusHandle> {
    const { data } = await this.#request({ janus: 'attach', plugin });
    if (!data) throw new JanusError('it made no handle');
    const handle = data.id;
    this.#handles.set(handle, events);
    return {
      request: async (body, jsep) => {
        const message = { janus: 'message', handle_id: handle, body, ...(jsep ? { jsep } : {}) };
        return replyOf(await this.#request(message, { handle }));
      },
      detach: () => {
        if (!this.#handles.delete(handle)) return;
        this.#fail('the handle was detached', (one) => one.handle === handle);
        this.#request({ janus: 'detach', handle_id: handle }).catch(() => undefined);
      },
    };
  }

  /** Closes the connection. Janus then ends the session and its peer connections. Pending requests fail. */
  close(): void {
    this.#end(null);
  }

  async #opened(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#socket.once('open', () => resolve());
      this.#socket.once('error', (error) => reject(new JanusError(`it cannot be reached (${codeOf(error)})`)));
      this.#socket.once('close', () => reject(new JanusError('it closed the socket')));
    });
  }

  #beat(): void {
    this.#keepAlive = this.#options.clock.every(this.#options.times.keepAliveMs, () => void this.#isAlive());
  }

  /** Asks for a sign of life. The connection ends when none comes. Never rejects. */
  async #isAlive(): Promise<void> {
    try {
      await this.#request({ janus: 'keepalive' }, { isAcked: true, limitMs: this.#options.times.aliveMs });
    } catch {
      this.#end('it does not answer');
    }
  }

  #request(message: Readonly<Record<string, unknown>>, how: RequestOptions = {}): Promise<JanusMessage> {
    const { isAcked = false, handle = null, limitMs = this.#options.times.requestMs } = how;
    return new Promise<JanusMessage>((resolve, reject) => {
      if (this.#isEnded) return reject(new JanusError('the connection has ended'));
      if (this.#pending.size >= MOST_PENDING) return reject(new JanusError('too many requests wait'));
      this.#transactions += 1;
      const transaction = String(this.#transactions);
      const limit = this.#options.clock.after(limitMs, () => {
        const late = () => this.#fail('no reply came in time', (one) => one === pending);
        if (isAcked || this.#session === null) return late();
        // A server that hangs ends the connection first, so that the caller takes another server.
        return void this.#isAlive().then(late);
      });
      const pending: Pending = { settle: resolve, fail: reject, isAcked, handle, limit };
      this.#pending.set(transaction, pending);
      const { secret } = this.#options;
      const session = this.#session === null ? {} : { session_id: this.#session };
      this.#socket.send(
        JSON.stringify({ ...message, ...session, transaction, ...(secret === null ? {} : { apisecret: secret }) }),
      );
      return undefined;
    });
  }

  #received(text: string): void {
    if (this.#isEnded) return;
    const message = readMessage(text);
    if (!message) return this.#end('it sent a message that is not of Janus');
    // oxlint-disable-next-line no-restricted-properties -- a field of Janus, not of a database
    const { transaction = '' } = message;
    const pending = this.#pending.get(transaction);
    if (pending && (message.janus !== 'ack' || pending.isAcked)) {
      this.#pending.delete(transaction);
      pending.limit.cancel();
      if (message.janus === 'error') {
        pending.fail(new JanusError(message.error?.reason ?? 'refused', message.error?.code ?? null));
      } else {
        pending.settle(message);
      }
      return undefined;
    }
    return this.#happened(message);
  }

  /** Passes on what Janus sends without a request. */
  #happened({ janus, sender, jsep }: JanusMessage): void {
    if (janus === 'timeout') return this.#end('it ended the session');
    const events = sender === undefined ? undefined : this.#handles.get(sender);
    if (janus === 'webrtcup') events?.up?.();
    else if (janus === 'hangup' || janus === 'detached') events?.hungUp?.();
    else if (janus === 'event' && jsep?.type === 'offer') events?.offered?.(jsep);
    return undefined;
  }

  /** Fails the pending requests that `concerns` chooses. */
  #fail(reason: string, concerns: (pending: Pending) => boolean): void {
    for (const [transaction, pending] of this.#pending) {
      if (!concerns(pending)) continue;
      this.#pending.delete(transaction);
      pending.limit.cancel();
      pending.fail(new JanusError(reason));
    }
  }

  /** Ends the connection. @param reason - null when its owner closes it. */
  #end(reason: string | null): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#keepAlive?.cancel();
    this.#fail(`the connection ended: ${reason ?? 'it was closed'}`, () => true);
    const handles = [...this.#handles.values()];
    this.#handles.clear();
    this.#socket.terminate();
    if (this.#session !== null && reason !== null) this.#options.ended(reason);
    for (const events of handles) events.hungUp?.();
  }
}

/** Returns the reply of a plugin. @throws JanusError for a refusal. */
function replyOf({ plugindata, jsep }: JanusMessage): JanusReply {
  const data = plugindata?.data ?? {};
  const refusal = v.safeParse(pluginError, data);
  if (refusal.success) throw new JanusError(refusal.output.error, refusal.output.error_code);
  return { data, jsep };
}

/** Returns the code of an error of the system, whose message has an address, or else the message of the socket. */
const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.message;

/** Reads data of a reply. @throws JanusError for data of another form. */
export function read<Schema extends v.GenericSchema>(schema: Schema, { data }: JanusReply): v.InferOutput<Schema> {
  const result = v.safeParse(schema, data);
  if (!result.success) throw new JanusError('a reply has another form than that of Janus');
  return result.output;
}
