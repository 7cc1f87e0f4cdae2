import type { PushPayload } from '../../../protocol/product/push.ts';
import type { Locale } from '../../core/i18n/locale.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { pushNotification } from './push-notification.ts';

/** The browser's notifications, and the product's site. */
export interface NotificationHost {
  readonly origin: string;
  permission(): NotificationPermission;
  /** Shown by the page; throws in browsers that leave that to the service worker. */
  show(title: string, options: NotificationOptions): Pick<Notification, 'addEventListener' | 'close'>;
  /** Shown by the service worker, which takes the click too. */
  showFromWorker(title: string, options: NotificationOptions): Promise<void>;
  /** Opens an address of this site in a new tab. */
  openTab(url: string): void;
}

interface Dependencies {
  host: NotificationHost;
  locale(): Locale;
  /** For whoever gave no permission: a word inside the page. */
  toast(text: string): void;
  logger: Logger;
}

/** Shows a message that came while the page is open (app-shell §4). */
export function createForegroundPush({ host, locale, toast, logger }: Dependencies): (payload: PushPayload) => void {
  return (payload) => {
    const { title, options } = pushNotification(payload, host.origin, locale());
    if (host.permission() !== 'granted') {
      toast(title);
      return;
    }
    try {
      const notification = host.show(title, options);
      notification.addEventListener('click', () => {
        notification.close();
        host.openTab(`${host.origin}/`);
      });
    } catch {
      host.showFromWorker(title, options).catch((error: unknown) => {
        logger.warn('a notification was not shown', error);
        toast(title);
      });
    }
  };
}
