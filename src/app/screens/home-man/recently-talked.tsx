import { Link } from 'react-router-dom';
import { m } from '../../i18n/generated/messages.js';
import { Avatar } from '../../kit/avatar.tsx';
import { useProductPages } from '../../product/use-product.ts';
import styles from './recently-talked.module.css';

/** Those with whom one spoke last. */
export const useRecentlyTalked = () => useProductPages('channels', { query: { limit: '12' } });

/** With whom one spoke last. Nothing, as long as there is nobody. */
export function RecentlyTalked() {
  const { data } = useRecentlyTalked();
  if (data === undefined || data.length === 0) return null;
  return (
    <section className={styles.row} aria-labelledby="recently-talked">
      <h2 id="recently-talked">{m.home_recent()}</h2>
      <ul>
        {data.map(({ channel_url, companion }) => (
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
