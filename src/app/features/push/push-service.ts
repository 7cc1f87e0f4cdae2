/**
 * Registers this device with the product for push messages while the app is closed. Failures are logged and have no
 * other effect.
 */
import * as v from 'valibot';
import { PUSH_LIMITS } from '../../../protocol/product/push.ts';
import type { Clock, Timer } from '../../../common/clock.ts';
import type { KeyValueStore } from '../../core/ports/key-value-store.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { type ReadableStore, createStore } from '../../core/store/store.ts';
import type { Heartbeats } from './heartbeats.ts';
import { noPushBecause, type PushHost } from './push-attempt.ts';
import { PushError } from './push-error.ts';
import type { PushProvider } from './push-provider.ts';
import { within } from './within.ts';

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

/** The requests to the product. */
export interface PushRegistrar {
  publicKey(): Promise<string>;
  save(token: string, heartbeats: string | null): Promise<void>;
  /** Deletes a token. `bearer` is the session that saved the token. That session may have ended on this page. */
  forget(token: string, bearer: string): Promise<void>;
}

interface Dependencies {
  provider: PushProvider;
  registrar: PushRegistrar;
  /** Returns the current properties of the browser. */
  host(): Omit<PushHost, 'hasMessaging'>;
  requestPermission(): Promise<NotificationPermission>;
  /** Resolves to the registration of the app's service worker when it is active. */
  activeRegistration(): Promise<ServiceWorkerRegistration>;
  /** Returns the token of the session. Null without a session. */
  bearer(): string | null;
  /** Returns the user of that session. Null without a session. */
  userId(): string | null;
  heartbeats: Heartbeats;
  storage: KeyValueStore;
  clock: Clock;
  logger: Logger;
}

const TOKEN_KEY = 'push_token';
const OFF_KEY = 'push_off';
const savedToken = v.object({ token: v.string(), u_id: v.string(), saved_at: v.number() });

const DAY_MS = 24 * 60 * 60 * 1_000;

export function createPushService(outside: Dependencies): PushService {
  const { provider, registrar, storage, clock, logger, heartbeats } = outside;
  const state = createStore<PushState>('possible');
  /** The saved token and its session. It is kept after the session ends, for the request that deletes the token. */
  let saved: { bearer: string; token: string } | undefined;
  let nextBeat: Timer | undefined;
  /** Increases with each sign-out, so that work begun before it has no effect. */
  let generation = 0;
  let running: Promise<void> | undefined;

  async function review(): Promise<PushState> {
    const host = { ...outside.host(), hasMessaging: await provider.isSupported().catch(() => false) };
    const reason = noPushBecause(host);
    if (reason !== null) return reason;
    if (host.permission !== 'granted') return 'possible';
    return storage.getItem(OFF_KEY) === null ? 'on' : 'off';
  }

  function start(): Promise<void> {
    if (running !== undefined) return running;
    const mine = run().finally(() => {
      if (running === mine) running = undefined;
    });
    running = mine;
    return mine;
  }

  async function run(): Promise<void> {
    const mine = generation;
    heartbeats.beat();
    beatLater();
    try {
      const reviewed = await review();
      if (mine !== generation) return;
      if (reviewed !== 'on') {
        state.set(reviewed);
        logger.info(`no push: ${reviewed}`);
        return;
      }
      await register(mine);
    } catch (error) {
      if (mine === generation) state.set('failed');
      logger.warn('push was not set up', error);
    }
  }

  async function register(mine: number): Promise<void> {
    const bearer = outside.bearer();
    const uId = outside.userId();
    if (bearer === null || uId === null) return;
    const registration = await within(
      clock,
      PUSH_LIMITS.activationTimeoutMs,
      outside.activeRegistration(),
      () => new PushError('activation-timeout', 'the service worker did not become active'),
    );
    const vapidKey = await registrar.publicKey();
    const token = await within(
      clock,
      PUSH_LIMITS.installationTimeoutMs,
      provider.getToken({ vapidKey, registration }),
      () => new PushError('installation-timeout', 'the push service did not answer'),
    );
    if (mine !== generation) return;
    if (isDue(token, uId)) {
      await registrar.save(token, heartbeats.header());
      if (mine !== generation) return;
      heartbeats.markSent();
      storage.setItem(TOKEN_KEY, JSON.stringify({ token, u_id: uId, saved_at: clock.wallTime() }));
    }
    saved = { bearer, token };
    state.set('on');
  }

  /** Returns true when the token must be saved: for another user, a new token, or an old record. */
  function isDue(token: string, uId: string): boolean {
    const known = readSaved(storage);
    return (
      known?.token !== token || known.u_id !== uId || clock.wallTime() - known.saved_at >= PUSH_LIMITS.tokenRefreshMs
    );
  }

  /** Schedules the next heartbeat, since a page may stay open for weeks. */
  function beatLater(): void {
    nextBeat?.cancel();
    nextBeat = clock.after(DAY_MS, () => void start());
  }

  async function forget(): Promise<void> {
    const forgotten = saved;
    saved = undefined;
    try {
      await Promise.all([provider.deleteToken(), forgotten && registrar.forget(forgotten.token, forgotten.bearer)]);
    } catch (error) {
      logger.warn('the push token was not deleted', error);
    }
  }

  function stop(): void {
    generation += 1;
    running = undefined;
    nextBeat?.cancel();
  }

  return {
    state,
    start,
    async enable() {
      storage.removeItem(OFF_KEY);
      try {
        await outside.requestPermission();
      } catch (error) {
        logger.warn('the permission for notifications was not requested', error);
      }
      // A run that began before the user's answer does not know the permission.
      await running;
      await start();
    },
    async disable() {
      storage.setItem(OFF_KEY, '1');
      storage.removeItem(TOKEN_KEY);
      state.set('off');
      await forget();
    },
    signedOut() {
      stop();
      void forget();
    },
    stop,
  };
}

function readSaved(storage: KeyValueStore): v.InferOutput<typeof savedToken> | null {
  try {
    return v.parse(savedToken, JSON.parse(storage.getItem(TOKEN_KEY) ?? ''));
  } catch {
    return null;
  }
}
