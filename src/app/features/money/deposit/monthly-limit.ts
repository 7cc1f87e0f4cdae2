import * as v from 'valibot';
import type { Wallet } from '../../../../protocol/product/wallet.ts';
import { formatMoment, formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';

/** Returns the spending of this month, the limit, and the next limit if the man has raised it. */
export function limitText({ spent, limit, next_limit, next_limit_at }: Wallet): string {
  const present = m.deposit_limit({ spent: formatNumber(spent), limit: formatNumber(limit) });
  if (next_limit === null || next_limit_at === null) return present;
  return `${present}${m.deposit_limit_next({ at: formatMoment(next_limit_at), limit: formatNumber(next_limit) })}`;
}

/** Creates the schema of a monthly limit: 0 up to the maximum of the platform. */
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
