import type { NotificationHost } from '../push/foreground-push.ts';
import type { PushGlobals } from '../push/push-globals.ts';
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
