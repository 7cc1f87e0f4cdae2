import { MapPinOff } from 'lucide-react';
import { Link } from 'react-router-dom';
import { m } from '../../core/i18n/generated/messages.js';
import { buttonClass } from '../../../ui/kit/button.tsx';
import { StateCard } from '../../../ui/kit/state-card.tsx';
import styles from './not-found.module.css';

export default function NotFound() {
  return (
    <main className={styles.page}>
      <StateCard level={1} icon={<MapPinOff />} title={m.not_found_title()} hint={m.not_found_hint()}>
        <Link to="/home" className={buttonClass('primary')}>
          {m.not_found_action()}
        </Link>
      </StateCard>
    </main>
  );
}
