import { DAY_MS, TAIPEI_OFFSET_MS } from '../rules.ts';

/** The days and months of the platform, by the calendar of Taipei. */

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
