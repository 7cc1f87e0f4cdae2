import { WifiOff } from 'lucide-react';
import { m } from '../../../core/i18n/generated/messages.js';
import { useIsOnline } from '../../../core/hooks/areas.ts';
import styles from './page.module.css';

/** Explains that the device is offline. The form keeps its input. */
export function OfflineNote() {
  const isOnline = useIsOnline();
  return (
    <div role="status">
      {!isOnline && (
        <p className={styles.offline}>
          <WifiOff aria-hidden="true" size={18} />
          {m.register_offline()}
        </p>
      )}
    </div>
  );
}
