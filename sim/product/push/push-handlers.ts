import type { Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { lastHeartbeat } from './heartbeats.ts';

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
