import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { LoginAnswer } from '../../../../protocol/product/accounts.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { usePorts, useProduct, useSession } from '../../../core/hooks/areas.ts';
import { homePath } from '../../../core/session/home-path.ts';
import { Brand } from '../../shell/brand.tsx';
import { useStore } from '../../../../ui/store/use-store.ts';
import { OfflineNote } from '../register/offline-note.tsx';
import { DemoUsers } from './demo-users.tsx';
import { createLoginAttempt } from './login-attempt.ts';
import styles from './login.module.css';
import { ResetForm } from './reset-form.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface LoginProps {
  /** Opens the online-presence socket (app-shell §2). */
  openPresence(): void;
}

/** Signs a visitor in, with an account or as one of the demo users. */
export default function Login({ openPresence }: LoginProps) {
  const ports = usePorts();
  const { product } = useProduct();
  const { session } = useSession();
  const [attempt] = useState(() => createLoginAttempt({ product, session, logger: ports.logger, openPresence }));
  const state = useStore(attempt.state);
  const [hasForgotten, setHasForgotten] = useState(false);
  const navigate = useNavigate();

  function enter(answer: LoginAnswer): void {
    session.signIn(answer);
    openPresence();
    void navigate(homePath(answer.gender_type));
  }

  return (
    <main className={styles.page}>
      <Link to="/home" className={styles.back}>
        <Brand />
      </Link>
      <section className={styles.own}>
        <header>
          <h1>{hasForgotten ? m.reset_title() : m.login_window_title()}</h1>
          <p>{hasForgotten ? m.reset_lede() : m.login_own_lede()}</p>
        </header>
        <OfflineNote />
        {hasForgotten ? (
          <ResetForm onSignedIn={enter} onBack={() => setHasForgotten(false)} />
        ) : (
          <SignInForm onSignedIn={enter} onForgotten={() => setHasForgotten(true)} />
        )}
        <p className={styles.register}>
          {m.login_no_account()} <Link to="/register-man">{m.login_register_man()}</Link>
          <Link to="/register-woman">{m.login_register_woman()}</Link>
        </p>
      </section>
      <DemoUsers
        state={state}
        onChoose={async (user) => {
          const kind = await attempt.signIn(user.u_id);
          if (kind !== null) void navigate(homePath(kind));
        }}
      />
    </main>
  );
}
