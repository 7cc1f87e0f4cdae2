import type { Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import * as v from 'valibot';
import { heartbeatReport, PUSH_LIMITS } from '../../../src/protocol/product/push.ts';

type Needs = Pick<ProductParts, 'devices' | 'pushSender'>;

export function pushHandlers({
  devices,
  pushSender,
}: Needs): Handlers<'pushPublicKey' | 'savePushToken' | 'forgetPushToken'> {
  return {
    pushPublicKey: () => ({ public_key: pushSender.publicKey }),

    async savePushToken({ me, body, header }) {
      if (!pushSender.accepts(body.token)) {
        throw new Refusal('invalid', 'token must be a subscription of a push service that this server accepts.', {
          field: 'token',
        });
      }
      await devices.save(me, body.token, lastHeartbeat(header));
      return {};
    },

    async forgetPushToken({ me, body }) {
      await devices.forget(me.uId, body.token);
      return {};
    },
  };
}

/** Reads the last day on which an app was alive, YYYY-MM-DD. Null without a readable header. */
export function lastHeartbeat(header: string | null): string | null {
  if (header === null || header.length > PUSH_LIMITS.heartbeatHeaderBytes) return null;
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
  const report = v.safeParse(heartbeatReport, body);
  if (!report.success) return null;
  return (
    report.output.heartbeats
      .flatMap(({ dates }) => dates)
      .toSorted()
      .at(-1) ?? null
  );
}
