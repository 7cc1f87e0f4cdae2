import { type Locale, getLocale } from './generated/runtime.js';
import { htmlLang } from './locale.ts';

/** Numbers, times and durations in the present language. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat(tag()).format(value);
}

const units = [
  ['day', 24 * 60 * 60 * 1000],
  ['hour', 60 * 60 * 1000],
  ['minute', 60 * 1000],
] as const;

/** "3 minutes ago"; less than a minute is "0 minutes", which the language turns into "this minute". */
export function formatAgo(then: number, now: number): string {
  const passed = Math.max(0, now - then);
  const [unit, length] = units.find(([, unitMs]) => passed >= unitMs) ?? units[2];
  const format = new Intl.RelativeTimeFormat(tag(), { numeric: 'auto' });
  return format.format(-Math.floor(passed / length), unit);
}

/** A running time, as telephones show it: 0:07, 12:34, 1:02:03. */
export function formatDuration(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${two(minutes)}:${two(seconds % 60)}`;
}

function tag(): string {
  const locale: Locale = getLocale();
  return htmlLang[locale];
}
