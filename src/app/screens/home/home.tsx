import { RefreshCw, ServerOff, SlidersHorizontal, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { type PeopleFilter, citiesOf, filterPeople } from '../../people/people-filter.ts';
import type { Person } from '../../../protocol/product.ts';
import { m } from '../../i18n/generated/messages.js';
import { getLocale } from '../../i18n/generated/runtime.js';
import { Button } from '../../kit/button.tsx';
import { StateCard } from '../../kit/state-card.tsx';
import { useServices } from '../../services/services-context.ts';
import { Frame } from '../../shell/frame.tsx';
import { useStore } from '../../store/use-store.ts';
import { FilterChips } from './filter-chips.tsx';
import styles from './home.module.css';
import { LoadingGrid, PeopleGrid } from './people-grid.tsx';
import { PersonSheet } from './person-sheet.tsx';
import { NO_FILTER, usePeopleFilter } from './use-people-filter.ts';

/** The other users and whether they are there, live. */
export default function Home() {
  const { people, minutes } = useServices();
  const state = useStore(people.state);
  const now = useStore(minutes);
  const [filter, setFilter] = usePeopleFilter();
  const [openId, setOpenId] = useState<string | null>(null);
  const everybody = state.kind === 'ready' ? state.people : [];
  const opened = everybody.find((person) => person.u_id === openId);

  return (
    <Frame>
      <h1 className={styles.title}>{m.home_title()}</h1>
      <FilterChips filter={filter} cities={citiesOf(everybody, getLocale())} onChange={setFilter} />
      {state.kind === 'loading' && <LoadingGrid />}
      {state.kind === 'failed' && (
        <StateCard icon={<ServerOff />} title={m.home_failed()} hint={m.home_failed_hint()} role="alert">
          <Button look="primary" onClick={() => void people.load()}>
            <RefreshCw aria-hidden="true" size={18} />
            {m.retry()}
          </Button>
        </StateCard>
      )}
      {state.kind === 'ready' && (
        <Results
          everybody={everybody}
          filter={filter}
          now={now}
          onOpen={setOpenId}
          onClear={() => setFilter(NO_FILTER)}
        />
      )}
      {opened !== undefined && <PersonSheet person={opened} now={now} onClose={() => setOpenId(null)} />}
    </Frame>
  );
}

interface ResultsProps {
  everybody: readonly Person[];
  filter: PeopleFilter;
  now: number;
  onOpen(userId: string): void;
  onClear(): void;
}

function Results({ everybody, filter, now, onOpen, onClear }: ResultsProps) {
  if (everybody.length === 0) {
    return <StateCard icon={<UsersRound />} title={m.home_nobody()} hint={m.home_nobody_hint()} />;
  }
  const found = filterPeople(everybody, filter, now);
  return (
    <>
      <p role="status" className="visually-hidden">
        {m.home_count({ count: found.length })}
      </p>
      {found.length > 0 ? (
        <PeopleGrid people={found} now={now} onOpen={onOpen} />
      ) : (
        <StateCard icon={<SlidersHorizontal />} title={m.home_empty()} hint={m.home_empty_hint()}>
          <Button onClick={onClear}>{m.home_empty_action()}</Button>
        </StateCard>
      )}
    </>
  );
}
