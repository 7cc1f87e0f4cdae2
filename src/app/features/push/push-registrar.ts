import type { AppConfig } from '../../../protocol/product/config.ts';
import type { ProductClient } from '../../core/product/product-client.ts';
import type { PushRegistrar } from './push-registration.ts';

interface Outside {
  push: AppConfig['push'];
  product: Pick<ProductClient, 'ask'>;
  /** Creates a client that sends its requests with this session. */
  productAs(bearer: string): Pick<ProductClient, 'ask'>;
}

/** Creates the registrar that saves push tokens with the product. */
export function createPushRegistrar({ push, product, productAs }: Outside): PushRegistrar {
  return {
    async publicKey() {
      if (push?.provider === 'fcm') return push.vapid_key;
      return (await product.ask('pushPublicKey', {})).public_key;
    },
    async save(token, header) {
      await product.ask('savePushToken', { body: { token }, header });
    },
    async forget(token, bearer) {
      await productAs(bearer).ask('forgetPushToken', { body: { token } });
    },
  };
}
