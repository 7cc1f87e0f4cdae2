/** The days an income is asked for, by the calendar of Taipei, as the platform counts them. */

const DAY_MS = 86_400_000;
const TAIPEI_OFFSET_MS = 8 * 3_600_000;
const MOST_DAYS = 366;

export type RangeName = 'today' | 'week' | 'month' | 'custom';
const DAYS = { today: 1, week: 7, month: 30 } as const;

export interface Range {
  /** Milliseconds since the epoch; `to` is past the end. */
  readonly from: number;
  readonly to: number;
}

/** The platform's day of a moment, 2026-11-21. */
export const dayOf = (at: number): string => new Date(at + TAIPEI_OFFSET_MS).toISOString().slice(0, 10);

const begins = (day: string): number => Date.parse(`${day}T00:00:00Z`) - TAIPEI_OFFSET_MS;

/** From the first of so many days to the end of today. The same for all of a day, so that it is asked for once. */
export function lastDays(name: keyof typeof DAYS, now: number): Range {
  const to = begins(dayOf(now)) + DAY_MS;
  return { from: to - DAYS[name] * DAY_MS, to };
}

/** From one day to another, both with it; null where they are none, in the wrong order, or too many. */
export function daysBetween(first: string, last: string): Range | null {
  const range = { from: begins(first), to: begins(last) + DAY_MS };
  const length = (range.to - range.from) / DAY_MS;
  return length >= 1 && length <= MOST_DAYS ? range : null;
}
