/** Posts webhooks, to the places it may and no others: a caller names the url, and the exchange is inside the house (S28). */
import type { PostWebhook } from '../exchange/ports.ts';

/** Who does not answer by then is not waited for. */
const TIMEOUT_MS = 5_000;
/** What is under way when the exchange stops has this long to arrive. */
const LAST_MS = 1_000;

export interface WebhookPoster {
  readonly post: PostWebhook;
  /** Takes no more, and waits a moment for what is under way. */
  close(): Promise<void>;
}

/**
 * @param mayPostTo - whether webhooks may go to this host, as it stands in a url. It is asked about the name, in the one
 *   spelling a url has for it; a redirect is not followed, so nothing leads elsewhere.
 */
export function webhookPoster(mayPostTo: (hostname: string) => boolean, timeoutMs = TIMEOUT_MS): WebhookPoster {
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  const send: PostWebhook = async ({ url, headers, body }) => {
    const { hostname } = new URL(url);
    if (!mayPostTo(hostname)) throw new Error(`webhooks may not go to ${hostname}: --webhook-host allows a host`);
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`it answered ${response.status}`);
  };
  return {
    post(webhook) {
      const sent = send(webhook).finally(() => underWay.delete(sent));
      underWay.add(sent);
      return sent;
    },
    async close() {
      const limit = setTimeout(() => closing.abort(), LAST_MS);
      // The next body of a call follows when the one before it is through.
      while (underWay.size > 0) await Promise.allSettled(underWay);
      clearTimeout(limit);
      closing.abort();
    },
  };
}
