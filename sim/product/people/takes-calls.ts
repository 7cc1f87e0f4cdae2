import type { Selectable } from 'kysely';
import type { Tables } from '../../store/tables/tables.ts';
import { isWithin } from './taipei-time.ts';

type Hours = Pick<Selectable<Tables['ringback_profiles']>, 'resting' | 'quiet_from' | 'quiet_to'>;

/** Returns whether a user takes calls now: the user neither rests nor has quiet hours. */
export function takesCalls({ resting, quiet_from, quiet_to }: Hours, now: number): boolean {
  const isQuiet = quiet_from !== null && quiet_to !== null && isWithin(now, quiet_from, quiet_to);
  return resting === 0 && !isQuiet;
}
