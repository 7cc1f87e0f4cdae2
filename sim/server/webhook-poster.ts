/** Posts webhooks, to the places it may and no others: a caller names the url, and the exchange is inside the instance (S28). */
import { isIP } from 'node:net';
import type { PostWebhook } from '../exchange/ports.ts';

/** Who does not answer by then is not waited for. */
const TIMEOUT_MS = 5_000;
/** What is under way when the exchange stops has this long to arrive. */
const LAST_MS = 1_000;

/** The ports that a url need not name, by its scheme. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

export interface WebhookPoster {
  readonly post: PostWebhook;
  /** Takes no more, and waits a moment for what is under way. */
  close(): Promise<void>;
}

/**
 * Makes the rule by which webhooks go to these places and to no others.
 *
 * @param places - each a host, for the ports 80 and 443, or a host with a port: `hooks.example`, `127.0.0.1:8080`, `[::1]:8080`.
 */
export function onlyTo(places: readonly string[]): (url: URL) => boolean {
  const allowed = new Set(places.flatMap(hostsAndPorts));
  return (url) => allowed.has(hostAndPort(url));
}

/** The hosts with ports that a place stands for. */
function hostsAndPorts(place: string): string[] {
  const authority = isIP(place) === 6 ? `[${place}]` : place;
  const { hostname } = new URL(`http://${authority}`);
  // A url leaves out the default port of its scheme, so the text says whether there is a port.
  const port = /:(\d+)$/.exec(authority)?.[1];
  const ports = port === undefined ? Object.values(DEFAULT_PORTS) : [String(Number(port))];
  return ports.map((one) => `${hostname}:${one}`);
}

const hostAndPort = ({ protocol, hostname, port }: URL): string =>
  `${hostname}:${port === '' ? DEFAULT_PORTS[protocol] : port}`;

/**
 * Makes a poster of webhooks.
 *
 * @param mayPostTo - whether webhooks may go to this url. Its host has the one spelling that urls have for it. A redirect is not
 *   followed, so nothing leads elsewhere.
 */
export function webhookPoster(mayPostTo: (url: URL) => boolean, timeoutMs = TIMEOUT_MS): WebhookPoster {
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  const send: PostWebhook = async ({ url, headers, body }) => {
    const place = new URL(url);
    if (!mayPostTo(place))
      throw new Error(`webhooks may not go to ${place.host}: --webhook-host or webhookHosts allows a host and port`);
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
