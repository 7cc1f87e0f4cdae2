import type { InstallPromptEvent } from '../../features/pwa/install.ts';
import type { PwaHost } from '../../features/pwa/pwa-host.ts';

/** A browser that supports push and has not asked the user yet. */
export class FakePwaHost implements PwaHost {
  readonly userAgent =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
  readonly isIos: boolean;
  readonly isStandalone = false;
  readonly workers = Object.assign(new EventTarget(), { controller: null, register: () => Promise.resolve(undefined) });
  readonly badge = null;
  readonly wakeLock = null;
  readonly mediaSession = null;

  readonly notifications: PwaHost['notifications'] = {
    origin: 'https://ringback.example',
    permission: () => 'default',
    show: () => Object.assign(new EventTarget(), { close: () => {} }),
    showFromWorker: () => Promise.resolve(),
    openTab: () => {},
  };
  readonly globals = { window: {}, navigator: { serviceWorker: {} }, PushManager: {}, Notification: {}, indexedDB: {} };
  readonly events = new EventTarget();
  readonly page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const });

  constructor({ isIos = false }: { isIos?: boolean } = {}) {
    this.isIos = isIos;
  }

  requestPermission = (): Promise<NotificationPermission> => Promise.resolve('default');
  activeRegistration = (): Promise<ServiceWorkerRegistration> => new Promise(() => {});
  callMetadata: PwaHost['callMetadata'] = () => new MediaMetadata();
  copy = (): Promise<void> => Promise.resolve();
  reload = (): void => {};

  /** Emits the browser's offer to install the app. */
  offerInstall(): void {
    const event = new Event('beforeinstallprompt', { cancelable: true });
    const prompt: InstallPromptEvent = Object.assign(event, { prompt: () => Promise.resolve() });
    this.events.dispatchEvent(prompt);
  }
}
