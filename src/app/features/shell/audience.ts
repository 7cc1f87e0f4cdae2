import type { User } from '../../core/session/user-context.ts';

/** The users that a screen is for. */
export type Audience = 'anyone' | 'users' | 'men' | 'women';

/** Returns whether a user may see a screen. `visitor` must sign in first. `otherKind` is a user of the other kind. */
export function admit(who: Audience, user: User | null): 'welcome' | 'visitor' | 'otherKind' {
  if (who === 'anyone') return 'welcome';
  if (user === null) return 'visitor';
  if (who === 'users') return 'welcome';
  // A user without a stored kind counts as a man: see home-path.ts.
  const isWoman = user.genderType === 'woman';
  return isWoman === (who === 'women') ? 'welcome' : 'otherKind';
}
