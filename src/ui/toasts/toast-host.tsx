import { X } from 'lucide-react';
import { useStore } from '../store/use-store.ts';
import styles from './toast-host.module.css';
import type { Toasts } from './toasts.ts';

interface ToastHostProps {
  toasts: Pick<Toasts, 'shown' | 'dismiss'>;
  /** The name of the button that removes a toast. */
  dismissLabel: string;
}

/**
 * Shows the toasts. The region is in the page before its texts, because screen readers announce only changes of a known
 * region.
 */
export function ToastHost({ toasts, dismissLabel }: ToastHostProps) {
  return (
    <div role="status" className={styles.toasts}>
      {useStore(toasts.shown).map(({ id, text }) => (
        <div key={id} className={styles.toast}>
          <span>{text}</span>
          <button type="button" aria-label={dismissLabel} onClick={() => toasts.dismiss(id)}>
            <X aria-hidden="true" size={20} />
          </button>
        </div>
      ))}
    </div>
  );
}
