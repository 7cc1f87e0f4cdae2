import { m } from '../../../core/i18n/generated/messages.js';
import { NotificationsRow } from '../../push/notifications-row.tsx';
import { InstallRow } from '../../pwa/install-row.tsx';
import styles from './this-device.module.css';

/** Shows the notification setting of this device and the control that installs the app. */
export function ThisDevice() {
  return (
    <section className={styles.device} aria-labelledby="this-device">
      <h2 id="this-device">{m.settings_device()}</h2>
      <NotificationsRow />
      <InstallRow always />
    </section>
  );
}
