import type { Letter } from '../../src/protocol/product/accounts.ts';
import type { Courier } from '../product/accounts/courier.ts';

/** A service that takes no longer to accept a letter. Milliseconds. */
const TIMEOUT_MS = 10_000;

interface WebhookCourierOptions {
  /** An https address. */
  readonly url: string;
  /** The service gets it as a bearer token, and knows by it who posts. */
  readonly secret: string;
  /** Default: over the network. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Makes a courier that posts each letter to a service, which sends it by SMS or e-mail: `{ to, about, code, at }` in JSON. `at` is in
 * milliseconds since the epoch, `code` null for news without one. A letter may come twice. An answer of 2xx takes the letter;
 * redirects are not followed.
 */
export function createWebhookCourier({ url, secret, fetch = globalThis.fetch }: WebhookCourierOptions): Courier {
  return {
    async deliver({ to, about, code, at }: Letter) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
        body: JSON.stringify({ to, about, code, at }),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The service of the courier answered ${response.status}.`);
    },
  };
}
