import type { PriceTier } from '../../../src/protocol/product/accounts.ts';

/** What a woman begins with, in coins a minute; hers to change in her profile. */
export const PRICE_TIERS: Readonly<Record<PriceTier, { readonly voice: number; readonly video: number }>> = {
  gentle: { voice: 10, video: 20 },
  usual: { voice: 20, video: 40 },
  premium: { voice: 40, video: 80 },
};
