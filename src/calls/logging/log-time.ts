const two = (value: number) => String(value).padStart(2, '0');

/**
 * Formats a time for logs (§9): year.month.day hour:minute:second:millisecond, in UTC so that logs of two sides
 * compare.
 *
 * @param ms - milliseconds since the epoch.
 */
export function formatLogTime(ms: number): string {
  const at = new Date(ms);
  const day = [at.getUTCFullYear(), two(at.getUTCMonth() + 1), two(at.getUTCDate())].join('.');
  const time = [two(at.getUTCHours()), two(at.getUTCMinutes()), two(at.getUTCSeconds())].join(':');
  return `${day} ${time}:${String(at.getUTCMilliseconds()).padStart(3, '0')}`;
}
