import { ArrowRight, Clock3, Coins, Radio } from 'lucide-react';
import { Link } from 'react-router-dom';
import { m } from '../../i18n/generated/messages.js';
import { buttonClass } from '../../kit/button.tsx';
import { useServices } from '../../services/services-context.ts';
import { homePath } from '../../session/home-path.ts';
import { useSignedIn } from '../../session/use-signed-in.ts';
import { Brand } from '../../shell/brand.tsx';
import { LanguageChoice } from '../../shell/language-choice.tsx';
import { useStore } from '../../store/use-store.ts';
import { Mosaic } from './mosaic.tsx';
import styles from './landing.module.css';

/** The door of the house: what it is, and the two ways in. */
export default function Landing() {
  const { demoUsers } = useServices();
  const user = useSignedIn();
  const demo = useStore(demoUsers.state);

  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Brand />
        <LanguageChoice showLabel={false} />
      </header>
      <main className={styles.hero}>
        <Mosaic users={demo.kind === 'ready' ? demo.users : []} />
        <div className={styles.words}>
          <h1>{m.landing_headline()}</h1>
          <p className={styles.lede}>{m.landing_lede()}</p>
          {user === null ? (
            <>
              <div className={styles.doors}>
                <Door to="/login?as=man" name={m.landing_door_man()} />
                <Door to="/login?as=woman" name={m.landing_door_woman()} />
              </div>
              <Link to="/login" className={buttonClass('quiet')}>
                {m.landing_sign_in()}
              </Link>
            </>
          ) : (
            <Link to={homePath(user.genderType)} className={buttonClass('primary')}>
              {m.landing_go_home()}
              <ArrowRight aria-hidden="true" size={18} />
            </Link>
          )}
          <ul className={styles.points}>
            <li>
              <Radio aria-hidden="true" size={18} />
              {m.landing_point_live()}
            </li>
            <li>
              <Coins aria-hidden="true" size={18} />
              {m.landing_point_price()}
            </li>
            <li>
              <Clock3 aria-hidden="true" size={18} />
              {m.landing_point_stop()}
            </li>
          </ul>
          <p className={styles.adults}>{m.landing_adults()}</p>
        </div>
      </main>
    </div>
  );
}

function Door({ to, name }: { to: string; name: string }) {
  return (
    <Link to={to} className={styles.door}>
      <strong>{name}</strong>
      <span>{m.landing_door_hint()}</span>
      <ArrowRight aria-hidden="true" size={20} />
    </Link>
  );
}
