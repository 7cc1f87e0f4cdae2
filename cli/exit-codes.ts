/** What the exit code of `ringback` says. The table is part of the interface: scripts rely on it. */
import type { EndResult } from '../src/protocol/enumerations.ts';

export const EXIT = {
  ok: 0,
  /** A call ended as completed though something else was expected, or a scenario failed. */
  failed: 1,
  /** Wrong words on the command line, or a user or token the exchange does not take. */
  usage: 2,
  /** A scenario file is not valid. */
  invalid: 3,
  /** What the command needs is missing: a free port, the exchange, the media engine. */
  environment: 4,
  /** Not every scenario was run. */
  incomplete: 5,
  /** A call ended as expected, and does not meet what --require, --min-mos or --max-setup ask for. */
  unmet: 6,
  /** Two equal runs differ. */
  unsteady: 7,
  /** No scenario failed, but in one the runner was too late for a verdict: the machine was too slow. */
  inconclusive: 9,
  /** The peer host died in a call: how that ended nobody knows. */
  crashed: 29,
  /** A fault of ringback itself. */
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
 * 0 for a call that ended as expected and meets what was asked for. How a call ended goes before what it was like: one that
 * ended otherwise has the code of its result, whatever it does not meet.
 */
export function exitCodeOf(result: EndResult, expected: EndResult, isMet: boolean): number {
  if (result !== expected) return RESULT_CODES[result];
  return isMet ? EXIT.ok : EXIT.unmet;
}
