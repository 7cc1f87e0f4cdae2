import type { Points } from '../../../src/protocol/product/points.ts';
import type { Database } from '../../store/database.ts';
import { taipeiDay } from '../calendar.ts';
import { SHARE_RULES } from '../rules.ts';

/** Returns a woman's share of coins in whole hundredths of a point, rounded down. */
export const shareOf = (coins: number, percent: number): number =>
  Math.floor((coins * SHARE_RULES.pointsPerCoin * percent) / 100);

/** Returns a woman's share of the coins of calls and messages in percent, and the distance to the next tier. */
export async function tierOf(db: Database['db'], uId: string, at: number): Promise<Points['tier']> {
  const row = await db
    .selectFrom('ringback_volumes')
    .where('u_id', '=', uId)
    .where('day', '>', taipeiDay(at) - SHARE_RULES.tierDays)
    .select(({ fn }) => fn.sum<number | string | null>('coins').as('coins'))
    .executeTakeFirst();
  const coins = Number(row?.coins ?? 0);
  const present = SHARE_RULES.tiers.findLast(({ from }) => coins >= from) ?? SHARE_RULES.tiers[0];
  const next = SHARE_RULES.tiers.find(({ from }) => from > coins) ?? null;
  return { ...present, coins, days: SHARE_RULES.tierDays, gift_percent: SHARE_RULES.giftPercent, next };
}
