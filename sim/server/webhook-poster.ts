/**
 * The sending of webhooks, to the allowed hosts only: a caller names the URL, and the exchange is inside the network
 * of the deployment (S28).
 */
import { isIP } from 'node:net';
import type { PostWebhook } from '../exchange/ports.ts';

/** The time limit for an answer. Milliseconds. */
const TIMEOUT_MS = 5_000;
/** The time that webhooks under way have when the exchange stops. Milliseconds. */
const LAST_MS = 1_000;

/** The default ports, by scheme. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

export interface WebhookPoster {
  readonly post: PostWebhook;
  /** Accepts no more webhooks, and waits a moment for those under way. */
  dispose(): Promise<void>;
}

/**
 * Returns a rule that permits webhooks to these places only.
 * @param places - each a host, for the ports 80 and 443, or a host with a port: `hooks.example`, `127.0.0.1:8080`,
 *   `[::1]:8080`.
 */
export function onlyTo(places: readonly string[]): (url: URL) => boolean {
  const allowed = new Set(places.flatMap(hostsAndPorts));
  return (url) => allowed.has(hostAndPort(url));
}

/** Returns the hosts with ports of a place. */
function hostsAndPorts(place: string): string[] {
  const authority = isIP(place) === 6 ? `[${place}]` : place;
  const { hostname } = new URL(`http://${authority}`);
  // A URL leaves out the default port of its scheme, so only the text shows whether there is a port.
  const port = /:(\d+)$/.exec(authority)?.[1];
  const ports = port === undefined ? Object.values(DEFAULT_PORTS) : [String(Number(port))];
  return ports.map((one) => `${hostname}:${one}`);
}

const hostAndPort = ({ protocol, hostname, port }: URL): string =>
  `${hostname}:${port === '' ? DEFAULT_PORTS[protocol] : port}`;

/**
 * Creates a poster of webhooks.
 * @param mayPostTo - returns whether webhooks may go to this URL, whose host is normalized. Redirects are not
 *   followed, so a webhook reaches no other host.
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
    if (!response.ok) throw new Error(`the host answered ${response.status}`);
  };
  return {
    post(webhook) {
      const sent = send(webhook).finally(() => underWay.delete(sent));
      underWay.add(sent);
      return sent;
    },
    async dispose() {
      const limit = setTimeout(() => closing.abort(), LAST_MS);
      // The next webhook of a call starts when the one before it has ended.
      while (underWay.size > 0) await Promise.allSettled(underWay);
      clearTimeout(limit);
      closing.abort();
    },
  };
}
