import { useSession } from '../../core/hooks/areas.ts';
import { useStore } from '../../../ui/store/use-store.ts';

/**
 * Names the account of a password field for password managers. The user is signed in and does not see this field. The
 * page knows contacts only masked, and a user can also sign in with the user id.
 */
export function UsernameOfPassword() {
  const { uId } = useStore(useSession().user.user);
  return <input type="text" autoComplete="username" value={uId ?? ''} readOnly hidden />;
}
