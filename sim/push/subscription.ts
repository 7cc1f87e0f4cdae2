import * as v from 'valibot';
import { isPushService } from './push-hosts.ts';

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
