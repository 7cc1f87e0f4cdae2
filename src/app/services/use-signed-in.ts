import { useServices } from './services-context.ts';
import { useStore } from '../core/store/use-store.ts';
import type { User } from '../core/session/user-context.ts';

/** The user when there is a stored token, which is the only gate there is (app-shell §6); else `null`. */
export function useSignedIn(): User | null {
  const { session, user } = useServices();
  const present = useStore(user.user);
  return session.token() === null ? null : present;
}
