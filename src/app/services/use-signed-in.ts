import { useServices } from './services-context.ts';
import { useStore } from '../core/store/use-store.ts';
import type { User } from '../core/session/user-context.ts';

/**
 * Returns the user when the page has a token, which is the only access check of the app (app-shell §6). Null without a
 * token.
 */
export function useSignedIn(): User | null {
  const { session, user } = useServices();
  const present = useStore(user.user);
  return session.token() === null ? null : present;
}
