/**
 * Registers this device with the product for push messages while the app is closed. Failures are logged and have no
 * other effect.
 */
import type { Timer } from '../../../common/clock.ts';
import { type ReadableStore, createStore } from '../../../common/store.ts';
import { type RegistrationPorts, createPushRegistration } from './push-registration.ts';
import { inAppWebview } from './webview-warning.ts';

/** The state of push messages on this device. */
export type PushState =
  | 'unsupported'
  | 'in-app-webview'
  | 'denied'
  /** The browser has not asked the user. */
  | 'possible'
  /** Permitted by the browser, and turned off in the app. */
  | 'off'
  | 'on'
  /** Permitted by the browser, but the registration failed. The next start retries it. */
  | 'failed';

/** A registration of this device for push messages. */
export interface PushService {
  readonly state: ReadableStore<PushState>;
  /** Registers this device after a sign-in. */
  start(): Promise<void>;
  /**
   * Asks for the browser's permission and registers this device if granted. Must be called from a press of the user.
   */
  enable(): Promise<void>;
  /** Stops push messages to this device until `enable`. */
  disable(): Promise<void>;
  /** Removes this device from the product after a sign-out. */
  signedOut(): void;
  /** Stops the service and keeps the registration of this device. */
  stop(): void;
}

interface Dependencies extends RegistrationPorts {
  /** Returns the current properties of the browser. */
  host(): Omit<PushHost, 'hasMessaging'>;
  requestPermission(): Promise<NotificationPermission>;
}

const OFF_KEY = 'push_off';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Creates the service. The caller starts it. */
export function createPushService(outside: Dependencies): PushService {
  const { storage, clock, logger, heartbeats } = outside;
  const state = createStore<PushState>('possible');
  const registration = createPushRegistration(outside);
  const run = createSharedRun(register);
  let nextBeat: Timer | undefined;

  async function register(isCurrent: () => boolean): Promise<void> {
    heartbeats.beat();
    beatLater();
    try {
      const reviewed = await review(outside);
      if (!isCurrent()) return;
      if (reviewed !== 'on') {
        state.set(reviewed);
        logger.info(`no push: ${reviewed}`);
      } else if (await registration.register(isCurrent)) state.set('on');
    } catch (error) {
      if (isCurrent()) state.set('failed');
      logger.warn('push was not set up', error);
    }
  }

  /** Schedules the next heartbeat, since a page may stay open for weeks. */
  function beatLater(): void {
    nextBeat?.cancel();
    nextBeat = clock.after(DAY_MS, () => void run.start());
  }

  function stop(): void {
    run.drop();
    nextBeat?.cancel();
  }

  return {
    state,
    start: run.start,
    async enable() {
      storage.removeItem(OFF_KEY);
      await askPermission(outside);
      // A run that began before the user's answer does not know the permission.
      await run.running();
      await run.start();
    },
    async disable() {
      storage.setItem(OFF_KEY, '1');
      registration.clearRecord();
      state.set('off');
      await registration.forget();
    },
    signedOut() {
      stop();
      void registration.forget();
    },
    stop,
  };
}

/** Returns the state that the browser and the user allow. `on`: the device can be registered. */
async function review({ host: look, provider, storage }: Dependencies): Promise<PushState> {
  const host = { ...look(), hasMessaging: await provider.isSupported().catch(() => false) };
  const reason = noPushBecause(host);
  if (reason !== null) return reason;
  if (host.permission !== 'granted') return 'possible';
  return storage.getItem(OFF_KEY) === null ? 'on' : 'off';
}

/** Asks for the permission of the browser. A failure is logged. */
async function askPermission({ requestPermission, logger }: Dependencies): Promise<void> {
  try {
    await requestPermission();
  } catch (error) {
    logger.warn('the permission for notifications was not requested', error);
  }
}

/**
 * Creates a run of `work` that callers share while it is in progress. A run that was dropped is no longer current, and
 * has no effect.
 */
function createSharedRun(work: (isCurrent: () => boolean) => Promise<void>) {
  let generation = 0;
  let running: Promise<void> | undefined;
  return {
    /** Returns the run in progress. Undefined without one. */
    running: () => running,
    start(): Promise<void> {
      if (running !== undefined) return running;
      const begun = generation;
      const mine = work(() => begun === generation).finally(() => {
        if (running === mine) running = undefined;
      });
      running = mine;
      return mine;
    },
    drop(): void {
      generation += 1;
      running = undefined;
    },
  };
}

/** The properties of the browser that push depends on. */
export interface PushHost {
  readonly userAgent: string;
  readonly hasServiceWorkers: boolean;
  /** True when the push provider is supported. */
  readonly hasMessaging: boolean;
  readonly permission: NotificationPermission;
}

/** Returns why push is not attempted (app-shell §5). Returns `null` when it is attempted. */
export function noPushBecause(host: PushHost): 'unsupported' | 'in-app-webview' | 'denied' | null {
  if (!host.hasServiceWorkers || !host.hasMessaging) return 'unsupported';
  if (inAppWebview(host.userAgent) !== null) return 'in-app-webview';
  if (host.permission === 'denied') return 'denied';
  return null;
}
