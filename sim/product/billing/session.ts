import type { Timer } from '../../../src/common/clock.ts';
import { CALL_RULES } from '../rules.ts';
import type { BilledCall } from './reservations.ts';
import type { OpenPage } from './call-books.ts';
import { Meter, minuteBegins } from './meter.ts';

/** A billed call while it lasts. */
export interface Session extends BilledCall {
  /** The start of media by the monotonic clock. Every other time of the session counts from it. */
  readonly began: number;
  readonly meter: Meter;
  /** Minutes that were charged. */
  minutes: number;
  /** Hundredths of a point earned so far. */
  points: number;
  /** Hundredths of a point earned by the last minute. */
  lastPoints: number;
  /** The timer for the next minute, or for the end of the grace period. Null without one. */
  timer: Timer | null;
  /** Since when a minute could not be paid. Null while the call is paid. */
  unpaidSince: number | null;
  /** The queue of work on the call, one after the other. */
  work: Promise<void>;
  isOver: boolean;
  /** False after a restart until both sides have reconnected. Nothing is charged meanwhile. */
  isBack: boolean;
}

/**
 * Creates the session of a call that goes on, from its page in the books.
 *
 * @param began - the start of media by the monotonic clock.
 */
export function resumedSession(page: OpenPage, began: number): Session {
  const { minutes, points, lastPoints, unpaidSince } = page;
  return { ...newSession(page, began, new Meter(page.meter)), minutes, points, lastPoints, unpaidSince };
}

/** Creates the session of a call without charges so far. */
export const newSession = (
  { callId, man, woman, kind, rate }: BilledCall,
  began: number,
  meter = new Meter(),
): Session => ({
  callId,
  man,
  woman,
  kind,
  rate,
  began,
  meter,
  minutes: 0,
  points: 0,
  lastPoints: 0,
  timer: null,
  unpaidSince: null,
  work: Promise.resolve(),
  isOver: false,
  isBack: true,
});

/**
 * Returns when the call ends for want of coins, counted from the start of media. Null when the coins suffice for the
 * next minute. Where it can be foreseen, the end is known before that minute begins.
 */
export function endOf({ isOver, unpaidSince, meter, minutes, rate }: Session, coins: number): number | null {
  if (unpaidSince !== null) return unpaidSince + CALL_RULES.graceMs;
  if (isOver) return null;
  const next = coins < rate ? meter.reaches(minuteBegins(minutes + 1)) : null;
  return next === null || minutes === 0 ? null : next + CALL_RULES.graceMs;
}
