import { ChevronRight } from 'lucide-react';
import { useLocation } from 'react-router-dom';
import { m } from '../../../core/i18n/generated/messages.js';
import { ListRow } from '../../../../ui/kit/list-row.tsx';
import { useSession } from '../../../core/hooks/areas.ts';
import { placesOf } from '../../shell/places.ts';
import { useStore } from '../../../../ui/store/use-store.ts';
import styles from './place-list.module.css';

/** Lists the links from the user's page to the screens of the account. */
export function PlaceList() {
  const { genderType } = useStore(useSession().user.user);
  const { pathname } = useLocation();
  return (
    <nav aria-label={m.hub_links()}>
      <ul className={styles.places}>
        {placesOf(genderType)
          .filter(({ to }) => to !== pathname)
          .map(({ to, label }) => (
            <li key={to}>
              <ListRow to={to} title={label()} end={<ChevronRight aria-hidden="true" size={18} />} />
            </li>
          ))}
      </ul>
    </nav>
  );
}
