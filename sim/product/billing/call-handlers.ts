import { keepAccount } from '../accounts/hold-account.ts';
import { PRICE_TIERS, BONUS_RULES, CALL_RULES, DEPOSIT_RULES, MESSAGE_RULES, SHARE_RULES } from '../rules.ts';
import type { Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import { mayMeet } from '../people/sides.ts';
import { Refusal } from '../refusal.ts';
import type { Quotes } from './quotes.ts';

type Needs = Pick<ProductParts, 'clock' | 'database'>;

/** @param quotes - null when calls are free. */
export function callHandlers(
  { clock, database }: Needs,
  quotes: Quotes | null,
): Handlers<'quoteCall' | 'rateCall' | 'rules'> {
  return {
    async quoteCall({ me, body: { callee, kind } }) {
      if (quotes) return quotes.of(me.uId, callee, kind);
      const isAvailable = callee !== me.uId && (await mayMeet(database, me.uId, callee));
      const reason = isAvailable ? null : ('unavailable' as const);
      return { allowed: isAvailable, reason, rate: 0, max_minutes: null, coins: null, points: null };
    },

    async rateCall({ me, params: { call_id }, body: { stars } }) {
      const call = await database.db
        .selectFrom('ringback_parts as part')
        .innerJoin('ringback_calls as call', 'call.call_id', 'part.call_id')
        .where('part.call_id', '=', call_id)
        .where('part.user_id', '=', me.uId)
        .select('call.started_at')
        .executeTakeFirst();
      // A call of other users gets the same answer as an unknown call.
      if (!call) throw new Refusal('not_found', 'No call of this user has this id.');
      if (call.started_at === null) throw new Refusal('wrong_state', 'The call was never connected.');
      const rating = { stars, at: clock.wallTime() };
      await database.transact(async (transaction) => {
        await keepAccount(database, transaction, me.uId);
        await transaction
          .insertInto('ringback_call_ratings')
          .values({ call_id, u_id: me.uId, ...rating })
          .onConflict((conflict) => conflict.columns(['call_id', 'u_id']).doUpdateSet(rating))
          .execute();
      });
      return {};
    },

    rules: () => ({
      calls: {
        free_seconds: CALL_RULES.freeMs / 1_000,
        hold_seconds: CALL_RULES.holdMs / 1_000,
        grace_seconds: CALL_RULES.graceMs / 1_000,
      },
      messages: MESSAGE_RULES,
      shares: {
        tiers: [...SHARE_RULES.tiers],
        tier_days: SHARE_RULES.tierDays,
        gift_percent: SHARE_RULES.giftPercent,
        settle_seconds: SHARE_RULES.settleMs / 1_000,
      },
      deposits: {
        monthly_limit: DEPOSIT_RULES.monthlyLimit,
        cool_off_seconds: DEPOSIT_RULES.coolOffMs / 1_000,
        first_bonus_percent: DEPOSIT_RULES.firstBonusPercent,
      },
      bonus: { welcome: BONUS_RULES.welcome },
      price_tiers: PRICE_TIERS,
      billing: quotes !== null,
    }),
  };
}
