import type { Log } from '../exchange/logging/log.ts';
import { postPush } from './post-push.ts';
import { PUSH_HOSTS } from './push-hosts.ts';
import type { PushSender } from './push-sender.ts';
import type { VapidKeys } from './vapid.ts';
import { createWebPushSender, type PostPush } from './web-push-sender.ts';

/** How messages get to devices. */
export interface PushSettings {
  /** Where a push service finds whoever sends: a `mailto:` or `https:` address. */
  readonly subject?: string;
  /** The hosts that may be posted to; a leading `*.` stands for any part. Default: the push services of browsers. */
  readonly hosts?: readonly string[];
  /** The keys by which push services know the server. Default: a pair that it makes once and keeps in its database. */
  readonly keys?: VapidKeys;
  /** Default: over the network. */
  readonly post?: PostPush;
}

/** Some push services refuse a subject that is no address. */
const SUBJECT = 'mailto:push@ringback.example';

export function pushSenderOf(keys: VapidKeys, settings: PushSettings, log: Pick<Log, 'warn'>): PushSender {
  const { subject = SUBJECT, hosts = PUSH_HOSTS, post = postPush } = settings;
  return createWebPushSender({ keys, subject, hosts, post, now: () => Date.now(), log });
}
