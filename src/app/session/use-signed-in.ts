import { useServices } from '../services/services-context.ts';
import { useStore } from '../store/use-store.ts';
import type { User } from './user-context.ts';

/** The user when there is a stored token, which is the only gate there is (app-shell §6); else `null`. */
export function useSignedIn(): User | null {
  const { session, user } = useServices();
  const present = useStore(user.user);
  return session.token() === null ? null : present;
}
