import { RefreshCw, ServerOff, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { type DemoUser, genderType } from '../../../protocol/product.ts';
import * as v from 'valibot';
import { m } from '../../i18n/generated/messages.js';
import { Button } from '../../kit/button.tsx';
import { Segments } from '../../kit/segments.tsx';
import { Skeleton } from '../../kit/skeleton.tsx';
import { StateCard } from '../../kit/state-card.tsx';
import { useServices } from '../../services/services-context.ts';
import { homePath } from '../../session/home-path.ts';
import { Brand } from '../../shell/brand.tsx';
import { useStore } from '../../store/use-store.ts';
import { DemoUserRow } from './demo-user-row.tsx';
import { createLoginAttempt } from './login-attempt.ts';
import styles from './login.module.css';

interface LoginProps {
  /** Opens the online-presence socket (app-shell §2). */
  openPresence(): void;
}

/** Signing in as one of the demo users. */
export default function Login({ openPresence }: LoginProps) {
  const { product, session, ports, demoUsers } = useServices();
  const [attempt] = useState(() => createLoginAttempt({ product, session, logger: ports.logger, openPresence }));
  const state = useStore(attempt.state);
  const demo = useStore(demoUsers.state);
  const [search, setSearch] = useSearchParams();
  const wanted = v.safeParse(genderType, search.get('as'));
  const shown = wanted.success ? wanted.output : 'all';
  const navigate = useNavigate();

  async function signIn(user: DemoUser): Promise<void> {
    const kind = await attempt.signIn(user.u_id);
    if (kind !== null) void navigate(homePath(kind));
  }

  return (
    <main className={styles.page}>
      <Link to="/home" className={styles.back}>
        <Brand />
      </Link>
      <header>
        <h1>{m.login_title()}</h1>
        <p>{m.login_lede()}</p>
      </header>
      <Segments
        label={m.login_filter_label()}
        showLabel={false}
        options={[
          { value: 'all', text: m.login_all() },
          { value: 'man', text: m.login_men() },
          { value: 'woman', text: m.login_women() },
        ]}
        value={shown}
        onChange={(kind) => setSearch(kind === 'all' ? {} : { as: kind }, { replace: true })}
      />
      <p role="alert" className={styles.failure}>
        {state.kind === 'failed' && m.login_failed()}
      </p>
      {demo.kind === 'loading' && <LoadingRows />}
      {demo.kind === 'failed' && (
        <StateCard icon={<ServerOff />} title={m.login_users_failed()} hint={m.login_users_failed_hint()} role="alert">
          <Button look="primary" onClick={() => void demoUsers.load()}>
            <RefreshCw aria-hidden="true" size={18} />
            {m.retry()}
          </Button>
        </StateCard>
      )}
      {demo.kind === 'ready' && demo.users.length === 0 && (
        <StateCard icon={<UsersRound />} title={m.login_users_empty()} hint={m.login_users_empty_hint()} />
      )}
      {demo.kind === 'ready' && (
        <ul className={styles.list}>
          {demo.users
            .filter((user) => shown === 'all' || user.gender_type === shown)
            .map((user) => (
              <li key={user.u_id}>
                <DemoUserRow
                  user={user}
                  isSigningIn={state.kind === 'signingIn' && state.userId === user.u_id}
                  disabled={state.kind === 'signingIn'}
                  onChoose={() => void signIn(user)}
                />
              </li>
            ))}
        </ul>
      )}
    </main>
  );
}

function LoadingRows() {
  return (
    <div role="status" className={styles.list}>
      <span className="visually-hidden">{m.login_loading()}</span>
      {[0, 1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} className={styles.rowSkeleton} />
      ))}
    </div>
  );
}
