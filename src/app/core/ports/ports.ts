/** The types of the browser functions that the services of the app use. */

/** The part of the browser's `fetch` that the app uses. */
export type HttpFetch = (url: string, init: RequestInit) => Promise<Response>;

/** A log of failures that the specification wants "logged only". */
export interface Logger {
  info(message: string, detail?: unknown): void;
  warn(message: string, detail?: unknown): void;
  error(message: string, detail?: unknown): void;
}

/** A websocket with only the functions that the app uses. */
export interface Socket {
  close(): void;
}

/** The handlers of the events of a websocket. */
export interface SocketHandlers {
  onOpen(): void;
  onMessage(data: unknown): void;
  onError(): void;
  /** Handles the end of the socket, with the close code of RFC 6455. It runs once, also after `close()`. */
  onClose(code: number): void;
}

/** Opens a websocket. `protocols` carry the session token. May throw when the address or a protocol is malformed. */
export type OpenSocket = (url: string, protocols: readonly string[], handlers: SocketHandlers) => Socket;

/** A function that returns a unique id. It does not use `randomUUID`, which pages over plain http do not have. */
export type NewId = () => string;
