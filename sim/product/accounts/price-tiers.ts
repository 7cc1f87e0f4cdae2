import type { PriceTier } from '../../../src/protocol/product/accounts.ts';

/** The initial prices of a woman, in coins a minute. She can change them in her profile. */
export const PRICE_TIERS: Readonly<Record<PriceTier, { readonly voice: number; readonly video: number }>> = {
  gentle: { voice: 10, video: 20 },
  usual: { voice: 20, video: 40 },
  premium: { voice: 40, video: 80 },
};
