import { useDeferredValue } from 'react';
import type { Person } from '../../../protocol/product/people.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import styles from './people-grid.module.css';
import { PersonCard } from './person-card.tsx';

interface PeopleGridProps {
  people: readonly Person[];
  now: number;
  onOpen(userId: string): void;
}

/**
 * Shows users as cards, rendered in a deferred update behind skeletons. A synchronous render would block input on a
 * phone.
 */
export function PeopleGrid({ people, now, onOpen }: PeopleGridProps) {
  const drawn = useDeferredValue<readonly Person[] | null>(people, null);
  if (drawn === null) return <LoadingGrid />;
  return (
    <ul className={styles.grid}>
      {drawn.map((person, index) => (
        <li key={person.u_id}>
          <PersonCard person={person} now={now} eager={index < 6} onOpen={() => onOpen(person.u_id)} />
        </li>
      ))}
    </ul>
  );
}

/** Renders the placeholders of cards. */
export function LoadingGrid() {
  return (
    <div role="status" className={styles.grid}>
      <span className="visually-hidden">{m.home_loading()}</span>
      {[0, 1, 2, 3, 4, 5].map((place) => (
        <Skeleton key={place} className={styles.skeleton} />
      ))}
    </div>
  );
}
