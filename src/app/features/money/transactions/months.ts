import { dayOf } from '../income-details/range.ts';

/** Months such as 2026-11 in the time zone of Taipei, by which the platform counts days. */

/** The number of months to choose from. */
const OFFERED = 12;

/** Returns the month in the query of an address. Returns null without a valid month. */
export function readMonth(search: URLSearchParams): string | null {
  const month = search.get('month') ?? '';
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? month : null;
}

/** Returns the first and the last day of a month. */
export function daysOf(month: string): { readonly from: string; readonly to: string } {
  return { from: `${month}-01`, to: new Date(shifted(month, 1) - 1).toISOString().slice(0, 10) };
}

/** Returns a time that is in this month in every time zone. */
export const middleOf = (month: string): number => Date.parse(`${month}-15`);

/** Returns the months to choose from, latest first. An already chosen month is included, even if it is older. */
export function monthsUntil(now: number, chosen: string | null): readonly string[] {
  const present = dayOf(now).slice(0, 7);
  const months = Array.from({ length: OFFERED }, (_, back) =>
    new Date(shifted(present, -back)).toISOString().slice(0, 7),
  );
  return chosen === null || months.includes(chosen) ? months : [...months, chosen];
}

/** Returns the start of the month that is `by` months later. */
function shifted(month: string, by: number): number {
  return new Date(month).setUTCMonth(Number(month.slice(5)) - 1 + by);
}
