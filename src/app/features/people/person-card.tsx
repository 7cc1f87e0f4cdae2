import { BadgeCheck } from 'lucide-react';
import type { Person } from '../../../protocol/product/people.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { CoinPrice } from '../../ui/money/coin-price.tsx';
import { Picture } from '../../ui/people/picture.tsx';
import { PresenceChip, presenceText } from '../../ui/people/presence-chip.tsx';
import styles from './person-card.module.css';

interface PersonCardProps {
  person: Person;
  now: number;
  eager: boolean;
  /** Opens the user. Default: the card is not interactive. */
  onOpen?(): void;
}

/** Shows a user with a photo, name, city, presence and price of a minute. */
export function PersonCard({ person, now, eager, onOpen }: PersonCardProps) {
  const name = person.nickname || person.u_id;
  return (
    <button
      type="button"
      className={styles.card}
      aria-haspopup={onOpen === undefined ? undefined : 'dialog'}
      disabled={onOpen === undefined}
      aria-label={m.person_open({
        name,
        age: person.age,
        city: person.city,
        presence: presenceText(person, now),
      })}
      data-presence={person.presence}
      onClick={onOpen}
    >
      <Picture url={person.profile_url} shape="portrait" eager={eager} />
      <span className={styles.chip}>
        <PresenceChip of={person} now={now} />
      </span>
      <span className={styles.words}>
        <span className={styles.name}>
          <strong>{name}</strong>
          <span>{person.age}</span>
          {person.verified && <BadgeCheck aria-hidden="true" className={styles.verified} />}
        </span>
        <span className={styles.place}>
          <span>{person.city}</span>
          {person.price > 0 && <CoinPrice price={person.price} />}
        </span>
      </span>
    </button>
  );
}
