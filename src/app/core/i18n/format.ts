/** Formats numbers, times and durations in the current language. */
import { type Locale, getLocale } from './generated/runtime.js';
import { htmlLang } from './locale.ts';

const numbers = inEachLocale((tag) => new Intl.NumberFormat(tag));
const ago = inEachLocale((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));
const days = inEachLocale((tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'long' }));
const dates = inEachLocale((tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }));
const shortDays = inEachLocale(
  (tag) => new Intl.DateTimeFormat(tag, { month: 'numeric', day: 'numeric', timeZone: 'UTC' }),
);
const months = inEachLocale((tag) => new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'long' }));
const moments = inEachLocale(
  (tag) =>
    new Intl.DateTimeFormat(tag, {
      month: 'numeric',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
);

/** Returns a number with the separators of the language. */
export function formatNumber(value: number): string {
  return numbers().format(value);
}

const units = [
  ['day', 24 * 60 * 60 * 1000],
  ['hour', 60 * 60 * 1000],
  ['minute', 60 * 1000],
] as const;

/**
 * Returns how long ago a time was: "3 minutes ago". Less than a minute is "0 minutes", which English shows as "this
 * minute".
 */
export function formatAgo(then: number, now: number): string {
  const passed = Math.max(0, now - then);
  const [unit, length] = units.find(([, unitMs]) => passed >= unitMs) ?? units[2];
  return ago().format(-Math.floor(passed / length), unit);
}

/** Returns a day: 2026年11月21日. */
export function formatDay(time: number): string {
  return days().format(time);
}

/** Returns a duration in seconds, as telephones show it: 00:07, 12:34, 1:02:03. */
export function formatDuration(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${two(minutes)}:${two(seconds % 60)}`;
}

/** Returns a calendar day, given as 2026-11-16, with the name of its month. */
export function formatDate(day: string): string {
  return dates().format(new Date(day));
}

/** Returns a time of the current year, to the minute: 11/22 14:05. */
export function formatMoment(at: number): string {
  return moments().format(at);
}

/** Returns a calendar day, given as 2026-11-16, in short form: 11/16. */
export function formatShortDay(day: string): string {
  return shortDays().format(new Date(day));
}

/** Returns a month: January 2026. */
export function formatMonth(at: number): string {
  return months().format(at);
}

/** Creates a format once for each language. A format is expensive to create, and a list shows hundreds of numbers. */
function inEachLocale<Format>(make: (tag: string) => Format): () => Format {
  const made = new Map<Locale, Format>();
  return () => {
    const locale = getLocale();
    const present = made.get(locale) ?? make(htmlLang[locale]);
    made.set(locale, present);
    return present;
  };
}

/** Converts hundredths of a point to the whole points that are shown, rounded toward zero. */
export const wholePoints = (hundredths: number): number => Math.trunc(hundredths / 100) + 0;
