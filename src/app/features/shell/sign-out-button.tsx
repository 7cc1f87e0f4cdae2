import { LogOut } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { m } from '../../core/i18n/generated/messages.js';
import { Button } from '../../../ui/kit/button.tsx';
import { useSession } from '../../core/hooks/areas.ts';

/** Renders the button that signs the user out. */
export function SignOutButton() {
  const { session } = useSession();
  const navigate = useNavigate();
  return (
    <Button
      onClick={() => {
        session.signOut();
        void navigate('/home');
      }}
    >
      <LogOut aria-hidden="true" size={18} />
      {m.me_sign_out()}
    </Button>
  );
}
