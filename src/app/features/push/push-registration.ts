import * as v from 'valibot';
import { PUSH_LIMITS } from '../../../protocol/product/push.ts';
import type { Clock } from '../../../common/clock.ts';
import type { KeyValueStore } from '../../core/ports/key-value-store.ts';
import type { Logger } from '../../core/ports/ports.ts';
import type { Heartbeats } from './heartbeats.ts';
import { PushError, type PushProvider } from './push-provider.ts';
import type { AppConfig } from '../../../protocol/product/config.ts';
import type { ProductClient } from '../../core/product/product-client.ts';

/** The requests to the product. */
export interface PushRegistrar {
  publicKey(): Promise<string>;
  save(token: string, heartbeats: string | null): Promise<void>;
  /** Deletes a token. `bearer` is the session that saved the token. That session may have ended on this page. */
  forget(token: string, bearer: string): Promise<void>;
}

/** The registration of this device with the push service and the product. */
export interface PushRegistration {
  /**
   * Gets a token of the push service and saves it with the product, if that is due. Stops when `isCurrent` returns
   * false.
   *
   * @returns whether this device is registered. False without a session, and after an early stop.
   */
  register(isCurrent: () => boolean): Promise<boolean>;
  /** Deletes the token from the push service and from the product. A failure is logged. */
  forget(): Promise<void>;
  /** Deletes the record of the saved token, so that the next registration saves it again. */
  clearRecord(): void;
}

/** The dependencies of a registration. */
export interface RegistrationPorts {
  readonly provider: PushProvider;
  readonly registrar: PushRegistrar;
  /** Resolves to the registration of the app's service worker when it is active. */
  activeRegistration(): Promise<ServiceWorkerRegistration>;
  /** Returns the token of the session. Null without a session. */
  bearer(): string | null;
  /** Returns the user of that session. Null without a session. */
  userId(): string | null;
  readonly heartbeats: Heartbeats;
  readonly storage: KeyValueStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

const TOKEN_KEY = 'push_token';
const savedToken = v.object({ token: v.string(), u_id: v.string(), saved_at: v.number() });

export function createPushRegistration(outside: RegistrationPorts): PushRegistration {
  const { provider, registrar, storage, clock, heartbeats } = outside;
  /** The saved token and its session. It is kept after the session ends, for the request that deletes the token. */
  let saved: { bearer: string; token: string } | undefined;

  /** Returns true when the token must be saved: for another user, a new token, or an old record. */
  function isDue(token: string, uId: string): boolean {
    const known = readSaved(storage);
    return (
      known?.token !== token || known.u_id !== uId || clock.wallTime() - known.saved_at >= PUSH_LIMITS.tokenRefreshMs
    );
  }

  async function getToken(): Promise<string> {
    const registration = await within(
      clock,
      PUSH_LIMITS.activationTimeoutMs,
      outside.activeRegistration(),
      () => new PushError('activation-timeout', 'the service worker did not become active'),
    );
    const vapidKey = await registrar.publicKey();
    return await within(
      clock,
      PUSH_LIMITS.installationTimeoutMs,
      provider.getToken({ vapidKey, registration }),
      () => new PushError('installation-timeout', 'the push service did not answer'),
    );
  }

  return {
    async register(isCurrent) {
      const bearer = outside.bearer();
      const uId = outside.userId();
      if (bearer === null || uId === null) return false;
      const token = await getToken();
      if (!isCurrent()) return false;
      if (isDue(token, uId)) {
        await registrar.save(token, heartbeats.header());
        if (!isCurrent()) return false;
        heartbeats.markSent();
        storage.setItem(TOKEN_KEY, JSON.stringify({ token, u_id: uId, saved_at: clock.wallTime() }));
      }
      saved = { bearer, token };
      return true;
    },
    async forget() {
      const forgotten = saved;
      saved = undefined;
      try {
        await Promise.all([provider.deleteToken(), forgotten && registrar.forget(forgotten.token, forgotten.bearer)]);
      } catch (error) {
        outside.logger.warn('the push token was not deleted', error);
      }
    },
    clearRecord: () => storage.removeItem(TOKEN_KEY),
  };
}

function readSaved(storage: KeyValueStore): v.InferOutput<typeof savedToken> | null {
  try {
    return v.parse(savedToken, JSON.parse(storage.getItem(TOKEN_KEY) ?? ''));
  } catch {
    return null;
  }
}

/** Settles with the work. Rejects with `late()` when the work takes longer than `ms` milliseconds. */
function within<T>(clock: Clock, ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const limit = clock.after(ms, () => reject(late()));
    work.then(resolve, reject).finally(() => limit.cancel());
  });
}

interface Outside {
  push: AppConfig['push'];
  product: Pick<ProductClient, 'ask'>;
  /** Creates a client that sends its requests with this session. */
  productAs(bearer: string): Pick<ProductClient, 'ask'>;
}

/** Creates the registrar that saves push tokens with the product. */
export function createPushRegistrar({ push, product, productAs }: Outside): PushRegistrar {
  return {
    async publicKey() {
      if (push?.provider === 'fcm') return push.vapid_key;
      return (await product.ask('pushPublicKey', {})).public_key;
    },
    async save(token, header) {
      await product.ask('savePushToken', { body: { token }, header });
    },
    async forget(token, bearer) {
      await productAs(bearer).ask('forgetPushToken', { body: { token } });
    },
  };
}
