import { RefreshCw, ServerOff, UsersRound } from 'lucide-react';
import { useDeferredValue } from 'react';
import { useSearchParams } from 'react-router-dom';
import * as v from 'valibot';
import type { DemoUser } from '../../../../protocol/product/accounts.ts';
import { genderType } from '../../../../protocol/product/values.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { Segments } from '../../../../ui/kit/segments.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { useDemoUsers } from '../demo-users-store.ts';
import { useStore } from '../../../../ui/store/use-store.ts';
import { DemoUserRow } from './demo-user-row.tsx';
import type { LoginState } from './login-attempt.ts';
import styles from './login.module.css';

interface DemoUsersProps {
  state: LoginState;
  onChoose(user: DemoUser): Promise<void>;
}

/** Lists the users of the demo world. A visitor signs in as one of them without a password. */
export function DemoUsers({ state, onChoose }: DemoUsersProps) {
  const demoUsers = useDemoUsers();
  const demo = useStore(demoUsers.state);
  const [search, setSearch] = useSearchParams();
  const wanted = v.safeParse(genderType, search.get('as'));
  const shown = wanted.success ? wanted.output : 'all';

  return (
    <section className={styles.demo} aria-labelledby="demo-users">
      <header>
        <h2 id="demo-users">{m.login_title()}</h2>
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
          <Button onClick={() => void demoUsers.load()}>
            <RefreshCw aria-hidden="true" size={18} />
            {m.retry()}
          </Button>
        </StateCard>
      )}
      {demo.kind === 'ready' && demo.users.length === 0 && (
        <StateCard icon={<UsersRound />} title={m.login_users_empty()} hint={m.login_users_empty_hint()} />
      )}
      {demo.kind === 'ready' && (
        <Rows
          users={demo.users.filter((user) => shown === 'all' || user.gender_type === shown)}
          state={state}
          onChoose={onChoose}
        />
      )}
    </section>
  );
}

/** Renders the rows in a deferred update behind skeletons. A synchronous render would block input on a phone. */
function Rows({ users, state, onChoose }: DemoUsersProps & { users: readonly DemoUser[] }) {
  const drawn = useDeferredValue<readonly DemoUser[] | null>(users, null);
  if (drawn === null) return <LoadingRows />;
  return (
    <ul className={styles.list}>
      {drawn.map((user) => (
        <li key={user.u_id}>
          <DemoUserRow
            user={user}
            isSigningIn={state.kind === 'signingIn' && state.userId === user.u_id}
            disabled={state.kind === 'signingIn'}
            onChoose={() => void onChoose(user)}
          />
        </li>
      ))}
    </ul>
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
