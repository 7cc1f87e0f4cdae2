import { m } from '../../core/i18n/generated/messages.js';
import styles from './screen-loading.module.css';

/** What is seen while a screen is on its way: the text is the specification's (app-shell §2). */
export function ScreenLoading() {
  return (
    <p role="status" className={styles.loading}>
      {m.screen_loading()}
    </p>
  );
}
