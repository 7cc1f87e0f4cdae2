import type { NotificationHost } from '../push/foreground-push.ts';
import type { PushGlobals } from '../push/push-globals.ts';
import type { WorkerContainerPort } from './app-worker.ts';
import type { BadgePort } from './badge.ts';
import type { MediaSessionPort } from './call-media-session.ts';
import type { WakeLockPort } from './call-wake-lock.ts';

/** What the browser gives an app beyond a page; `null` is what this one does not have. */
export interface PwaHost {
  readonly userAgent: string;
  readonly isIos: boolean;
  /** The app runs by itself, without a browser around it. */
  readonly isStandalone: boolean;
  readonly workers: WorkerContainerPort | null;
  readonly badge: BadgePort | null;
  readonly wakeLock: WakeLockPort | null;
  readonly mediaSession: MediaSessionPort | null;
  readonly notifications: NotificationHost;
  /** What push goes by. */
  readonly globals: PushGlobals;
  /** Where the browser tells of installing. */
  readonly events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  readonly page: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;
  requestPermission(): Promise<NotificationPermission>;
  activeRegistration(): Promise<ServiceWorkerRegistration>;
  callMetadata(words: { title: string; artist: string; picture: string | null }): MediaMetadata;
  copy(text: string): Promise<void>;
  reload(): void;
}
