import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { SKIP_WAITING } from '../../service-worker/worker-messages.ts';
import { type ReadableStore, createStore } from '../../core/store/store.ts';

/** The parts of the browser's service workers that are used here. */
export type WorkerPort = Pick<ServiceWorker, 'state' | 'postMessage' | 'addEventListener'>;
export interface RegistrationPort extends Pick<ServiceWorkerRegistration, 'addEventListener'> {
  readonly installing: WorkerPort | null;
  readonly waiting: WorkerPort | null;
  readonly active: WorkerPort | null;
  update(): Promise<unknown>;
}
export interface WorkerContainerPort extends Pick<ServiceWorkerContainer, 'addEventListener' | 'removeEventListener'> {
  readonly controller: unknown;
  /** Some drivers and extensions that block service workers answer with nothing. */
  register(url: string, options: RegistrationOptions): Promise<RegistrationPort | undefined>;
}

/** The service worker of the app, from the side of a page. */
export interface AppWorker {
  /** From the moment in which everything is here for the first time. */
  readonly offlineReady: ReadableStore<boolean>;
  /** A newer version than that of this page waits, or has been let in by another page. */
  readonly hasUpdate: ReadableStore<boolean>;
  start(): void;
  /** Goes over to the newer version: the page is loaded again. */
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

/** Browsers look by themselves at a navigation, and this app has few. */
const LOOK_EVERY_MS = 60 * 60 * 1_000;

export function createAppWorker(outside: Dependencies): AppWorker {
  const { container, clock, logger } = outside;
  const offlineReady = createStore(false);
  const hasUpdate = createStore(false);
  const wasControlled = container.controller !== null;
  let registration: RegistrationPort | undefined;
  let isAgreed = false;
  let stopLooking: (() => void) | undefined;
  let isDisposed = false;

  async function register(): Promise<void> {
    try {
      registration = await container.register(outside.url, { updateViaCache: 'none' });
    } catch (error) {
      logger.warn('the app will not work offline', error);
    }
    if (registration === undefined || isDisposed) return;
    if (registration.waiting !== null && registration.active !== null) hasUpdate.set(true);
    follow(registration);
    registration.addEventListener('updatefound', () => {
      if (registration !== undefined) follow(registration);
    });
    lookLater(registration);
  }

  /** Until the worker that is being installed is of use. */
  function follow({ installing, active }: RegistrationPort): void {
    if (installing === null) return;
    const isFirst = active === null;
    installing.addEventListener('statechange', () => {
      if (isFirst && installing.state === 'activated') offlineReady.set(true);
      if (!isFirst && installing.state === 'installed') hasUpdate.set(true);
    });
  }

  function lookLater(at: RegistrationPort): void {
    stopLooking = clock.after(LOOK_EVERY_MS, () => {
      at.update().catch((error: unknown) => logger.info('no newer version could be looked for', error));
      lookLater(at);
    });
  }

  function onControllerChange(): void {
    if (isAgreed) outside.reload();
    // Another page of the app has agreed; this one still shows the old version, and is asked for itself.
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
      stopLooking?.();
      container.removeEventListener('controllerchange', onControllerChange);
    },
  };
}
