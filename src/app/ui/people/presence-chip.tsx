import type { Person } from '../../../protocol/product/people.ts';
import { formatAgo } from '../../core/i18n/format.ts';
import { m } from '../../core/i18n/generated/messages.js';
import styles from './presence-chip.module.css';

type Presence = Pick<Person, 'presence' | 'last_seen_at'>;

/** Shows whether a user is online, as a dot and as text: never by colour alone. */
export function PresenceChip({ of, now }: { of: Presence; now: number }) {
  return (
    <span className={styles.chip} data-presence={of.presence}>
      <span className={styles.dot} aria-hidden="true" />
      {presenceText(of, now)}
    </span>
  );
}

/** Returns the presence of a user as text. */
export function presenceText({ presence, last_seen_at }: Presence, now: number): string {
  switch (presence) {
    case 'online':
      return m.presence_online();
    case 'in_call':
      return m.presence_in_call();
    case 'offline':
      return last_seen_at === null ? m.presence_offline() : formatAgo(last_seen_at, now);
    default:
      return presence satisfies never;
  }
}
