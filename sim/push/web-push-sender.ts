/** A sender of Web Push messages: encrypted for each browser, and posted to its push service (RFC 8030, 8291). */
import webPush from 'web-push';
import { type PushPayload, PUSH_LIMITS } from '../../src/protocol/product/push.ts';
import type { Log } from '../exchange/logging/log.ts';
import { subscriptionOf } from './subscription.ts';
import { type VapidKeys, VapidTokens } from './vapid.ts';

/** A sender of messages to devices. */
export interface PushSender {
  /** The public key by which browsers recognize the sender, in base64url. */
  readonly publicKey: string;
  /** Returns whether this can be the token of a device that the sender can reach. */
  accepts(token: string): boolean;
  /** Sends the payload to each device. Never rejects. Returns the tokens of devices that no longer exist. */
  send(tokens: readonly string[], payload: PushPayload): Promise<readonly string[]>;
}

/** Posts to a push service without following redirects. Returns the status of the answer. */
export type PostPush = (
  url: string,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array },
) => Promise<number>;

/** The longest duration of a post, milliseconds. */
const LIMIT_MS = 10_000;

/** Posts a push message over the network. Does not follow redirects. */
export const postPush: PostPush = async (url, { headers, body }) => {
  const { 'Content-Length': _, ...sent } = headers;
  const response = await fetch(url, {
    method: 'POST',
    headers: sent,
    body: Buffer.from(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  await response.body?.cancel();
  return response.status;
};

export interface WebPushOptions {
  readonly keys: VapidKeys;
  /** The contact of the server's operator: a `mailto:` or `https:` address. */
  readonly subject: string;
  /** The hosts of push services that the server may post to. */
  readonly hosts: readonly string[];
  readonly post: PostPush;
  readonly now: () => number;
  readonly log: Pick<Log, 'warn'>;
}

/** The lifetime of a message in seconds. A call can be answered only while it rings. */
const LIFE_S = { call: 45, other: 24 * 60 * 60 };

export function createWebPushSender({ keys, subject, hosts, post, now, log }: WebPushOptions): PushSender {
  const tokens = new VapidTokens(keys, subject, now);

  /** Sends to one device. Returns whether the device no longer exists. */
  async function sendTo(token: string, payload: PushPayload, message: string): Promise<boolean> {
    const subscription = subscriptionOf(token, hosts);
    if (subscription === undefined) return true;
    const isCall = !['CHAT', 'ONLINE', 'GIFT'].includes(payload.type);
    const { headers, body } = webPush.generateRequestDetails(subscription, message, {
      contentEncoding: 'aes128gcm',
      TTL: isCall ? LIFE_S.call : LIFE_S.other,
      urgency: isCall ? 'high' : 'normal',
      headers: { Authorization: tokens.for(subscription.endpoint) },
    });
    // A slow or broken push service is not an error of the sender. A device that no longer exists is reported.
    const status = await post(subscription.endpoint, {
      headers,
      body: new Uint8Array(body ?? []),
    });
    if (status === 404 || status === 410) return true;
    if (status < 200 || status > 299) log.warn('a push service refused a message', { status });
    return false;
  }

  return {
    publicKey: keys.publicKey,
    accepts: (token) => subscriptionOf(token, hosts) !== undefined,
    async send(devices, payload) {
      const message = pushMessage(payload);
      const gone = await Promise.all(
        devices.map(async (token) => {
          try {
            return await sendTo(token, payload, message);
          } catch (error) {
            log.warn('a message was not pushed', { reason: error instanceof Error ? error.name : 'unknown' });
            return false;
          }
        }),
      );
      return devices.filter((_, at) => gone[at]);
    },
  };
}

/** The bytes that encryption adds: a header of 86, a delimiter and a tag (RFC 8188 §2, RFC 8291 §4). */
const ADDED_BYTES = 86 + 1 + 16;
const MOST_BYTES = PUSH_LIMITS.messageBytes - ADDED_BYTES;

/** The most characters of a text. Devices show far fewer. */
const LONGEST_WORDS = 100;

/**
 * Writes the message of a payload. One that is too large for a push service loses its picture, and then the ends of its
 * texts.
 */
export function pushMessage(payload: PushPayload): string {
  const cut = (words: string) => Array.from(words).slice(0, LONGEST_WORDS).join('');
  const { type, name, gift_name, coin, room } = payload;
  const short = { type: cut(type), name: cut(name), gift_name: cut(gift_name), coin: cut(coin), icon: '', room };
  for (const tried of [payload, { ...payload, icon: '' }]) {
    const message = JSON.stringify(tried);
    if (Buffer.byteLength(message) <= MOST_BYTES) return message;
  }
  return JSON.stringify(short);
}
