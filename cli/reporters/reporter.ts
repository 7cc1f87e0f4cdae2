/** The interface of a reporter, which shows a call while it runs and when it ends. The command selects one. */
import type { HostEvent } from '../headless/messages.ts';
import type { WaitReason } from '../explain-wait.ts';
import type { Requirement } from '../requirements.ts';

export interface Reporter {
  /** Shows an event. `ended` is the last one of a call. */
  event(event: ShownEvent): void;
  /** Shows a failure that ends the command without a report. Called once, after the last event. */
  failed(failure: Failure): void;
  /** Shows that Ctrl-C ended the command before the first report. Called once, instead of a report. */
  interrupted(): void;
}

type Ended = Extract<HostEvent, { type: 'ended' }>;

type Unreached = Extract<HostEvent, { type: 'unreached' }>;

/**
 * The event of the peer host. For an ended call, also the requirements and whether they are met. For a callee without a
 * ringing device, also what the exchange knows of the callee.
 */
export type ShownEvent =
  | Exclude<HostEvent, Ended | Unreached>
  | (Ended & { readonly requirements: readonly Requirement[] })
  | (Unreached & { readonly reason: WaitReason | null });

export interface Failure {
  readonly message: string;
  readonly code?: number | undefined;
  readonly name?: string | undefined;
}

/** The streams of the output: results go to `out`, hints and errors to `err`. */
export interface Output {
  readonly out: OutputStream;
  readonly err: OutputStream;
}

export interface OutputStream {
  write(text: string): void;
  readonly isTTY?: boolean;
  readonly columns?: number;
}
