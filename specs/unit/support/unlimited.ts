import type { RateLimits } from '../../../sim/budgets/rate-limits.ts';

/** Rate limits that allow everything, for a server in virtual time without outside clients. */
export const unlimited: RateLimits = {
  consume: () => Promise.resolve(null),
  giveBack: () => Promise.resolve(),
  forget: () => Promise.resolve(),
};
