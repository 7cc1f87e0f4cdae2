import { ChevronRight, LogOut, ServerOff } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { m } from '../../i18n/generated/messages.js';
import { formatNumber } from '../../i18n/format.ts';
import { Avatar } from '../../kit/avatar.tsx';
import { Button, LinkButton } from '../../kit/button.tsx';
import { ListRow } from '../../kit/list-row.tsx';
import { Skeleton } from '../../kit/skeleton.tsx';
import { StatCard } from '../../kit/stat-card.tsx';
import { StateCard } from '../../kit/state-card.tsx';
import { eachOnce } from '../../people/each-once.ts';
import { LoadingGrid, PeopleGrid } from '../../people/people-grid.tsx';
import { PersonSheet } from '../../people/person-sheet.tsx';
import { useLivePresence } from '../../people/use-live-presence.ts';
import { Pager } from '../../kit/pager.tsx';
import { refusalText } from '../../product/refusal-text.ts';
import { useProductPages, useProductQuery } from '../../product/use-product.ts';
import { useServices } from '../../services/services-context.ts';
import { LanguageChoice } from '../../shell/language-choice.tsx';
import { PageHeader } from '../../shell/page-header.tsx';
import { ThemeChoice } from '../../shell/theme-choice.tsx';
import { useStore } from '../../store/use-store.ts';
import { CallSettings } from './call-settings.tsx';
import styles from './home-woman.module.css';
import { ToDo } from './to-do.tsx';

const links = [
  { to: '/woman-edit', label: m.place_profile },
  { to: '/current-points', label: m.place_points },
  { to: '/income-details', label: m.place_income },
  { to: '/redemption-records', label: m.place_redemptions },
  { to: '/transactions-chat-record', label: m.place_charges },
  { to: '/identity-verification', label: m.place_identity },
  { to: '/account-verification', label: m.place_account },
  { to: '/settings', label: m.place_settings },
];

/** Where a woman is at home: whether she takes calls, her day, what is left to do, who is here, and the ways to all else. */
export default function HomeWoman() {
  const { session, user } = useServices();
  const { uId } = useStore(user.user);
  const navigate = useNavigate();
  const profile = useProductQuery('myProfile', {});

  return (
    <>
      <PageHeader title={m.hub_title()} />
      <div className={styles.hub}>
        <div className={styles.column}>
          {profile.isPending && <Skeleton className={styles.skeleton} />}
          {profile.error !== null && profile.data === undefined && (
            <StateCard icon={<ServerOff />} title={m.hub_failed()} hint={refusalText(profile.error)} role="alert">
              <Button look="primary" onClick={() => void profile.refetch()}>
                {m.retry()}
              </Button>
            </StateCard>
          )}
          {profile.data !== undefined && (
            <>
              <section className={styles.me}>
                <Link to={`/woman-info/${encodeURIComponent(uId ?? '')}`} aria-label={m.hub_preview()}>
                  <Avatar url={profile.data.profile_url} size={88} />
                </Link>
                <div>
                  <h2>{profile.data.nickname}</h2>
                  <p>{m.own_facts({ age: profile.data.age, city: profile.data.city })}</p>
                </div>
                <LinkButton to="/woman-edit">{m.own_edit()}</LinkButton>
              </section>
              <CallSettings />
              <Today />
              <ToDo profile={profile.data} />
            </>
          )}
        </div>
        <div className={styles.column}>
          <MenHere />
          <nav aria-label={m.hub_links()}>
            <ul className={styles.links}>
              {links.map(({ to, label }) => (
                <li key={to}>
                  <ListRow to={to} title={label()} end={<ChevronRight aria-hidden="true" size={18} />} />
                </li>
              ))}
            </ul>
          </nav>
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
      </div>
    </>
  );
}

const MINUTE = 60;

function Today() {
  const { data } = useProductQuery('today', {});
  if (data === undefined) return <Skeleton className={styles.daySkeleton} />;
  return (
    <section aria-labelledby="hub-today">
      <h2 id="hub-today">{m.hub_today()}</h2>
      <dl className={styles.day}>
        <StatCard label={m.hub_calls()} value={formatNumber(data.calls)} />
        <StatCard label={m.hub_minutes()} value={formatNumber(Math.floor(data.seconds / MINUTE))} />
        <StatCard label={m.hub_missed()} value={formatNumber(data.missed)} />
        <StatCard label={m.hub_favorites()} value={formatNumber(data.favorites)} />
      </dl>
    </section>
  );
}

function MenHere() {
  const { minutes } = useServices();
  const now = useStore(minutes);
  const list = useProductPages('discover', { query: {} });
  useLivePresence();
  const [openId, setOpenId] = useState<string | null>(null);
  const people = eachOnce(list.data ?? []);
  const opened = people.find(({ u_id }) => u_id === openId);
  return (
    <section aria-labelledby="hub-men">
      <h2 id="hub-men">{m.hub_men()}</h2>
      {list.isPending && <LoadingGrid />}
      {list.isError && list.data === undefined && (
        <StateCard icon={<ServerOff />} title={m.home_failed()} hint={refusalText(list.error)} role="alert">
          <Button onClick={() => void list.refetch()}>{m.retry()}</Button>
        </StateCard>
      )}
      {list.data !== undefined && people.length === 0 && <p className={styles.nobody}>{m.hub_nobody()}</p>}
      {people.length > 0 && (
        <>
          <PeopleGrid people={people} now={now} onOpen={setOpenId} />
          {list.hasNextPage && (
            <Pager hasMore busy={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
          )}
        </>
      )}
      {opened !== undefined && <PersonSheet person={opened} now={now} onClose={() => setOpenId(null)} />}
    </section>
  );
}
