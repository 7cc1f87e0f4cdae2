/**
 * The days, hours and months of the platform by the calendar of Taipei, which has no daylight saving time, and ages by
 * the calendar of UTC.
 */
import { DAY_MS, TAIPEI_OFFSET_MS } from './rules.ts';

const MINUTE_MS = 60_000;

/** Returns the day of a moment as days since the epoch. */
export const taipeiDay = (at: number): number => Math.floor((at + TAIPEI_OFFSET_MS) / DAY_MS);

/** Returns when a day, YYYY-MM-DD, begins. */
export const dayBegins = (day: string): number => Date.parse(`${day}T00:00:00Z`) - TAIPEI_OFFSET_MS;

/** Returns when a day, YYYY-MM-DD, ends. */
export const dayEnds = (day: string): number => dayBegins(day) + DAY_MS;

/** Returns the month of a moment, YYYY-MM. */
export const monthOf = (at: number): string => new Date(at + TAIPEI_OFFSET_MS).toISOString().slice(0, 7);

/** Returns when a month, YYYY-MM, begins, and when the next one begins. */
export function monthSpan(month: string): { readonly from: number; readonly to: number } {
  const from = new Date(`${month}-01T00:00:00Z`);
  const to = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1);
  return { from: from.getTime() - TAIPEI_OFFSET_MS, to: to - TAIPEI_OFFSET_MS };
}

/** Returns the start of the day of a moment. Milliseconds since the epoch. */
export const dayStart = (now: number): number => taipeiDay(now) * DAY_MS - TAIPEI_OFFSET_MS;

/** Returns whether a moment is within hours of the day. Hours are minutes of the day, and may cross midnight. */
export function isWithin(now: number, from: number, to: number): boolean {
  const minute = Math.floor((now - dayStart(now)) / MINUTE_MS);
  return from <= to ? from <= minute && minute < to : minute >= from || minute < to;
}

/** Returns the age in full years at a moment, for a birthday YYYY-MM-DD, by the calendar of UTC. */
export function ageAt(birthday: string, now: number): number {
  const born = new Date(`${birthday}T00:00:00Z`);
  const then = new Date(now);
  const years = then.getUTCFullYear() - born.getUTCFullYear();
  const isBefore =
    then.getUTCMonth() < born.getUTCMonth() ||
    (then.getUTCMonth() === born.getUTCMonth() && then.getUTCDate() < born.getUTCDate());
  return isBefore ? years - 1 : years;
}
