/** How a call is shown while it runs and when it ends. One implementation a file; the command picks. */
import type { HostEvent } from '../headless/messages.ts';
import type { Requirement } from '../requirements.ts';

export interface Reporter {
  /** Something happened; `ended` is the last of a call. */
  event(event: ShownEvent): void;
  /** The command ends here without a report: told once, after the last event. */
  failed(failure: Failure): void;
  /** Ctrl-C ends the command before any call came to its report: told once, in place of one. */
  interrupted(): void;
}

type Ended = Extract<HostEvent, { type: 'ended' }>;

/** What the peer host reports, and of a call that ended, whether it meets what was asked for. */
export type ShownEvent = Exclude<HostEvent, Ended> | (Ended & { readonly requirements: readonly Requirement[] });

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
