/** The days of an income query, in the time zone of Taipei, by which the platform counts days. */

const DAY_MS = 86_400_000;
const TAIPEI_OFFSET_MS = 8 * 3_600_000;
const MOST_DAYS = 366;

export type RangeName = 'today' | 'week' | 'month' | 'custom';
const DAYS = { today: 1, week: 7, month: 30 } as const;

export interface Range {
  /** Milliseconds since the epoch. `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Returns the platform's day of a time, for example 2026-11-21. */
export const dayOf = (at: number): string => new Date(at + TAIPEI_OFFSET_MS).toISOString().slice(0, 10);

const begins = (day: string): number => Date.parse(`${day}T00:00:00Z`) - TAIPEI_OFFSET_MS;

/** Returns the last days including today. The range is constant during a day, so that its query is sent once. */
export function lastDays(name: keyof typeof DAYS, now: number): Range {
  const to = begins(dayOf(now)) + DAY_MS;
  return { from: to - DAYS[name] * DAY_MS, to };
}

/** Returns the range of two days, both inclusive. Returns null for invalid days, a wrong order or too many days. */
export function daysBetween(first: string, last: string): Range | null {
  const range = { from: begins(first), to: begins(last) + DAY_MS };
  const length = (range.to - range.from) / DAY_MS;
  return length >= 1 && length <= MOST_DAYS ? range : null;
}
