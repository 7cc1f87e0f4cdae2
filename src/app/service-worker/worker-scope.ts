/** An event of a service worker. */
export interface WorkerEvent {
  /** Extends the event until the promise is settled. */
  waitUntil(work: Promise<unknown>): void;
}

export interface WorkerPushEvent extends WorkerEvent {
  readonly data: { text(): string } | null;
}

export interface WorkerNotificationEvent extends WorkerEvent {
  readonly notification: Pick<Notification, 'close' | 'data'>;
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

/**
 * The part of the global scope that this service worker uses. TypeScript cannot load the types of pages and of workers
 * together. The tests of these files run outside of a worker.
 */
export interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly navigator: { readonly languages: readonly string[] };
  readonly registration: Pick<ServiceWorkerRegistration, 'showNotification'>;
  readonly clients: { openWindow(url: string): Promise<unknown> };
  /** The cookies. Undefined when the browser does not let a worker read them. */
  readonly cookieStore?: { get(name: string): Promise<{ readonly value?: string } | null> };
  /** A hash of the server's settings and headers, which the server adds. Another value is another deployment. */
  readonly __DEPLOYMENT__?: string;
  skipWaiting(): Promise<void>;
  addEventListener<Type extends keyof WorkerEvents>(type: Type, listener: (event: WorkerEvents[Type]) => void): void;
}
