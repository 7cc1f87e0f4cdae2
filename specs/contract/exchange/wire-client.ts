/** A client on a real socket without the library: it sends commands, counts events, and can stop to read. */
import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { answerOf, json } from './terminals.ts';

/** An event of the exchange, as it comes. */
export interface WireEvent {
  readonly type: string;
  readonly payload: any;
}

interface Reply {
  readonly payload: { readonly call_id: string };
  readonly error?: { readonly code: number };
}

export class WireClient {
  readonly socket: WebSocket;
  /** The events so far, by type. */
  readonly events = new Map<string, number>();
  /** The codes of refused commands, with their counts. */
  readonly refused = new Map<number, number>();
  closeCode: number | null = null;
  /** Receives each event. Default: none. */
  onEvent: (event: WireEvent) => void = () => undefined;
  readonly #waiting = new Map<string, (reply: Reply) => void>();
  /** Another client of the same name may have used the same numbers. */
  readonly #prefix = randomUUID();
  #requests = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => this.#read(String(data)));
    socket.on('close', (code) => (this.closeCode = code));
    socket.on('error', () => undefined);
  }

  static async signIn(url: string, userId: string): Promise<WireClient> {
    const clientId = `${userId}-1`;
    const login = json({ app_id: 'ringback-demo', user_id: userId }, { 'x-client-id': clientId });
    const { status, body } = await answerOf(await fetch(`${url}/v1/users/${userId}/login`, login));
    if (status !== 200) throw new Error(`the login of ${userId} was refused with ${status}`);
    const query = new URLSearchParams({ session_token: body.sbcall_session_token, client_id: clientId, version: '1' });
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?${query}`, { perMessageDeflate: false });
    const client = new WireClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('error', reject);
    });
    return client;
  }

  /** Sends a command, and does not wait. Returns its request id. */
  post(cmd: string, type: string, payload: object): string {
    const request_id = `${this.#prefix}-${(this.#requests += 1)}`;
    this.socket.send(JSON.stringify({ version: 1, request_id, cmd, type, payload }));
    return request_id;
  }

  /** Sends a command. Resolves with its reply. Rejects with the code of a refusal. */
  async send(cmd: string, type: string, payload: object): Promise<Reply['payload']> {
    const id = this.post(cmd, type, payload);
    const { payload: answer, error } = await new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    if (error) throw new Error(`${type} was refused with ${error.code}`);
    return answer;
  }

  #read(text: string): void {
    const frame = JSON.parse(text) as Reply & { readonly type: string; readonly request_id?: string };
    if (frame.request_id === undefined) {
      this.events.set(frame.type, (this.events.get(frame.type) ?? 0) + 1);
      this.onEvent(frame);
      return;
    }
    if (frame.error) this.refused.set(frame.error.code, (this.refused.get(frame.error.code) ?? 0) + 1);
    this.#waiting.get(frame.request_id)?.(frame);
    this.#waiting.delete(frame.request_id);
  }
}
