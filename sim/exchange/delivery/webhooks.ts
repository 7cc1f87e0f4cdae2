import { PROTOCOL_VERSION } from '../../../src/protocol/limits.ts';
import type { WebhookBody } from '../../../src/protocol/webhook.ts';
import type { Call } from '../calls/call.ts';
import type { Core } from '../core.ts';

type EventName = WebhookBody['event'];
type Payload<E extends EventName> = Extract<WebhookBody, { event: E }>['payload'];

/**
 * Posts what happened to the call to the webhook its dial named, if that wants to know. The bodies of a call go out one
 * after the other, behind its back: it waits for none, and one that fails is logged and not sent again.
 */
export function postWebhook<E extends EventName>(core: Core, call: Call, event: E, payload: () => Payload<E>): void {
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
    occurred_at: core.clock.now(),
    event,
    payload: payload(),
  });
  webhook.posted = webhook.posted
    .then(() => core.outbox.passed())
    .then(() => post({ url, headers, body }))
    .catch((error: unknown) => core.log.warn('a webhook did not take its event', { call: call.id, event, error }));
}
