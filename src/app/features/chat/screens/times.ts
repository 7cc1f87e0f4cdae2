import { htmlLang } from '../../../core/i18n/locale.ts';
import { getLocale } from '../../../core/i18n/generated/runtime.js';
import { m } from '../../../core/i18n/generated/messages.js';

const DAY_MS = 24 * 3_600_000;

const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(htmlLang[getLocale()], options);

/** The day of a moment by the reader's clock, to compare days by. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
}

/** 14:05. */
export const clockTime = (at: number): string =>
  format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);

/** Today's by the clock, this week's by the day, older ones by the date. */
export function rowTime(at: number, now: number): string {
  if (dayOf(at) === dayOf(now)) return clockTime(at);
  if (dayOf(at) === dayOf(now - DAY_MS)) return m.chat_yesterday();
  if (now - at < 6 * DAY_MS) return format({ weekday: 'short' }).format(at);
  return format({ month: 'numeric', day: 'numeric' }).format(at);
}

/** What stands between two days. */
export function dayTitle(at: number, now: number): string {
  if (dayOf(at) === dayOf(now)) return m.chat_today();
  if (dayOf(at) === dayOf(now - DAY_MS)) return m.chat_yesterday();
  return format({ year: 'numeric', month: 'long', day: 'numeric', weekday: 'short' }).format(at);
}
