/** How a call is shown while it runs and when it ends. One implementation a file; the command picks. */
import type { HostEvent } from '../headless/messages.ts';

export interface Reporter {
  /** Something happened; `ended` is the last of a call. */
  event(event: HostEvent): void;
  /** The command ends here without a report: told once, after the last event. */
  failed(failure: Failure): void;
  /** Ctrl-C ends the command before any call came to its report: told once, in place of one. */
  interrupted(): void;
}

export interface Failure {
  readonly message: string;
  readonly code?: number | undefined;
  readonly name?: string | undefined;
}

/** Where text goes: results to `out`, hints and errors to `err`. */
export interface Output {
  readonly out: OutputStream;
  readonly err: OutputStream;
}

export interface OutputStream {
  write(text: string): void;
  readonly isTTY?: boolean;
  readonly columns?: number;
}
