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
