import type { User } from '../../core/session/user-context.ts';

/** For whom a screen is. */
export type Audience = 'anyone' | 'users' | 'men' | 'women';

/** Whether somebody may see a screen: `visitor` must sign in first, `otherKind` is a user whom it is not for. */
export function admit(who: Audience, user: User | null): 'welcome' | 'visitor' | 'otherKind' {
  if (who === 'anyone') return 'welcome';
  if (user === null) return 'visitor';
  if (who === 'users') return 'welcome';
  // Where the kind is not stored, somebody is at home with the men: see home-path.ts.
  const isWoman = user.genderType === 'woman';
  return isWoman === (who === 'women') ? 'welcome' : 'otherKind';
}
