/** What the exchange needs of the outside world. The core has no sockets, reads no time and makes no randomness itself. */

export interface TimerHandle {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since some moment of this process. It is never set, so lengths are measured by it. */
  monotonic(): number;
  /** Runs `run` once after `ms` milliseconds. Timers due at the same instant fire in the order they were started (D01). */
  setTimeout(run: () => void, ms: number): TimerHandle;
  /** Stops a timer; stopping it again does nothing. */
  clearTimeout(handle: TimerHandle): void;
}

export interface Ids {
  /** Creates a unique identifier that cannot be guessed, for calls and messages (S22). */
  uuid(): string;
  /** A secret of at least 128 bits from a secure source: sessions, short-lived tokens (S08). */
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

/** Takes log entries, already masked. */
export type LogSink = (entry: LogEntry) => void;

/** HMAC-SHA1 of `text` with `key`, in base64 (RFC 2104). */
export type HmacSha1 = (key: string, text: string) => string;

/** SHA-256 of `text`, as text. */
export type Sha256 = (text: string) => string;

/** Posts JSON to a url. Rejects where it may not go there, or it is not taken there. */
export type PostWebhook = (webhook: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}) => Promise<void>;

/** The way back to a connected device. */
export interface Link {
  send(text: string): void;
  close(code: number, reason: string): void;
}
