import type { Points } from '../../../../protocol/product/points.ts';
import { wholePoints } from '../points/whole-points.ts';

/** Whether points may be redeemed now, or what stands against it. */
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

/** The most that may be redeemed now: what there is and what today allows, in whole steps. */
export function mostToRedeem({ available, redeeming: { left_today, step } }: Points): number {
  return Math.floor(Math.min(wholePoints(available), left_today) / step) * step;
}
