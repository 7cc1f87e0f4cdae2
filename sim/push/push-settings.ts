import type { Clock } from '../../src/common/clock.ts';
import type { Log } from '../exchange/logging/log.ts';
import { postPush, type PushSender, createWebPushSender, type PostPush } from './web-push-sender.ts';
import { PUSH_HOSTS } from './subscription.ts';
import type { VapidKeys } from './vapid.ts';

/** The settings of push messages. */
export interface PushSettings {
  /** The contact of the server's operator for push services: a `mailto:` or `https:` address. */
  readonly subject?: string;
  /** The hosts that the server may post to. A leading `*.` matches any part. Default: the push services of browsers. */
  readonly hosts?: readonly string[];
  /**
   * The keys that identify the server to push services. Default: a pair that is made once and stored in the database.
   */
  readonly keys?: VapidKeys;
  /** Posts a message. Default: over the network. */
  readonly post?: PostPush;
}

/** The default contact. Some push services refuse a subject that is no address. */
const SUBJECT = 'mailto:push@ringback.example';

/** Returns the sender of push messages that the settings describe. */
export function pushSenderOf(
  keys: VapidKeys,
  settings: PushSettings,
  { clock, log }: { readonly clock: Clock; readonly log: Pick<Log, 'warn'> },
): PushSender {
  const { subject = SUBJECT, hosts = PUSH_HOSTS, post = postPush } = settings;
  return createWebPushSender({ keys, subject, hosts, post, now: () => clock.wallTime(), log });
}
