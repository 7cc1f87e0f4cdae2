import type { Points } from '../../../../protocol/product/points.ts';
import { wholePoints } from '../../../core/i18n/format.ts';

/** Returns whether points can be redeemed now, or the reason why not. */
export function mayRedeem({
  available,
  redeeming,
}: Points): 'yes' | 'missing' | 'new_contact' | 'open' | 'today' | 'few' {
  const { missing } = redeeming;
  if (missing.length > 0) return missing.every((one) => one === 'older_contact') ? 'new_contact' : 'missing';
  if (redeeming.open) return 'open';
  if (redeeming.left_today < redeeming.least) return 'today';
  return wholePoints(available) < redeeming.least ? 'few' : 'yes';
}

/**
 * Returns the maximum that can be redeemed now, in whole steps: the available points, at most today's remaining limit.
 */
export function mostToRedeem({ available, redeeming: { left_today, step } }: Points): number {
  return Math.floor(Math.min(wholePoints(available), left_today) / step) * step;
}
