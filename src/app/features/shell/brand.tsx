import { m } from '../../core/i18n/generated/messages.js';
import styles from './brand.module.css';

/** Renders the logo, two arcs that call and answer, and the name. */
export function Brand({ className = '' }: { className?: string | undefined }) {
  return (
    <span className={`${styles.brand} ${className}`}>
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <circle cx="16" cy="16" r="4.5" fill="currentColor" />
        <path
          d="M8.2 23.8a11 11 0 0 1 0-15.6M23.8 8.2a11 11 0 0 1 0 15.6"
          fill="none"
          stroke="currentColor"
          strokeWidth="3.4"
          strokeLinecap="round"
        />
      </svg>
      {m.app_name()}
    </span>
  );
}
