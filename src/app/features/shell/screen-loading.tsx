import { m } from '../../core/i18n/generated/messages.js';
import styles from './screen-loading.module.css';

/** Shows that a screen is loading. app-shell §2 specifies the text. */
export function ScreenLoading() {
  return (
    <p role="status" className={styles.loading}>
      {m.screen_loading()}
    </p>
  );
}
