/** Returns the age in full years at a moment, for a birthday YYYY-MM-DD, by the calendar of UTC. */
export function ageAt(birthday: string, now: number): number {
  const born = new Date(`${birthday}T00:00:00Z`);
  const then = new Date(now);
  const years = then.getUTCFullYear() - born.getUTCFullYear();
  const isBefore =
    then.getUTCMonth() < born.getUTCMonth() ||
    (then.getUTCMonth() === born.getUTCMonth() && then.getUTCDate() < born.getUTCDate());
  return isBefore ? years - 1 : years;
}
