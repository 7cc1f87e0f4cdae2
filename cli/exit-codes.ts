/** The exit codes of `ringback`. The table is part of the interface, because scripts rely on it. */
import type { EndResult } from '../src/protocol/enumerations.ts';

export const EXIT = {
  ok: 0,
  /** A call completed although another result was expected, or a scenario failed. */
  failed: 1,
  /** The command line is wrong, or the exchange refused the user or the token. */
  usage: 2,
  /** A scenario file is not valid. */
  invalid: 3,
  /** A requirement of the command is missing: a free port, the exchange, the media engine. */
  environment: 4,
  /** Not every scenario was run. */
  incomplete: 5,
  /** A call ended as expected, but does not meet --require, --min-mos or --max-setup; or a threshold of a load does not hold. */
  unmet: 6,
  /** Two equal runs differ. */
  unsteady: 7,
  /** No scenario failed, but one was inconclusive: the machine was too slow for the runner. */
  inconclusive: 9,
  /** The peer host crashed during a call, so the result of the call is unknown. */
  crashed: 29,
  /** An internal fault of ringback. */
  internal: 70,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const;

const RESULT_CODES: Readonly<Record<EndResult, number>> = {
  completed: EXIT.failed,
  no_answer: 20,
  canceled: 21,
  declined: 22,
  other_device_accepted: 23,
  connection_lost: 24,
  timed_out: 25,
  dial_failed: 26,
  accept_failed: 27,
  not_connected: 28,
  unknown: 29,
};

/**
 * Returns 0 for a call that ended as expected and meets its requirements. The result of the call comes first: an
 * unexpected
 * result sets the exit code, also when a requirement is not met.
 */
export function exitCodeOf(result: EndResult, expected: EndResult, isMet: boolean): number {
  if (result !== expected) return RESULT_CODES[result];
  return isMet ? EXIT.ok : EXIT.unmet;
}

/** The outcome of a run of scenarios. */
interface RunOutcome {
  readonly passed: number;
  readonly failed: number;
  readonly inconclusive: number;
  readonly complete: boolean;
  /** The cases of which two equal runs differ. */
  readonly unsteady: readonly unknown[];
}

/**
 * Returns the exit code of a run: 0 only when every selected scenario was run and holds. An empty run proves nothing.
 */
export function suiteExitCode(
  { passed, failed, inconclusive, complete, unsteady }: RunOutcome,
  interrupted: boolean,
): number {
  if (interrupted) return EXIT.interrupted;
  if (unsteady.length > 0) return EXIT.unsteady;
  if (failed > 0) return EXIT.failed;
  if (inconclusive > 0) return EXIT.inconclusive;
  return complete && passed > 0 ? EXIT.ok : EXIT.incomplete;
}
