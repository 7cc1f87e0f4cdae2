import type { Session } from '../../../protocol/product/accounts.ts';

/** Returns the session of the gallery's user. */
export const gallerySession = (now: number): Session => ({
  session_id: 'this',
  is_this: true,
  browser: 'Chrome',
  system: 'Android',
  began_at: now - 26 * 3_600_000,
  used_at: now,
});
