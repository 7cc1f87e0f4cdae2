/** The authentication of the sender to push services (RFC 8292). */
import * as v from 'valibot';
import webPush from 'web-push';
import { PUSH_LIMITS } from '../../src/protocol/product/push.ts';

const vapidKeys = v.object({ publicKey: v.string(), privateKey: v.string() });
export type VapidKeys = v.InferOutput<typeof vapidKeys>;

/** Makes a new pair of keys as text. Subscriptions are bound to one pair, so the server makes it once. */
export const makeVapidKeys = (): string => JSON.stringify(webPush.generateVAPIDKeys());

export const readVapidKeys = (text: string): VapidKeys => v.parse(vapidKeys, JSON.parse(text));

/** The lifetime of a token. Push services accept twice as long. Milliseconds. */
const TOKEN_LIFE_MS = 12 * 60 * 60 * 1_000;

/** The `Authorization` headers for push services. Each is signed once, and renewed an hour before it expires. */
export class VapidTokens {
  readonly #keys: VapidKeys;
  readonly #subject: string;
  readonly #now: () => number;
  readonly #signed = new Map<string, { readonly header: string; readonly expiresAt: number }>();

  /** @param subject - the contact of the server's operator: a `mailto:` or `https:` address. */
  constructor(keys: VapidKeys, subject: string, now: () => number) {
    this.#keys = keys;
    this.#subject = subject;
    this.#now = now;
  }

  for(endpoint: string): string {
    const { origin } = new URL(endpoint);
    const known = this.#signed.get(origin);
    if (known && known.expiresAt - this.#now() > PUSH_LIMITS.authTokenRefreshMarginMs) return known.header;
    const expiresAt = this.#now() + TOKEN_LIFE_MS;
    const { publicKey, privateKey } = this.#keys;
    const seconds = Math.floor(expiresAt / 1_000);
    const { Authorization: header } = webPush.getVapidHeaders(
      origin,
      this.#subject,
      publicKey,
      privateKey,
      'aes128gcm',
      seconds,
    );
    this.#signed.set(origin, { header, expiresAt });
    return header;
  }
}
