import { Link } from 'react-router-dom';
import type { Channel } from '../../../../protocol/product/chat.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Avatar } from '../../../ui/people/avatar.tsx';
import styles from './recently-talked.module.css';

/** Shows the users of the latest chats. Renders nothing without chats. */
export function RecentlyTalked({ channels }: { channels: readonly Channel[] }) {
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
