import type { EventClient } from '../../../core/events/event-client.ts';
import type { Logger } from '../../../core/ports/ports.ts';
import type { ProductClient } from '../../../core/product/product-client.ts';

interface Dependencies {
  product: Pick<ProductClient, 'ask'>;
  events: Pick<EventClient, 'on'>;
  logger: Logger;
  /** Returns true when the signed-in user is a man. Women have no coins. */
  isMan(): boolean;
  /** Called with the coins that he can spend, each time the number is known. */
  onCoins(coins: number): void;
}

/** Follows the number of a man's coins. */
export function countCoins({ product, events, logger, isMan, onCoins }: Dependencies): void {
  /** Increases with each published number, so that the answer to an earlier request is dropped. */
  let revision = 0;
  events.on('wallet_changed', ({ coins }) => {
    if (coins === null) return;
    revision += 1;
    onCoins(coins);
  });
  events.on('resync', () => {
    if (!isMan()) return;
    revision += 1;
    const requestedAt = revision;
    product.ask('wallet', {}).then(
      ({ coins }) => {
        if (requestedAt === revision) onCoins(coins);
      },
      (error: unknown) => logger.warn('the number of coins did not load', error),
    );
  });
}
