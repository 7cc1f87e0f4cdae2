import type { Rules } from '../../../protocol/product/rules.ts';

/** The rules of a platform that bills calls. */
export const galleryRules: Rules = {
  calls: { free_seconds: 10, hold_seconds: 30, grace_seconds: 30 },
  messages: { text: 2, photo: 5, voice: 5, free: 10 },
  shares: { tiers: [{ from: 0, percent: 40 }], tier_days: 30, gift_percent: 50, settle_seconds: 86_400 },
  deposits: { monthly_limit: 20_000, cool_off_seconds: 86_400, first_bonus_percent: 20 },
  bonus: { welcome: 100 },
  price_tiers: { gentle: { voice: 10, video: 20 }, usual: { voice: 20, video: 40 }, premium: { voice: 40, video: 80 } },
  billing: true,
};
