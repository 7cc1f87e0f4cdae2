/** The calendar of the platform is that of Taipei, which has no daylight saving time. */
const OFFSET_MS = 8 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/** Returns the start of the day of a moment. Milliseconds since the epoch. */
export function dayStart(now: number): number {
  return Math.floor((now + OFFSET_MS) / DAY_MS) * DAY_MS - OFFSET_MS;
}

/** Returns whether a moment is within hours of the day. Hours are minutes of the day, and may cross midnight. */
export function isWithin(now: number, from: number, to: number): boolean {
  const minute = Math.floor((now - dayStart(now)) / MINUTE_MS);
  return from <= to ? from <= minute && minute < to : minute >= from || minute < to;
}
