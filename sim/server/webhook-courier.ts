import type { Letter } from '../../src/protocol/product/accounts.ts';
import type { Courier } from '../product/accounts/courier.ts';

/** The time limit for the service's answer. Milliseconds. */
const TIMEOUT_MS = 10_000;

interface WebhookCourierOptions {
  /** An https URL. */
  readonly url: string;
  /** The bearer token that authenticates the server to the service. */
  readonly secret: string;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Creates a courier that posts each letter to a service, which sends it by SMS or e-mail. The body is JSON: `{ to,
 * about, code, at }`. `at` is in milliseconds since the epoch. `code` is null for a letter without one. A letter may
 * arrive twice. A 2xx answer accepts the letter; redirects are not followed.
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
      if (!response.ok) throw new Error(`The courier's service answered ${response.status}.`);
    },
  };
}
