const ADULT_YEARS = 18;

/** Returns the latest birthday, as `2008-11-21`, of a user who is eighteen today. */
export function lastAdultBirthday(now: number): string {
  const date = new Date(now);
  const year = String(date.getFullYear() - ADULT_YEARS);
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const two = (value: number): string => String(value).padStart(2, '0');
