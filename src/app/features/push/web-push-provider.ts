/** Push by the web standards (RFC 8030, 8291, 8292): the push service of the browser, and the key of the product. */
import { PUSH_LIMITS } from '../../../protocol/product/push.ts';
import type { Clock } from '../../../common/clock.ts';
import { decodeBase64Url, encodeBase64Url } from './base64url.ts';
import { PushError, type PushProvider } from './push-provider.ts';

/** Creates the provider. The token is the subscription as JSON in base64url. */
export function createWebPushProvider({ globals, clock }: { globals: PushGlobals; clock: Clock }): PushProvider {
  let held: PushSubscription | undefined;

  return {
    isSupported() {
      try {
        assertPushIsPossible(globals);
        return Promise.resolve(true);
      } catch {
        return Promise.resolve(false);
      }
    },
    async getToken({ vapidKey, registration }) {
      assertPushIsPossible(globals);
      const key = decodeBase64Url(vapidKey);
      const present = await registration.pushManager.getSubscription();
      if (present !== null && isOfUse(present, key, clock.wallTime())) {
        held = present;
      } else {
        await present?.unsubscribe();
        held = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
      }
      const { endpoint, keys } = held.toJSON();
      if (!endpoint || !keys?.['p256dh'] || !keys['auth']) {
        throw new PushError('no-token', 'the subscription has no address or no keys');
      }
      return encodeBase64Url(new TextEncoder().encode(JSON.stringify(held.toJSON())));
    },
    // An open page receives every event on its own socket.
    onForeground: () => () => {},
    async deleteToken() {
      const dropped = held;
      held = undefined;
      await dropped?.unsubscribe();
    },
  };
}

/** Returns true when the subscription has the key of the product and does not expire soon. */
function isOfUse({ options, expirationTime }: PushSubscription, key: Uint8Array, now: number): boolean {
  const ours = options.applicationServerKey;
  const isSameKey = ours !== null && encodeBase64Url(new Uint8Array(ours)) === encodeBase64Url(key);
  return isSameKey && (expirationTime === null || expirationTime - now > PUSH_LIMITS.authTokenRefreshMarginMs);
}

/** The globals by which a push library detects its support. */
export interface PushGlobals {
  readonly window?: unknown;
  readonly navigator?: { readonly serviceWorker?: unknown };
  readonly PushManager?: unknown;
  readonly Notification?: unknown;
  readonly indexedDB?: unknown;
}

/**
 * Checks that the browser has what push needs.
 * @throws PushError with the name of the missing part.
 */
function assertPushIsPossible(globals: PushGlobals): void {
  if (globals.window === undefined) throw new PushError('only-available-in-window', 'push must be requested by a page');
  if (!globals.navigator?.serviceWorker || !globals.PushManager || !globals.Notification) {
    throw new PushError('unsupported-browser', 'this browser does not support push');
  }
  if (!globals.indexedDB) throw new PushError('indexed-db-unsupported', 'this browser stores no data');
}
