import { dayOf } from '../income-details/range.ts';

/** Months by the calendar of Taipei, as the platform counts days: 2026-11. */

/** How many are offered. */
const OFFERED = 12;

/** The month an address is about; null where it names none. */
export function readMonth(search: URLSearchParams): string | null {
  const month = search.get('month') ?? '';
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? month : null;
}

/** The first and the last day of a month. */
export function daysOf(month: string): { readonly from: string; readonly to: string } {
  return { from: `${month}-01`, to: new Date(shifted(month, 1) - 1).toISOString().slice(0, 10) };
}

/** A moment that is of this month wherever somebody is. */
export const middleOf = (month: string): number => Date.parse(`${month}-15`);

/** The months to choose from, this one first. One that was chosen already is among them, however long ago it was. */
export function monthsUntil(now: number, chosen: string | null): readonly string[] {
  const present = dayOf(now).slice(0, 7);
  const months = Array.from({ length: OFFERED }, (_, back) =>
    new Date(shifted(present, -back)).toISOString().slice(0, 7),
  );
  return chosen === null || months.includes(chosen) ? months : [...months, chosen];
}

/** When a month so many after it begins. */
function shifted(month: string, by: number): number {
  return new Date(month).setUTCMonth(Number(month.slice(5)) - 1 + by);
}
