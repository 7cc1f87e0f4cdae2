import type { DemoUser } from '../../../protocol/product.ts';
import { Picture } from '../../kit/picture.tsx';
import styles from './mosaic.module.css';

const PLACES = [0, 1, 2, 3, 4, 5];

/** Six of the people who are here. Its room is kept while they are on their way, so that nothing jumps. */
export function Mosaic({ users }: { users: readonly DemoUser[] }) {
  return (
    <ul className={styles.mosaic} aria-hidden="true">
      {PLACES.map((place) => {
        const user = users[place];
        return (
          <li key={place} data-filled={user !== undefined || undefined}>
            {user !== undefined && <Picture url={user.profile_url} shape="portrait" eager />}
          </li>
        );
      })}
    </ul>
  );
}
