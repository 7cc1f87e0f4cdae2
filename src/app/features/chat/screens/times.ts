import { htmlLang } from '../../../core/i18n/locale.ts';
import { getLocale } from '../../../core/i18n/generated/runtime.js';
import { m } from '../../../core/i18n/generated/messages.js';

const DAY_MS = 24 * 3_600_000;

const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(htmlLang[getLocale()], options);

/** Returns the day of a time in the time zone of the device, for comparison. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
}

/** Returns the time of day, for example 14:05. */
export const clockTime = (at: number): string =>
  format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);

/** Returns the time of day for today, the weekday for this week, and the date for earlier times. */
export function rowTime(at: number, now: number): string {
  if (dayOf(at) === dayOf(now)) return clockTime(at);
  if (dayOf(at) === dayOf(now - DAY_MS)) return m.chat_yesterday();
  if (now - at < 6 * DAY_MS) return format({ weekday: 'short' }).format(at);
  return format({ month: 'numeric', day: 'numeric' }).format(at);
}

/** Returns the title between two days. */
export function dayTitle(at: number, now: number): string {
  if (dayOf(at) === dayOf(now)) return m.chat_today();
  if (dayOf(at) === dayOf(now - DAY_MS)) return m.chat_yesterday();
  return format({ year: 'numeric', month: 'long', day: 'numeric', weekday: 'short' }).format(at);
}
