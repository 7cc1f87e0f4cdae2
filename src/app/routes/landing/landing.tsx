import { ArrowRight, BadgeCheck, Clock3, PhoneOff } from 'lucide-react';
import { type ReactNode, useLayoutEffect } from 'react';
import { Link } from 'react-router-dom';
import { m } from '../../core/i18n/generated/messages.js';
import { LinkButton } from '../../../ui/kit/button.tsx';
import { InstallRow } from '../../features/pwa/install-row.tsx';
import { homePath } from '../../core/session/home-path.ts';
import { useSignedIn } from '../../core/hooks/areas.ts';
import { Brand } from '../../features/shell/brand.tsx';
import { LanguageChoice } from '../../features/shell/language-choice.tsx';
import styles from './landing.module.css';
import { Mosaic } from './mosaic.tsx';

/**
 * Shows the landing page: what the platform is, and the links to register and sign in. It sends no request to the
 * server.
 */
export default function Landing() {
  const user = useSignedIn();

  // The static picture of index.html is no longer needed.
  useLayoutEffect(() => {
    delete document.documentElement.dataset['firstPicture'];
  }, []);

  return (
    <div className={`landing ${styles.page}`}>
      <header className="landing-top">
        <Brand />
        <LanguageChoice showLabel={false} />
      </header>
      <main>
        <div className="landing-hero">
          <Mosaic />
          <div className={`landing-words ${styles.words}`}>
            <h1>{m.landing_headline()}</h1>
            <p className={styles.lede}>{m.landing_lede()}</p>
            {user === null ? (
              <>
                <div className={styles.doors}>
                  <Door to="/register-man" name={m.landing_door_man()} hint={m.landing_door_man_hint()} />
                  <Door to="/register-woman" name={m.landing_door_woman()} hint={m.landing_door_woman_hint()} />
                </div>
                <LinkButton to="/login">{m.landing_sign_in()}</LinkButton>
              </>
            ) : (
              <LinkButton to={homePath(user.genderType)} look="primary">
                {m.landing_go_home()}
                <ArrowRight aria-hidden="true" size={18} />
              </LinkButton>
            )}
            <p className={styles.adults}>
              <span aria-hidden="true">{m.landing_adults_mark()}</span>
              {m.landing_adults()}
            </p>
          </div>
        </div>
        <ul className={styles.points}>
          <Point icon={<BadgeCheck />} title={m.landing_point_real()} text={m.landing_point_real_text()} />
          <Point icon={<Clock3 />} title={m.landing_point_price()} text={m.landing_point_price_text()} />
          <Point icon={<PhoneOff />} title={m.landing_point_stop()} text={m.landing_point_stop_text()} />
        </ul>
        <InstallRow />
      </main>
      <footer className={styles.footer}>
        <Link to="/privacy">{m.landing_privacy()}</Link>
        <Link to="/service">{m.landing_service()}</Link>
      </footer>
    </div>
  );
}

function Door({ to, name, hint }: { to: string; name: string; hint: string }) {
  return (
    <Link to={to} className={styles.door}>
      <strong>{name}</strong>
      <span>{hint}</span>
      <ArrowRight aria-hidden="true" size={20} />
    </Link>
  );
}

function Point({ icon, title, text }: { icon: ReactNode; title: string; text: string }) {
  return (
    <li>
      <span aria-hidden="true">{icon}</span>
      <h2>{title}</h2>
      <p>{text}</p>
    </li>
  );
}
