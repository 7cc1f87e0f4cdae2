import { LogOut } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { m } from '../i18n/generated/messages.js';
import { Button } from '../kit/button.tsx';
import { Modal } from '../kit/modal.tsx';
import { useServices } from '../services/services-context.ts';
import { useStore } from '../store/use-store.ts';
import { LanguageChoice } from './language-choice.tsx';
import styles from './me-sheet.module.css';
import { ThemeChoice } from './theme-choice.tsx';

/** Who one is, how the app looks and speaks, and the way out. */
export function MeSheet({ onClose }: { onClose(): void }) {
  const { session, user } = useServices();
  const { uId } = useStore(user.user);
  const navigate = useNavigate();

  return (
    <Modal label={m.me_title()} onClose={onClose}>
      <div className={styles.sheet}>
        <header>
          <h2>{m.me_title()}</h2>
          {uId !== null && <p>{m.me_user_id({ id: uId })}</p>}
        </header>
        <LanguageChoice />
        <ThemeChoice />
        <Button
          onClick={() => {
            session.clear();
            void navigate('/home');
          }}
        >
          <LogOut aria-hidden="true" size={18} />
          {m.me_sign_out()}
        </Button>
      </div>
    </Modal>
  );
}
