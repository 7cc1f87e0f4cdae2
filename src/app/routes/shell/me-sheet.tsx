import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { m } from '../../core/i18n/generated/messages.js';
import { Modal } from '../../ui/modal.tsx';
import { useSession } from '../../core/hooks/areas.ts';
import { useStore } from '../../../ui/store/use-store.ts';
import { LanguageChoice } from '../../features/shell/language-choice.tsx';
import { placesOf } from '../../features/shell/places.ts';
import styles from './me-sheet.module.css';
import { SignOutButton } from '../../features/shell/sign-out-button.tsx';
import { ThemeChoice } from '../../features/shell/theme-choice.tsx';

/** Shows the user's own name, the links to the user's screens, the appearance and language, and the sign-out. */
export function MeSheet({ onClose }: { onClose(): void }) {
  const { user } = useSession();
  const { uId, genderType } = useStore(user.user);

  return (
    <Modal label={m.me_title()} onClose={onClose}>
      <div className={styles.sheet}>
        <div className={styles.head}>
          <h2>{m.me_title()}</h2>
          {uId !== null && <p>{m.me_user_id({ id: uId })}</p>}
        </div>
        <ul className={styles.places}>
          {placesOf(genderType).map(({ to, label }) => (
            <li key={to}>
              <Link to={to} onClick={onClose}>
                {label()}
                <ChevronRight aria-hidden="true" size={18} />
              </Link>
            </li>
          ))}
        </ul>
        <LanguageChoice />
        <ThemeChoice />
        <SignOutButton />
      </div>
    </Modal>
  );
}
