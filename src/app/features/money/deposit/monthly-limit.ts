import * as v from 'valibot';
import type { Wallet } from '../../../../protocol/product/wallet.ts';
import { formatMoment, formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';

/** What a man may spend on coins a month, and has; and what he will be allowed to, where he has raised it. */
export function limitText({ spent, limit, next_limit, next_limit_at }: Wallet): string {
  const present = m.deposit_limit({ spent: formatNumber(spent), limit: formatNumber(limit) });
  if (next_limit === null || next_limit_at === null) return present;
  return `${present}${m.deposit_limit_next({ at: formatMoment(next_limit_at), limit: formatNumber(next_limit) })}`;
}

/** A limit somebody sets for themselves: nothing at all, or up to what the platform allows. */
export const limitSchema = (most: number) =>
  v.object({
    limit: v.pipe(
      v.nullable(v.number()),
      v.check(
        (limit) => limit !== null && Number.isSafeInteger(limit) && limit >= 0 && limit <= most,
        () => m.deposit_limit_wrong({ most: formatNumber(most) }),
      ),
      v.transform((limit) => limit ?? 0),
    ),
  });
