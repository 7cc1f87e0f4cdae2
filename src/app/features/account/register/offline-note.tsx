import { WifiOff } from 'lucide-react';
import { m } from '../../../core/i18n/generated/messages.js';
import { useServices } from '../../../services/services-context.ts';
import { useStore } from '../../../core/store/use-store.ts';
import styles from './page.module.css';

/** Explains that the device is offline. The form keeps its input. */
export function OfflineNote() {
  const { online } = useServices();
  return (
    <div role="status">
      {!useStore(online) && (
        <p className={styles.offline}>
          <WifiOff aria-hidden="true" size={18} />
          {m.register_offline()}
        </p>
      )}
    </div>
  );
}
