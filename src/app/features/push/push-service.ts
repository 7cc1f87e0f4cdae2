/** Keeps the product able to reach this device while the app is closed. What fails is logged, and nothing else happens. */
import * as v from 'valibot';
import { PUSH_LIMITS } from '../../../protocol/product/push.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { KeyValueStore } from '../../core/ports/key-value-store.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { type ReadableStore, createStore } from '../../core/store/store.ts';
import type { Heartbeats } from './heartbeats.ts';
import { noPushBecause, type PushHost } from './push-attempt.ts';
import { PushError } from './push-error.ts';
import type { PushProvider } from './push-provider.ts';
import { within } from './within.ts';

/** Whether this device is told of things while the app is closed. */
export type PushState =
  | 'unsupported'
  | 'in-app-webview'
  | 'denied'
  /** Nobody was asked yet. */
  | 'possible'
  /** Allowed, and turned off in the app. */
  | 'off'
  | 'on'
  /** Allowed, and it did not work; it is tried again at the next start. */
  | 'failed';

export interface PushService {
  readonly state: ReadableStore<PushState>;
  /** Somebody is signed in. */
  start(): Promise<void>;
  /** Asks the browser's question, and makes this device known where the answer is yes. Call it from a press. */
  enable(): Promise<void>;
  /** The device is not told any more, until `enable`. */
  disable(): Promise<void>;
  /** Nobody is signed in any more: the product forgets this device. */
  signedOut(): void;
  /** Stops, and leaves the token of this device as it is. */
  stop(): void;
}

/** The requests to the product. */
export interface PushRegistrar {
  publicKey(): Promise<string>;
  save(token: string, heartbeats: string | null): Promise<void>;
  /** `bearer` is the session that the token was saved in, and may be over on this page. */
  forget(token: string, bearer: string): Promise<void>;
}

interface Dependencies {
  provider: PushProvider;
  registrar: PushRegistrar;
  /** The browser as it is now. */
  host(): Omit<PushHost, 'hasMessaging'>;
  requestPermission(): Promise<NotificationPermission>;
  /** The registration of the app's service worker once that is active. */
  activeRegistration(): Promise<ServiceWorkerRegistration>;
  /** The session's token. */
  bearer(): string | null;
  /** The user of that session. */
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
  /** Whom the token is saved for; it outlives the session by the one request that forgets it. */
  let saved: { bearer: string; token: string } | undefined;
  let stopBeating: (() => void) | undefined;
  /** Goes up at every sign-out: what was begun before it comes to nothing. */
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
      logger.warn('there is no push', error);
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
      heartbeats.told();
      storage.setItem(TOKEN_KEY, JSON.stringify({ token, u_id: uId, saved_at: clock.now() }));
    }
    saved = { bearer, token };
    state.set('on');
  }

  /** The product was told of it by another user, or long ago. */
  function isDue(token: string, uId: string): boolean {
    const known = readSaved(storage);
    return known?.token !== token || known.u_id !== uId || clock.now() - known.saved_at >= PUSH_LIMITS.tokenRefreshMs;
  }

  /** A page may stay open for weeks. */
  function beatLater(): void {
    stopBeating?.();
    stopBeating = clock.after(DAY_MS, () => void start());
  }

  async function forget(): Promise<void> {
    const forgotten = saved;
    saved = undefined;
    try {
      await Promise.all([provider.deleteToken(), forgotten && registrar.forget(forgotten.token, forgotten.bearer)]);
    } catch (error) {
      logger.warn('the push token was not forgotten', error);
    }
  }

  function stop(): void {
    generation += 1;
    running = undefined;
    stopBeating?.();
  }

  return {
    state,
    start,
    async enable() {
      storage.removeItem(OFF_KEY);
      try {
        await outside.requestPermission();
      } catch (error) {
        logger.warn('notifications could not be asked for', error);
      }
      // What began before the answer does not know it.
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
