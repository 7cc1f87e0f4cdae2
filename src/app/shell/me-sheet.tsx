import { ChevronRight, LogOut } from 'lucide-react';
import { Link, useNavigate } from 'react-router-dom';
import { m } from '../i18n/generated/messages.js';
import { Button } from '../kit/button.tsx';
import { Modal } from '../kit/modal.tsx';
import { useServices } from '../services/services-context.ts';
import { useStore } from '../store/use-store.ts';
import { LanguageChoice } from './language-choice.tsx';
import { placesOf } from './places.ts';
import styles from './me-sheet.module.css';
import { ThemeChoice } from './theme-choice.tsx';

interface MeSheetProps {
  /** The addresses there are screens for. */
  knownPaths: ReadonlySet<string>;
  onClose(): void;
}

/** Who one is, the screens about oneself, how the app looks and speaks, and the way out. */
export function MeSheet({ knownPaths, onClose }: MeSheetProps) {
  const { session, user } = useServices();
  const { uId, genderType } = useStore(user.user);
  const navigate = useNavigate();
  const places = placesOf(genderType, knownPaths);

  return (
    <Modal label={m.me_title()} onClose={onClose}>
      <div className={styles.sheet}>
        <header>
          <h2>{m.me_title()}</h2>
          {uId !== null && <p>{m.me_user_id({ id: uId })}</p>}
        </header>
        {places.length > 0 && (
          <ul className={styles.places}>
            {places.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} onClick={onClose}>
                  {label()}
                  <ChevronRight aria-hidden="true" size={18} />
                </Link>
              </li>
            ))}
          </ul>
        )}
        <LanguageChoice />
        <ThemeChoice />
        <Button
          onClick={() => {
            session.signOut();
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
