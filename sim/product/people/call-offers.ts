import type { Selectable } from 'kysely';
import type { Tables } from '../../store/tables/tables.ts';
import { isWithin } from '../calendar.ts';
import type { CallKind } from '../../../src/protocol/product/calls.ts';
import type { Database } from '../../store/database.ts';
import { statement } from '../../store/statement.ts';

type Hours = Pick<Selectable<Tables['ringback_profiles']>, 'resting' | 'quiet_from' | 'quiet_to'>;

/** Returns whether a user takes calls now: the user neither rests nor has quiet hours. */
export function takesCalls({ resting, quiet_from, quiet_to }: Hours, now: number): boolean {
  const isQuiet = quiet_from !== null && quiet_to !== null && isWithin(now, quiet_from, quiet_to);
  return resting === 0 && !isQuiet;
}

const find = statement((db, { woman }: { woman: string }) =>
  db
    .selectFrom('ringback_profiles')
    .where('u_id', '=', woman)
    .select(['price', 'voice_price', 'accepts_video', 'accepts_voice', 'resting', 'quiet_from', 'quiet_to']),
);

/** Returns a woman's price of one kind of call in coins a minute, and whether she takes such calls now. */
export async function offerOf(
  db: Database['db'],
  woman: string,
  kind: CallKind,
  now: number,
): Promise<{ readonly rate: number; readonly accepts: boolean }> {
  const [row] = await find(db, { woman });
  if (!row) return { rate: 0, accepts: false };
  const isFree = takesCalls(row, now);
  if (kind === 'video') return { rate: row.price, accepts: isFree && row.accepts_video !== 0 };
  return { rate: row.voice_price, accepts: isFree && row.accepts_voice !== 0 };
}
