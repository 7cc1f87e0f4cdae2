import type { TimerHandle } from '../../exchange/ports.ts';
import { CALL_RULES } from '../rules.ts';
import type { BilledCall } from './billed-call.ts';
import type { OpenPage } from './call-books.ts';
import { Meter, minuteBegins } from './meter.ts';

/** A call that is billed, while it lasts. */
export interface Session extends BilledCall {
  /** When media began, by the monotonic clock: every other time of the session counts from here. */
  readonly began: number;
  readonly meter: Meter;
  /** Minutes that were charged. */
  minutes: number;
  /** Hundredths of a point earned so far, and by the last minute. */
  points: number;
  lastPoints: number;
  /** Waits for the next minute, or for the end of the grace. */
  timer: TimerHandle | null;
  /** Since when a minute could not be paid; null while the call is paid. */
  unpaidSince: number | null;
  /** What is done about the call, one after the other. */
  work: Promise<void>;
  isOver: boolean;
  /** False after a restart until both sides have been heard of: nothing is charged meanwhile. */
  isBack: boolean;
}

/**
 * Makes the session of a call that goes on from what the books say of it.
 *
 * @param began - when media began, by the monotonic clock.
 */
export function resumedSession(page: OpenPage, began: number): Session {
  const { minutes, points, lastPoints, unpaidSince } = page;
  return { ...newSession(page, began, new Meter(page.meter)), minutes, points, lastPoints, unpaidSince };
}

/** Makes the session of a call of which nothing has been charged yet. */
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
 * Says when the call is ended for want of coins, counted from when media began; null where there are some for the minute after
 * this one. It says so before that minute begins, as far as it can be foreseen.
 */
export function endOf({ isOver, unpaidSince, meter, minutes, rate }: Session, coins: number): number | null {
  if (unpaidSince !== null) return unpaidSince + CALL_RULES.graceMs;
  if (isOver) return null;
  const next = coins < rate ? meter.reaches(minuteBegins(minutes + 1)) : null;
  return next === null || minutes === 0 ? null : next + CALL_RULES.graceMs;
}
