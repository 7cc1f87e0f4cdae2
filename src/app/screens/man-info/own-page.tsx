import { ChevronRight, LogOut, Pencil, ServerOff } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatNumber } from '../../i18n/format.ts';
import { m } from '../../i18n/generated/messages.js';
import { Avatar } from '../../kit/avatar.tsx';
import { Button, LinkButton } from '../../kit/button.tsx';
import { ListRow } from '../../kit/list-row.tsx';
import { Skeleton } from '../../kit/skeleton.tsx';
import { StateCard } from '../../kit/state-card.tsx';
import { refusalText } from '../../product/refusal-text.ts';
import { useProductQuery } from '../../product/use-product.ts';
import { useServices } from '../../services/services-context.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { useStore } from '../../store/use-store.ts';
import { EditSheet } from './edit-sheet.tsx';
import styles from './own-page.module.css';

const links = [
  { to: '/deposit-record', label: m.place_deposits },
  { to: '/transactions-chat-record', label: m.place_charges },
  { to: '/transactions-record/all', label: m.place_transactions },
  { to: '/account-verification', label: m.place_account },
  { to: '/settings', label: m.place_settings },
];

/** A man's own page: who he is, what he has left, his records, and the way out. */
export function OwnPage() {
  const { counts, session } = useServices();
  const { coins } = useStore(counts);
  const navigate = useNavigate();
  const profile = useProductQuery('myProfile', {});
  const [editing, setEditing] = useState(false);

  return (
    <>
      <PageHeader title={m.own_title()} />
      {profile.isPending && <Skeleton className={styles.skeleton} />}
      {profile.error !== null && profile.data === undefined && (
        <StateCard icon={<ServerOff />} title={m.own_failed()} hint={refusalText(profile.error)} role="alert">
          <Button look="primary" onClick={() => void profile.refetch()}>
            {m.retry()}
          </Button>
        </StateCard>
      )}
      {profile.data !== undefined && (
        <section className={styles.card}>
          <Avatar url={profile.data.profile_url} size={88} />
          <div className={styles.words}>
            <h2>{profile.data.nickname}</h2>
            <p>{m.own_facts({ age: profile.data.age, city: profile.data.city })}</p>
            {profile.data.intro !== '' && <p className={styles.intro}>{profile.data.intro}</p>}
          </div>
          <Button onClick={() => setEditing(true)}>
            <Pencil aria-hidden="true" size={18} />
            {m.own_edit()}
          </Button>
        </section>
      )}
      <section className={styles.balance}>
        <p>
          <span>{m.own_coins()}</span>
          <strong>{coins === null ? m.own_coins_unknown() : formatNumber(coins)}</strong>
        </p>
        <LinkButton look="primary" to="/purchase/deposit">
          {m.nav_deposit()}
        </LinkButton>
      </section>
      <ul className={styles.links}>
        {links.map(({ to, label }) => (
          <li key={to}>
            <ListRow to={to} title={label()} end={<ChevronRight aria-hidden="true" size={18} />} />
          </li>
        ))}
      </ul>
      <Button
        onClick={() => {
          session.clear();
          void navigate('/home');
        }}
      >
        <LogOut aria-hidden="true" size={18} />
        {m.me_sign_out()}
      </Button>
      {editing && profile.data !== undefined && <EditSheet profile={profile.data} onClose={() => setEditing(false)} />}
    </>
  );
}
