/** The calendar of the platform is that of Taipei, which knows no summer time. */
const OFFSET_MS = 8 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/** When the day of this moment began, milliseconds since the epoch. */
export function dayStart(now: number): number {
  return Math.floor((now + OFFSET_MS) / DAY_MS) * DAY_MS - OFFSET_MS;
}

/** Whether a moment lies in hours of the day, given as minutes; from later to earlier means over midnight. */
export function isWithin(now: number, from: number, to: number): boolean {
  const minute = Math.floor((now - dayStart(now)) / MINUTE_MS);
  return from <= to ? from <= minute && minute < to : minute >= from || minute < to;
}
