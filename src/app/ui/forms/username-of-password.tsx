import { useServices } from '../../services/services-context.ts';
import { useStore } from '../../core/store/use-store.ts';

/**
 * Says for password managers whose password a form asks for. Its user sees no such field: they are signed in. The page knows
 * contacts masked alone, and a user signs in with their user id as well.
 */
export function UsernameOfPassword() {
  const { uId } = useStore(useServices().user.user);
  return <input type="text" autoComplete="username" value={uId ?? ''} readOnly hidden />;
}
