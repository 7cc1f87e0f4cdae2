import { Heart, RefreshCw, ServerOff, SlidersHorizontal, UsersRound, ArrowUp } from 'lucide-react';
import { useState, useEffect } from 'react';
import { useSearchParams, Link } from 'react-router-dom';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button, IconButton } from '../../../../ui/kit/button.tsx';
import { Pager } from '../../../ui/data/pager.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { type DiscoverFilter, readFilter, writeFilter } from '../discover-filter.ts';
import { eachOnce } from '../people-list.ts';
import { LoadingGrid, PeopleGrid } from '../people-grid.tsx';
import { PersonSheet } from '../person-sheet.tsx';
import { useLivePresence } from '../live-presence.ts';
import { useProductPages } from '../../../core/hooks/use-product.ts';
import { useTicks } from '../../../core/hooks/areas.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { useStore } from '../../../../ui/store/use-store.ts';
import { FilterChips } from './filter-chips.tsx';
import { FilterSheet } from './filter-sheet.tsx';
import styles from './home-man.module.css';
import type { Channel } from '../../../../protocol/product/chat.ts';
import { Avatar } from '../../../ui/people/avatar.tsx';

/** Lists the users to meet, online users first, with live presence. The address holds the filter. */
export default function HomeMan() {
  const { minutes } = useTicks();
  const now = useStore(minutes);
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const setFilter = (next: DiscoverFilter): void =>
    setSearch(writeFilter(next), { replace: true, preventScrollReset: true });
  const [openId, setOpenId] = useState<string | null>(null);
  const [choosing, setChoosing] = useState(false);
  const list = useProductPages('discover', { query: filter }, { keepsPrevious: true });
  useLivePresence();
  const people = eachOnce(list.data ?? []);
  const opened = people.find(({ u_id }) => u_id === openId);
  const talked = useProductPages('channels', { query: { limit: '12' } });

  // The row of recent people moves the rest of the page. So the page waits for its first answer, but not for a retry.
  if (talked.isLoading && talked.failureCount === 0 && !talked.isFetched) {
    return (
      <>
        <PageHeader title={m.home_title()} />
        <LoadingGrid />
      </>
    );
  }
  return (
    <>
      <PageHeader title={m.home_title()} />
      <RecentlyTalked channels={talked.data ?? []} />
      <FilterChips filter={filter} onChange={setFilter} onMore={() => setChoosing(true)} />
      {list.isPending && <LoadingGrid />}
      {list.isError && list.data === undefined && <Failure onRetry={() => void list.refetch()} />}
      {list.data !== undefined && (
        <>
          <p role="status" className="visually-hidden">
            {m.home_count({ count: people.length })}
          </p>
          {people.length > 0 && (
            <>
              <PeopleGrid people={people} now={now} onOpen={setOpenId} />
              <Pager
                hasMore={list.hasNextPage}
                busy={list.isFetchingNextPage}
                onMore={() => void list.fetchNextPage()}
              />
              <BackToTop />
            </>
          )}
          {people.length === 0 && <Nothing filter={filter} onClear={() => setFilter({})} />}
        </>
      )}
      {choosing && <FilterSheet filter={filter} onChange={setFilter} onClose={() => setChoosing(false)} />}
      {opened !== undefined && <PersonSheet person={opened} now={now} onClose={() => setOpenId(null)} />}
    </>
  );
}

function Failure({ onRetry }: { onRetry(): void }) {
  return (
    <StateCard icon={<ServerOff />} title={m.home_failed()} hint={m.home_failed_hint()} role="alert">
      <Button look="primary" onClick={onRetry}>
        <RefreshCw aria-hidden="true" size={18} />
        {m.retry()}
      </Button>
    </StateCard>
  );
}

/** Shows that no user matches the filter, or that there are no users. */
function Nothing({ filter, onClear }: { filter: DiscoverFilter; onClear(): void }) {
  const names = Object.keys(filter);
  if (names.length === 0)
    return <StateCard icon={<UsersRound />} title={m.home_nobody()} hint={m.home_nobody_hint()} />;
  const isFavoritesAlone = filter.favorite !== undefined && names.length === 1;
  return (
    <StateCard {...(isFavoritesAlone ? NO_FAVORITES() : NOBODY_LIKE_THAT())}>
      <Button onClick={onClear}>{m.home_empty_action()}</Button>
    </StateCard>
  );
}

const NOBODY_LIKE_THAT = () => ({ icon: <SlidersHorizontal />, title: m.home_empty(), hint: m.home_empty_hint() });
const NO_FAVORITES = () => ({ icon: <Heart />, title: m.home_no_favorites(), hint: m.home_no_favorites_hint() });

/** The button appears after this many screens of scrolling. */
const SCREENS = 1.5;

/** Scrolls a long list back to its top. */
function BackToTop() {
  const [isFar, setFar] = useState(false);
  useEffect(() => {
    const look = (): void => setFar(scrollY > SCREENS * innerHeight);
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  if (!isFar) return null;
  return (
    <IconButton
      className={styles.button}
      label={m.home_to_top()}
      icon={<ArrowUp aria-hidden="true" />}
      onClick={() => scrollTo({ top: 0 })}
    />
  );
}

/** Shows the users of the latest chats. Renders nothing without chats. */
function RecentlyTalked({ channels }: { channels: readonly Channel[] }) {
  if (channels.length === 0) return null;
  return (
    <section className={styles.row} aria-labelledby="recently-talked">
      <h2 id="recently-talked">{m.home_recent()}</h2>
      <ul>
        {channels.map(({ channel_url, companion }) => (
          <li key={channel_url}>
            <Link to={`/woman-info/${encodeURIComponent(companion.u_id)}`}>
              <Avatar url={companion.profile_url} presence={companion.presence} />
              <span>{companion.nickname || companion.u_id}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
