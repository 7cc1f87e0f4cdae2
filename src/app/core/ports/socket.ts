/** One websocket, as narrow as the app needs it. */
export interface Socket {
  close(): void;
}

export interface SocketHandlers {
  onOpen(): void;
  onMessage(data: unknown): void;
  onError(): void;
  /** Called once, also after `close()`, with the code of RFC 6455. */
  onClose(code: number): void;
}

/** Opens a websocket; `protocols` carry the session token. May throw when the address or a protocol is malformed. */
export type OpenSocket = (url: string, protocols: readonly string[], handlers: SocketHandlers) => Socket;
