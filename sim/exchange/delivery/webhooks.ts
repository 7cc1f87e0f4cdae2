import { PROTOCOL_VERSION } from '../../../src/protocol/limits.ts';
import type { WebhookBody } from '../../../src/protocol/webhook.ts';
import type { Call } from '../calls/call.ts';
import type { Core } from '../core.ts';

/** The parts that post a webhook. */
export type WebhookNeeds = Pick<Core, 'clock' | 'ids' | 'log' | 'outbox' | 'post' | 'settings'>;

type EventName = WebhookBody['event'];
type Payload<E extends EventName> = Extract<WebhookBody, { event: E }>['payload'];

/**
 * Posts an event of the call to the webhook of its dial, if the webhook subscribes to it. The bodies of a call are
 * posted in order, asynchronously. The call does not wait for a post. A failed post is logged and not retried.
 */
export function postWebhook<E extends EventName>(
  core: WebhookNeeds,
  call: Call,
  event: E,
  payload: () => Payload<E>,
): void {
  const { post } = core;
  const { webhook } = call;
  if (!webhook || !post) return;
  const { url, headers = {}, enabled_events: enabled } = webhook.target;
  if (enabled && !enabled.includes(event)) return;
  const body = JSON.stringify({
    version: PROTOCOL_VERSION,
    app_id: core.settings.appId,
    event_id: core.ids.uuid(),
    call_id: call.id,
    occurred_at: core.clock.wallTime(),
    event,
    payload: payload(),
  });
  webhook.posted = webhook.posted
    .then(() => core.outbox.passed())
    .then(() => post({ url, headers, body }))
    .catch((error: unknown) => core.log.warn('a webhook failed to accept an event', { call: call.id, event, error }));
}
