/** The results that the two sides of one call may have together (I9). */
import type { DirectCallEndResult } from '../../../src/calls/direct-call/direct-call-log.ts';

/** A result in the names of the library. A callee that never rang has none. */
export type LegResult = DirectCallEndResult | 'NONE';

/**
 * The results of the callee that fit each result of the caller, when messages are lost and channels break. A side that
 * lost its channel ends the call by its own timers, so the sides may state different reasons. A callee that accepted may
 * lose the call by the silence of the caller (D13). A call that one side completed was not declined, canceled or
 * unanswered on the other.
 */
const FITTING: Readonly<Record<DirectCallEndResult, readonly LegResult[]>> = {
  COMPLETED: ['COMPLETED', 'CONNECTION_LOST', 'NOT_CONNECTED', 'TIMED_OUT'],
  CONNECTION_LOST: ['CONNECTION_LOST', 'COMPLETED', 'NOT_CONNECTED', 'TIMED_OUT'],
  CANCELED: ['CANCELED', 'NONE', 'NO_ANSWER', 'NOT_CONNECTED', 'ACCEPT_FAILED', 'TIMED_OUT', 'CONNECTION_LOST'],
  DECLINED: ['DECLINED', 'CANCELED'],
  NO_ANSWER: [
    'NO_ANSWER',
    'NONE',
    'CANCELED',
    'ACCEPT_FAILED',
    'DECLINED',
    'NOT_CONNECTED',
    'TIMED_OUT',
    'CONNECTION_LOST',
  ],
  TIMED_OUT: ['TIMED_OUT', 'NOT_CONNECTED', 'ACCEPT_FAILED', 'NONE', 'NO_ANSWER', 'CANCELED', 'CONNECTION_LOST'],
  NOT_CONNECTED: ['NOT_CONNECTED', 'TIMED_OUT', 'ACCEPT_FAILED', 'CONNECTION_LOST'],
  DIAL_FAILED: [
    'NONE',
    'CANCELED',
    'NO_ANSWER',
    'DECLINED',
    'TIMED_OUT',
    'NOT_CONNECTED',
    'ACCEPT_FAILED',
    'CONNECTION_LOST',
  ],
  ACCEPT_FAILED: [],
  OTHER_DEVICE_ACCEPTED: [],
  UNKNOWN: [],
};

/** Returns whether the results of the two sides of a call fit each other. */
export const fits = (caller: DirectCallEndResult, callee: LegResult): boolean => FITTING[caller].includes(callee);
