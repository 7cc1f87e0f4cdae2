/** The ports of the exchange. The core has no sockets, reads no time and makes no randomness itself. */

export interface Ids {
  /** Returns a unique identifier that cannot be guessed, for calls and messages (S22). */
  uuid(): string;
  /** Returns a secret of at least 128 bits from a secure source, for sessions and short-lived tokens (S08). */
  token(): string;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The code of the error among the fields, or of its nearest cause that has one: `SQLITE_FULL`, `ECONNRESET`. */
  readonly code?: string;
  /** The lines of the stack of the error among the fields, masked. */
  readonly stack?: readonly string[];
}

/** The levels of entries, the least important first. */
export const ENTRY_LEVELS = ['debug', 'info', 'warn', 'error'] as const satisfies readonly LogLevel[];

/** Receives log entries, which are masked. */
export interface LogSink {
  (entry: LogEntry): void;
  /** The lowest level that the sink keeps. Entries below it are not made. `silent`: none is kept. Default: all. */
  readonly lowest?: LogLevel | 'silent';
}

/** Returns the HMAC-SHA1 of `text` with `key`, in base64 (RFC 2104). */
export type HmacSha1 = (key: string, text: string) => string;

/** Returns the SHA-256 of `text`, as text. */
export type Sha256 = (text: string) => string;

/**
 * Unpacks an sdp from the wire, within its bounds.
 * @throws CallError `ERR_MALFORMED_DATA` as `unpackSdp` of `src/protocol/sdp-codec.ts`.
 */
export type UnpackSdp = (packed: string) => string;

/** Resolves when every socket of this turn has been read. The changes of one turn then share one write to the store. */
export type EndOfTurn = () => Promise<void>;

/** Posts JSON to a url. Rejects when the url is not allowed, or when the receiver fails. */
export type PostWebhook = (webhook: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}) => Promise<void>;

/** The connection to a device. */
export interface Link {
  send(text: string): void;
  close(code: number, reason: string): void;
}

/**
 * The path of media between the legs of one call. The exchange passes it every session description and candidate that
 * it relays. A path that changes nothing connects the legs directly. A path through proxies can simulate a broken
 * network.
 */
export type MediaLeg = 'caller' | 'callee';

export interface MediaPath {
  /** Returns the session description to relay, sent by `from`. */
  rewriteSdp(sdp: string, from: MediaLeg): string | Promise<string>;
  /** Returns the candidate to relay, sent by `from`. Null drops it. */
  rewriteCandidate(candidate: string, from: MediaLeg): Promise<string | null>;
  /** Disposes of the path when its call ends. */
  dispose(): void;
}
