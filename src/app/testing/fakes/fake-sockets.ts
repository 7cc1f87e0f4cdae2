import type { OpenSocket, Socket, SocketHandlers } from '../../core/ports/ports.ts';

/** The close code when the other side sent none (RFC 6455 §7.4.1). */
const NO_STATUS = 1005;

/** A websocket whose other side is the test. */
export class FakeSocket implements Socket {
  readonly url: string;
  readonly protocols: readonly string[];
  readonly #handlers: SocketHandlers;
  isClosed = false;

  constructor(url: string, protocols: readonly string[], handlers: SocketHandlers) {
    this.url = url;
    this.protocols = protocols;
    this.#handlers = handlers;
  }

  accept(): void {
    this.#handlers.onOpen();
  }

  receive(message: unknown): void {
    const isSent = typeof message === 'string' || message instanceof Uint8Array;
    this.#handlers.onMessage(isSent ? message : JSON.stringify(message));
  }

  fail(): void {
    this.#handlers.onError();
  }

  close = (): void => this.drop(NO_STATUS);

  /** Closes the socket as the other side. */
  drop(code: number): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#handlers.onClose(code);
  }
}

/** A factory that keeps every socket that was opened. */
export class FakeSockets {
  readonly opened: FakeSocket[] = [];

  open: OpenSocket = (url, protocols, handlers) => {
    const socket = new FakeSocket(url, protocols, handlers);
    this.opened.push(socket);
    return socket;
  };

  get last(): FakeSocket {
    const socket = this.opened.at(-1);
    if (socket === undefined) throw new Error('No socket was opened');
    return socket;
  }
}
