import type { PushPayload } from '../../../protocol/product/push.ts';
import type { Locale } from '../../core/i18n/locale.ts';
import type { Logger } from '../../core/ports/ports.ts';
import { pushNotification } from './push-notification.ts';

/** The notifications of the browser, and the origin of the product. */
export interface NotificationHost {
  readonly origin: string;
  permission(): NotificationPermission;
  /**
   * Shows a notification from the page.
   * @throws TypeError in browsers that permit this only to the service worker.
   */
  show(title: string, options: NotificationOptions): Pick<Notification, 'addEventListener' | 'close'>;
  /** Shows a notification from the service worker, which also handles its click. */
  showFromWorker(title: string, options: NotificationOptions): Promise<void>;
  /** Opens an address of this origin in a new tab. */
  openTab(url: string): void;
}

interface Dependencies {
  host: NotificationHost;
  locale(): Locale;
  /** Shows a message inside the page, for users who have not permitted notifications. */
  toast(text: string): void;
  logger: Logger;
}

/** Creates the function that shows a push message while the page is open (app-shell §4). */
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
        host.openTab(`${host.origin}${options.data}`);
      });
    } catch {
      host.showFromWorker(title, options).catch((error: unknown) => {
        logger.warn('a notification was not shown', error);
        toast(title);
      });
    }
  };
}
