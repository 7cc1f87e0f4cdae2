import type { NotificationHost } from '../push/foreground-push.ts';
import type { PushGlobals } from '../push/web-push-provider.ts';
import type { WorkerContainerPort } from './app-worker.ts';
import type { BadgePort } from './badge.ts';
import type { MediaSessionPort } from './call-media-session.ts';
import type { WakeLockPort } from './call-wake-lock.ts';

/** The features of the browser beyond a page. `null` when the browser lacks the feature. */
export interface PwaHost {
  readonly userAgent: string;
  readonly isIos: boolean;
  /** True when the app runs in a separate window, without the controls of a browser. */
  readonly isStandalone: boolean;
  readonly workers: WorkerContainerPort | null;
  readonly badge: BadgePort | null;
  readonly wakeLock: WakeLockPort | null;
  readonly mediaSession: MediaSessionPort | null;
  readonly notifications: NotificationHost;
  /** The globals that push depends on. */
  readonly globals: PushGlobals;
  /** The target of the browser's installation events. */
  readonly events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  readonly page: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;
  requestPermission(): Promise<NotificationPermission>;
  activeRegistration(): Promise<ServiceWorkerRegistration>;
  callMetadata(words: { title: string; artist: string; picture: string | null }): MediaMetadata;
  copy(text: string): Promise<void>;
  reload(): void;
}

/** Returns the features of the browser around this page. Some browsers lack features that the DOM types declare. */
export function browserPwaHost(): PwaHost {
  const { userAgent, maxTouchPoints } = navigator;
  const parts: {
    serviceWorker?: ServiceWorkerContainer;
    wakeLock?: WakeLock;
    mediaSession?: MediaSession;
    setAppBadge?: unknown;
    standalone?: boolean;
  } = navigator;
  return {
    userAgent,
    // An iPad has the user agent of a Mac, and no Mac has a touch screen.
    isIos: /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1),
    isStandalone: parts.standalone === true || matchMedia('(display-mode: standalone)').matches,
    workers: parts.serviceWorker ?? null,
    badge: parts.setAppBadge === undefined ? null : (navigator satisfies BadgePort),
    wakeLock: parts.wakeLock ?? null,
    mediaSession: (parts.mediaSession as MediaSessionPort | undefined) ?? null,
    notifications: {
      origin: location.origin,
      permission: () => ('Notification' in globalThis ? Notification.permission : 'denied'),
      show: (title, options) => new Notification(title, options),
      showFromWorker: async (title, options) => {
        const registration = await navigator.serviceWorker.ready;
        await registration.showNotification(title, options);
      },
      openTab: (url) => void open(url, '_blank', 'noopener'),
    },
    globals: globalThis,
    events: globalThis,
    page: document,
    requestPermission: () => Notification.requestPermission(),
    activeRegistration: () => navigator.serviceWorker.ready,
    callMetadata: ({ title, artist, picture }) =>
      new MediaMetadata({ title, artist, artwork: picture === null ? [] : [{ src: picture }] }),
    copy: (text) => navigator.clipboard.writeText(text),
    reload: () => location.reload(),
  };
}
