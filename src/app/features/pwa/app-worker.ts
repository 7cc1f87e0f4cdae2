import type { Clock, Timer } from '../../../common/clock.ts';
import type { Logger } from '../../core/ports/ports.ts';
import { SKIP_WAITING } from './worker-messages.ts';
import { type ReadableStore, createStore } from '../../../common/store.ts';

/** The part of the browser's service workers that the app uses. */
export type WorkerPort = Pick<ServiceWorker, 'state' | 'postMessage' | 'addEventListener'>;
export interface RegistrationPort extends Pick<ServiceWorkerRegistration, 'addEventListener'> {
  readonly installing: WorkerPort | null;
  readonly waiting: WorkerPort | null;
  readonly active: WorkerPort | null;
  update(): Promise<unknown>;
}
export interface WorkerContainerPort extends Pick<ServiceWorkerContainer, 'addEventListener' | 'removeEventListener'> {
  readonly controller: unknown;
  /** Registers a service worker. Resolves to undefined with some drivers and extensions that block service workers. */
  register(url: string, options: RegistrationOptions): Promise<RegistrationPort | undefined>;
}

/** The service worker of the app, as the page controls it. */
export interface AppWorker {
  /** True once the first service worker has stored everything for offline use. */
  readonly offlineReady: ReadableStore<boolean>;
  /** True when a newer version than that of this page waits, or another page has activated it. */
  readonly hasUpdate: ReadableStore<boolean>;
  start(): void;
  /** Activates the newer version and reloads the page. */
  update(): void;
  dispose(): void;
}

interface Dependencies {
  container: WorkerContainerPort;
  url: string;
  reload(): void;
  clock: Clock;
  logger: Logger;
}

/** The interval of checks for a new version. Browsers check at navigations, which are rare in this app. */
const LOOK_EVERY_MS = 60 * 60 * 1_000;

export function createAppWorker(outside: Dependencies): AppWorker {
  const { container, clock, logger } = outside;
  const offlineReady = createStore(false);
  const hasUpdate = createStore(false);
  const wasControlled = container.controller !== null;
  let registration: RegistrationPort | undefined;
  let isAgreed = false;
  let nextLook: Timer | undefined;
  let isDisposed = false;

  async function register(): Promise<void> {
    try {
      registration = await container.register(outside.url, { updateViaCache: 'none' });
    } catch (error) {
      logger.warn('the app will not work offline', error);
    }
    if (registration === undefined || isDisposed) return;
    if (registration.waiting !== null && registration.active !== null) hasUpdate.set(true);
    followInstalls(registration, { onFirst: () => offlineReady.set(true), onNewer: () => hasUpdate.set(true) });
    lookLater(registration);
  }

  function lookLater(at: RegistrationPort): void {
    nextLook = clock.after(LOOK_EVERY_MS, () => {
      at.update().catch((error: unknown) => logger.info('the check for a newer version failed', error));
      lookLater(at);
    });
  }

  function onControllerChange(): void {
    if (isAgreed) outside.reload();
    // The user has agreed in another page of the app. This page still shows the old version, and asks separately.
    else if (wasControlled) hasUpdate.set(true);
  }

  return {
    offlineReady,
    hasUpdate,
    start() {
      container.addEventListener('controllerchange', onControllerChange);
      void register();
    },
    update() {
      isAgreed = true;
      const waiting = registration?.waiting;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
      if (waiting) waiting.postMessage(SKIP_WAITING);
      else outside.reload();
    },
    dispose() {
      isDisposed = true;
      nextLook?.cancel();
      container.removeEventListener('controllerchange', onControllerChange);
    },
  };
}

interface InstallHandlers {
  /** Called when the first worker is active. */
  onFirst(): void;
  /** Called when a newer worker is installed. */
  onNewer(): void;
}

/** Follows the present and each later worker of a registration until it is ready. */
function followInstalls(registration: RegistrationPort, { onFirst, onNewer }: InstallHandlers): void {
  function follow({ installing, active }: RegistrationPort): void {
    if (installing === null) return;
    const isFirst = active === null;
    installing.addEventListener('statechange', () => {
      if (isFirst && installing.state === 'activated') onFirst();
      if (!isFirst && installing.state === 'installed') onNewer();
    });
  }
  follow(registration);
  registration.addEventListener('updatefound', () => follow(registration));
}
