/** A websocket of text frames (RFC 6455). */
export interface SocketPort {
  /** Opens a socket. Never throws: a bad address ends in `closed`. */
  open(url: string, events: SocketEvents): Socket;
}

export interface SocketEvents {
  opened(): void;
  received(text: string): void;
  /**
   * Runs once, whether or not the socket ever opened. `code` is the close code. `status` is the HTTP status of a
   * refused upgrade, if the platform reports it (a browser does not).
   */
  closed(code: number, status?: number): void;
}

export interface Socket {
  send(text: string): void;
  /** Closes the socket. `closed` follows unless it already ran. */
  close(code?: number): void;
}
