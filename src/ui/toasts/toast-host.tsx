import { X } from 'lucide-react';
import { m } from '../../app/core/i18n/generated/messages.js';
import { useUi } from '../../app/ui/use-ui.ts';
import { useStore } from '../store/use-store.ts';
import styles from './toast-host.module.css';

/**
 * Shows the toasts. The region is in the page before its texts, because screen readers announce only changes of a known
 * region.
 */
export function ToastHost() {
  const { toasts } = useUi();
  return (
    <div role="status" className={styles.toasts}>
      {useStore(toasts.shown).map(({ id, text }) => (
        <div key={id} className={styles.toast}>
          <span>{text}</span>
          <button type="button" aria-label={m.dismiss()} onClick={() => toasts.dismiss(id)}>
            <X aria-hidden="true" size={20} />
          </button>
        </div>
      ))}
    </div>
  );
}
