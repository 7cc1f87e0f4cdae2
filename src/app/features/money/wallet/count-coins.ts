import type { EventClient } from '../../../core/events/event-client.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import type { ProductClient } from '../../../core/product/product-client.ts';

interface Dependencies {
  product: Pick<ProductClient, 'ask'>;
  events: Pick<EventClient, 'on'>;
  logger: Logger;
  /** Whether it is a man who is signed in: women have no coins. */
  isMan(): boolean;
  /** Told how many coins he may spend, whenever that is known anew. */
  onCoins(coins: number): void;
}

/** Keeps count of a man's coins. */
export function countCoins({ product, events, logger, isMan, onCoins }: Dependencies): void {
  /** Goes up with every number that was told: an answer to an older question is not newer than it. */
  let told = 0;
  events.on('wallet_changed', ({ coins }) => {
    if (coins === null) return;
    told += 1;
    onCoins(coins);
  });
  events.on('resync', () => {
    if (!isMan()) return;
    told += 1;
    const asked = told;
    product.ask('wallet', {}).then(
      ({ coins }) => {
        if (asked === told) onCoins(coins);
      },
      (error: unknown) => logger.warn('the coins were not counted', error),
    );
  });
}
