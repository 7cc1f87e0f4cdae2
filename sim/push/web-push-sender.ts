/** Sends by the web's own standards: encrypted for each browser, to the push service that it named (RFC 8030, 8291). */
import webPush from 'web-push';
import type { PushPayload } from '../../src/protocol/product/push.ts';
import type { Log } from '../exchange/logging/log.ts';
import { pushMessage } from './push-message.ts';
import type { PushSender } from './push-sender.ts';
import { subscriptionOf } from './subscription.ts';
import { type VapidKeys, VapidTokens } from './vapid.ts';

/** Posts to a push service: the status of its answer. Follows no redirect. */
export type PostPush = (
  url: string,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array },
) => Promise<number>;

export interface WebPushOptions {
  readonly keys: VapidKeys;
  /** Where a push service finds whoever sends: a `mailto:` or `https:` address. */
  readonly subject: string;
  /** The push services that may be posted to. */
  readonly hosts: readonly string[];
  readonly post: PostPush;
  readonly now: () => number;
  readonly log: Pick<Log, 'warn'>;
}

/** A call that nobody can answer any more is no news; everything else is, for a day. Seconds. */
const LIFE_S = { call: 45, other: 24 * 60 * 60 };

export function createWebPushSender({ keys, subject, hosts, post, now, log }: WebPushOptions): PushSender {
  const tokens = new VapidTokens(keys, subject, now);

  /** Whether the device is gone. */
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
    // A push service that is slow or broken is none of the sender's business; a device that is gone is.
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
