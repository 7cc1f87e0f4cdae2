import * as v from 'valibot';

const subscription = v.object({
  endpoint: v.pipe(v.string(), v.maxLength(2_048)),
  keys: v.object({
    // An uncompressed point of P-256, and 16 secret bytes (RFC 8291 §3.1, §3.2).
    p256dh: v.pipe(v.string(), v.regex(/^B[\w-]{86}=?$/)),
    auth: v.pipe(v.string(), v.regex(/^[\w-]{22}(?:==)?$/)),
  }),
});
export type Subscription = v.InferOutput<typeof subscription>;

/** Parses a token as a subscription. Undefined unless its push service is one of these hosts. */
export function subscriptionOf(token: string, hosts: readonly string[]): Subscription | undefined {
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  const result = v.safeParse(subscription, body);
  return result.success && isPushService(result.output.endpoint, hosts) ? result.output : undefined;
}

/**
 * The push services of browsers. A client chooses the address in its subscription, and the server posts to it. Without
 * this list, a client could make the server post to any address, also in its internal network (S28).
 */
export const PUSH_HOSTS: readonly string[] = [
  // Chromium. The second host is for builds without Google's keys.
  'fcm.googleapis.com',
  'jmt17.google.com',
  // Firefox.
  'updates.push.services.mozilla.com',
  // Edge.
  '*.notify.windows.com',
  // Safari.
  'web.push.apple.com',
];

/**
 * Returns whether the address is an https address of one of these hosts, on the default port and without credentials.
 */
export function isPushService(endpoint: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password } = new URL(endpoint);
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '') return false;
  return hosts.some((host) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host));
}
