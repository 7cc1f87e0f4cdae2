import type { Transaction } from 'kysely';
import { type DemoEarning, demoEarnings } from '../../fixtures/demo-earnings.ts';
import { minuteBegins } from '../product/billing/meter.ts';
import { findOffers, offerOf } from '../product/people/call-offers.ts';
import type { ProductParts } from '../product/parts.ts';
import { shareOf, tierOf } from '../product/points/tier.ts';
import { GIFTS, SHARE_RULES } from '../product/rules.ts';
import type { Tables } from '../store/tables/tables.ts';

const MINUTE_MS = 60_000;
/** The last minute of a call is charged when it begins, so the call ends within it. */
const OF_LAST_MINUTE_MS = 24_000;

/** An earning with its price: who paid, who earned, and for what. */
export interface PricedEarning {
  readonly earning: DemoEarning;
  /** The coins of each charge: of a gift, or of each minute. */
  readonly each: number;
  readonly charges: number;
  /** The coins of all charges. `points` is the hundredths of a point that they earn. */
  readonly coins: number;
  readonly points: number;
}

/** Prices the past earnings of these pairs at the women's current prices. */
export async function priceEarnings(
  transaction: Transaction<Tables>,
  pairs: readonly (readonly [string, string])[],
  now: number,
): Promise<PricedEarning[]> {
  const priced: PricedEarning[] = [];
  for (const earning of demoEarnings(pairs)) {
    const [each, charges, percent] =
      earning.type === 'gift'
        ? [giftCoins(earning.gift_id) * earning.count, 1, SHARE_RULES.giftPercent]
        : [
            offerOf(await findOffers(transaction, earning.woman), earning.kind, now).rate,
            earning.minutes,
            (await tierOf(transaction, earning.woman, now)).percent,
          ];
    if (each === 0) continue;
    priced.push({ earning, each, charges, coins: each * charges, points: shareOf(each, percent) * charges });
  }
  return priced;
}

const giftCoins = (giftId: string): number => GIFTS.find(({ gift_id }) => gift_id === giftId)?.coins ?? 0;

/** Writes an earning into the books at its past time. The man must have the coins. */
export async function seedEarning(
  transaction: Transaction<Tables>,
  { charges }: Pick<ProductParts, 'charges'>,
  { earning, each, charges: count, coins }: PricedEarning,
  now: number,
): Promise<void> {
  const { id, man, woman } = earning;
  const started_at = now - earning.minutesAgo * MINUTE_MS;
  const between = { man, woman, coins: each };
  if (earning.type === 'gift') {
    const ref = { gift: earning.gift_id, count: earning.count };
    await charges.take(transaction, { ...between, key: `gift:${id}`, kind: 'gift', at: started_at, ref });
    return;
  }
  let points = 0;
  for (let minute = 1; minute <= count; minute += 1) {
    const charge = { key: `call:${id}:${minute}`, kind: earning.kind, ref: { call: id, minute } };
    points += (await charges.take(transaction, { ...between, ...charge, at: started_at + minuteBegins(minute) })) ?? 0;
  }
  const duration = minuteBegins(count) + OF_LAST_MINUTE_MS;
  await transaction
    .insertInto('ringback_charge_sessions')
    .values({
      session_id: id,
      man,
      woman,
      kind: earning.kind,
      rate: each,
      count,
      coins,
      points,
      started_at,
      duration,
      end_result: 'completed',
      is_open: 0,
      touched_at: started_at + duration,
    })
    .execute();
}
