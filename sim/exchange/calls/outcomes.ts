/**
 * The endings of a direct call, as data: which command of which side ends it in which phase, and with what result (§4,
 * D08, D10, D11).
 *
 * The phase is the sender's, not the call's. One leg may already see media while the other does not, and a leg with
 * media ends the call as `completed`.
 */
import type { EndResult, TimeoutReason } from '../../../src/protocol/enumerations.ts';
import type { CommandType } from '../../../src/protocol/messages/commands.ts';
import type { ServerEventType } from '../../../src/protocol/messages/events.ts';

export type Side = 'caller' | 'callee';

/** The phase of a leg: before the accept, accepted without media, or with media. */
export type Phase = 'ringing' | 'setup' | 'connected';

export type EndingCommand = Extract<
  CommandType,
  'cancel' | 'decline' | 'end' | 'timeout' | 'connection_lost' | 'no_answer'
>;

/** The event that notifies the other legs. */
export type EndEvent = Extract<ServerEventType, EndingCommand | 'unknown_end'>;

export interface Ending {
  readonly event: EndEvent;
  readonly result: EndResult;
  /** True when a user chose to end the call. The record names the user. */
  readonly chosen: boolean;
  /**
   * True for a command that came too late and is refused with `ERR_INVALID_CALL_STATUS`. Its sender has left the call,
   * so the call still ends for the other side.
   */
  readonly late?: true;
}

interface Row extends Ending {
  readonly on: EndingCommand;
  readonly reason?: TimeoutReason;
  readonly by: readonly Side[];
  readonly in: readonly Phase[];
}

const BOTH = ['caller', 'callee'] as const;

const ROWS: readonly Row[] = [
  { on: 'cancel', by: ['caller'], in: ['ringing'], event: 'cancel', result: 'canceled', chosen: true },
  // Cancel and accept crossed, and accept came first (D11). The caller has left the call all the same.
  { on: 'cancel', by: ['caller'], in: ['setup'], event: 'end', result: 'not_connected', chosen: true, late: true },
  { on: 'decline', by: ['callee'], in: ['ringing'], event: 'decline', result: 'declined', chosen: true },
  { on: 'no_answer', by: BOTH, in: ['ringing'], event: 'no_answer', result: 'no_answer', chosen: false },
  { on: 'no_answer', by: ['caller'], in: ['setup'], event: 'end', result: 'not_connected', chosen: true, late: true },
  // The accept was lost on the way, and the callee gave up.
  { on: 'end', by: ['callee'], in: ['ringing'], event: 'end', result: 'not_connected', chosen: true },
  { on: 'end', by: BOTH, in: ['setup'], event: 'end', result: 'not_connected', chosen: true },
  { on: 'end', by: BOTH, in: ['connected'], event: 'end', result: 'completed', chosen: true },
  timedOut('accepting_timeout', 'callee', ['ringing', 'setup']),
  timedOut('offering_timeout', 'caller', ['setup']),
  timedOut('answering_timeout', 'callee', ['setup']),
  {
    on: 'connection_lost',
    by: BOTH,
    in: ['connected'],
    event: 'connection_lost',
    result: 'connection_lost',
    chosen: false,
  },
];

function timedOut(reason: TimeoutReason, by: Side, phases: readonly Phase[]): Row {
  return { on: 'timeout', reason, by: [by], in: phases, event: 'timeout', result: 'timed_out', chosen: false };
}

/**
 * Returns how this command of this side ends a call. `not_allowed`: the side may never send it (`ERR_NO_PERMISSION`).
 * `too_late`: it does not fit the phase (`ERR_INVALID_CALL_STATUS`).
 */
export function endingOf(
  on: EndingCommand,
  by: Side,
  phase: Phase,
  reason?: TimeoutReason,
): Ending | 'not_allowed' | 'too_late' {
  const mine = ROWS.filter((row) => row.on === on && row.by.includes(by) && row.reason === reason);
  if (mine.length === 0) return 'not_allowed';
  return mine.find((row) => row.in.includes(phase)) ?? 'too_late';
}

/** The endings by the exchange itself, when no side ends the call. */
export const OWN_ENDINGS = {
  /** The call rang longer than any client allows. */
  notAnswered: { event: 'no_answer', result: 'no_answer', chosen: false },
  /** The call was accepted, and media never began. */
  neverConnected: { event: 'timeout', result: 'timed_out', chosen: false },
  /** The caller was silent while the call rang (D13). */
  callerGone: { event: 'no_answer', result: 'no_answer', chosen: false },
  /** A side was silent after the accept (D13). */
  legGone: { event: 'connection_lost', result: 'connection_lost', chosen: false },
  /** The host of the exchange ends the call. */
  byHost: { event: 'end', result: 'completed', chosen: false },
  /** The exchange stops. */
  stopped: { event: 'unknown_end', result: 'unknown', chosen: false },
} as const satisfies Record<string, Ending>;
