/** How push services know who sends (RFC 8292). */
import * as v from 'valibot';
import webPush from 'web-push';
import { PUSH_LIMITS } from '../../src/protocol/product/push.ts';

const vapidKeys = v.object({ publicKey: v.string(), privateKey: v.string() });
export type VapidKeys = v.InferOutput<typeof vapidKeys>;

/** A new pair of keys, as text; subscriptions are of one pair, so it is made once. */
export const makeVapidKeys = (): string => JSON.stringify(webPush.generateVAPIDKeys());

export const readVapidKeys = (text: string): VapidKeys => v.parse(vapidKeys, JSON.parse(text));

/** Half of what push services accept. */
const TOKEN_LIFE_MS = 12 * 60 * 60 * 1_000;

/** The `Authorization` for each push service: signed once, and renewed an hour before it is over. */
export class VapidTokens {
  readonly #keys: VapidKeys;
  readonly #subject: string;
  readonly #now: () => number;
  readonly #signed = new Map<string, { readonly header: string; readonly expiresAt: number }>();

  /** @param subject - where a push service finds whoever sends: a `mailto:` or `https:` address. */
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
