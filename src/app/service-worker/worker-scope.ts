/**
 * The part of a service worker's global scope that ours uses. The types of pages and of workers cannot be had together,
 * and these files are tested outside of any worker.
 */
export interface WorkerEvent {
  /** The event lasts until the promise is settled. */
  waitUntil(work: Promise<unknown>): void;
}

export interface WorkerPushEvent extends WorkerEvent {
  readonly data: { text(): string } | null;
}

export interface WorkerNotificationEvent extends WorkerEvent {
  readonly notification: Pick<Notification, 'close'>;
}

export interface WorkerMessageEvent extends WorkerEvent {
  readonly data: unknown;
}

interface WorkerEvents {
  install: WorkerEvent;
  activate: WorkerEvent;
  push: WorkerPushEvent;
  notificationclick: WorkerNotificationEvent;
  message: WorkerMessageEvent;
}

export interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly navigator: { readonly languages: readonly string[] };
  readonly registration: Pick<ServiceWorkerRegistration, 'showNotification'>;
  readonly clients: { openWindow(url: string): Promise<unknown> };
  /** Only where the browser lets a worker read cookies. */
  readonly cookieStore?: { get(name: string): Promise<{ readonly value?: string } | null> };
  /** What the server that serves the worker says of its settings and headers: another value is another deployment. */
  readonly __DEPLOYMENT__?: string;
  skipWaiting(): Promise<void>;
  addEventListener<Type extends keyof WorkerEvents>(type: Type, listener: (event: WorkerEvents[Type]) => void): void;
}
