/** The names of what a run measures. */

/** The measured times, with what each one spans. */
export const TIMES_MEASURED = {
  'dial-to-ring': 'from the moment the dial was due until the callee rings',
  'dial-to-accept': 'from the moment the dial was due until the caller has the accept',
  'accept-to-connected': 'from the accept of the callee until the caller has the connected report of the callee',
  'end-to-ended': 'from the command that ends the call until the other side has the end',
  'dial-lag': 'from the moment the dial was due until it was sent: the lateness of the load generator',
} as const;

export type TimeName = keyof typeof TIMES_MEASURED;
export const TIME_NAMES = Object.keys(TIMES_MEASURED) as readonly TimeName[];

/** How a call ended. */
export const OUTCOMES = {
  completed: 'the caller ended the connected call',
  declined: 'the callee declined, as the mix says',
  canceled: 'the caller canceled, as the mix says',
  interrupted: 'Ctrl-C ended the call early',
  refused: 'the server refused a command of the call',
  lost: 'the server ended the call, or closed a channel of it',
  stuck: 'the next step of the call did not come within --call-timeout',
  unheard: 'the tone, or the picture, of a side did not arrive at the other',
  unsent: 'no pair of users became free in time, so the dial was never sent',
} as const;

export type Outcome = keyof typeof OUTCOMES;

/** The outcomes that are failures. */
export const FAILURES = ['refused', 'lost', 'stuck', 'unheard', 'unsent'] as const satisfies readonly Outcome[];

/** What the generator reports. Moments are milliseconds since the begin of the run. */
export interface LoadSink {
  /** A call was dialled. It has waited when no pair of users was free at the moment when it was due. */
  dialled(at: number, hasWaited: boolean): void;
  measured(name: TimeName, at: number, ms: number): void;
  /** A dialled call is over, or a dial was never sent. The detail is a code or a step. */
  finished(outcome: Outcome, at: number, detail?: string): void;
}
