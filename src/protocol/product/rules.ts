/** The rules of the platform that screens show. */
import * as v from 'valibot';
import { endpoints } from '../endpoint.ts';
import { prices } from './people.ts';

/** The prices, shares and times: coins, percent, seconds and New Taiwan dollars, all whole numbers. */
export const rules = v.object({
  calls: v.object({ free_seconds: v.number(), hold_seconds: v.number(), grace_seconds: v.number() }),
  messages: v.object({ text: v.number(), photo: v.number(), voice: v.number(), free: v.number() }),
  shares: v.object({
    tiers: v.array(v.object({ from: v.number(), percent: v.number() })),
    tier_days: v.number(),
    gift_percent: v.number(),
    settle_seconds: v.number(),
  }),
  deposits: v.object({ monthly_limit: v.number(), cool_off_seconds: v.number(), first_bonus_percent: v.number() }),
  bonus: v.object({ welcome: v.number() }),
  /** The initial prices of a woman's calls, coins a minute. */
  price_tiers: v.object({ gentle: prices, usual: prices, premium: prices }),
  /** True when calls and messages cost coins on this server. */
  billing: v.boolean(),
});
export type Rules = v.InferOutput<typeof rules>;

export const ruleEndpoints = endpoints({
  rules: {
    method: 'GET',
    path: '/meta/rules',
    access: 'anybody',
    about: 'Returns the prices, shares and times of the platform.',
    answer: rules,
  },
});
