import { Compass, MessageCircle, Radio, UserRound, WifiOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { NavLink } from 'react-router-dom';
import { m } from '../i18n/generated/messages.js';
import { useServices } from '../services/services-context.ts';
import { homePath } from '../session/home-path.ts';
import { useStore } from '../store/use-store.ts';
import { Brand } from './brand.tsx';
import styles from './frame.module.css';
import { MeSheet } from './me-sheet.tsx';

/** Around every screen of a user: tabs at the bottom of a phone, a rail at the left of a desktop. */
export function Frame({ children }: { children: ReactNode }) {
  const { user, online } = useServices();
  const { genderType } = useStore(user.user);
  const isOnline = useStore(online);
  const [showsMe, setShowsMe] = useState(false);

  return (
    <div className={styles.frame}>
      <a href="#content" className={styles.skip}>
        {m.skip_to_content()}
      </a>
      <nav className={styles.nav} aria-label={m.nav_label()}>
        <Brand className={styles.brand} />
        <NavLink to={homePath(genderType)} className={styles.tab ?? ''}>
          <Compass aria-hidden="true" />
          <span>{m.nav_explore()}</span>
        </NavLink>
        <ComingTab icon={<MessageCircle />} label={m.nav_chat()} />
        <ComingTab icon={<Radio />} label={m.nav_rooms()} />
        <button type="button" className={styles.tab} aria-haspopup="dialog" onClick={() => setShowsMe(true)}>
          <UserRound aria-hidden="true" />
          <span>{m.nav_me()}</span>
        </button>
      </nav>
      <main id="content" tabIndex={-1} className={styles.main}>
        {!isOnline && (
          <p role="status" className={styles.offline}>
            <WifiOff aria-hidden="true" size={16} />
            {m.offline_banner()}
          </p>
        )}
        {children}
      </main>
      {showsMe && <MeSheet onClose={() => setShowsMe(false)} />}
    </div>
  );
}

/** A place that is announced and not there yet: told as such, and not to be pressed. */
function ComingTab({ icon, label }: { icon: ReactNode; label: string }) {
  return (
    <span className={styles.tab} data-coming>
      <span aria-hidden="true">{icon}</span>
      <span>{label}</span>
      <small>{m.nav_soon()}</small>
    </span>
  );
}
