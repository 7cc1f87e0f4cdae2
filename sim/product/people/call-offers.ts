import type { Selectable } from 'kysely';
import type { Tables } from '../../store/tables/tables.ts';
import { isWithin } from '../calendar.ts';
import type { CallKind } from '../../../src/protocol/product/calls.ts';
import type { Database } from '../../store/database.ts';

type Hours = Pick<Selectable<Tables['ringback_profiles']>, 'resting' | 'quiet_from' | 'quiet_to'>;

/** Returns whether a user takes calls now: the user neither rests nor has quiet hours. */
export function takesCalls({ resting, quiet_from, quiet_to }: Hours, now: number): boolean {
  const isQuiet = quiet_from !== null && quiet_to !== null && isWithin(now, quiet_from, quiet_to);
  return resting === 0 && !isQuiet;
}

/** The columns of a profile with the calls that its user offers. */
export const OFFER_COLUMNS = [
  'price',
  'voice_price',
  'accepts_video',
  'accepts_voice',
  'resting',
  'quiet_from',
  'quiet_to',
] as const satisfies readonly (keyof Tables['ringback_profiles'])[];

/** The calls that a woman offers. */
export type Offers = Pick<Selectable<Tables['ringback_profiles']>, (typeof OFFER_COLUMNS)[number]>;

/** A woman's price of one kind of call in coins a minute, and whether she takes such calls now. */
interface Offer {
  readonly rate: number;
  readonly accepts: boolean;
}

/** Returns the offer of one kind of call. Null offers are those of a woman without a profile. */
export function offerOf(offers: Offers | null, kind: CallKind, now: number): Offer {
  if (!offers) return { rate: 0, accepts: false };
  const isFree = takesCalls(offers, now);
  if (kind === 'video') return { rate: offers.price, accepts: isFree && offers.accepts_video !== 0 };
  return { rate: offers.voice_price, accepts: isFree && offers.accepts_voice !== 0 };
}

/** Finds the calls that a woman offers. Null without her profile. */
export async function findOffers(db: Database['db'], woman: string): Promise<Offers | null> {
  const query = db.selectFrom('ringback_profiles').where('u_id', '=', woman).select(OFFER_COLUMNS);
  return (await query.executeTakeFirst()) ?? null;
}
