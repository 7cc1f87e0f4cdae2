import type { EventClient } from '../../core/events/event-client.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { ProductClient } from '../../core/product/product-client.ts';

interface Dependencies {
  product: Pick<ProductClient, 'ask'>;
  events: Pick<EventClient, 'on'>;
  logger: Logger;
  /** Told how many messages are not read, in all chats, whenever that is known anew. */
  onCount(count: number): void;
}

/** Keeps count of what is not read. */
export function countUnread({ product, events, logger, onCount }: Dependencies): void {
  /** Goes up with every count that was told: an answer to an older question is not newer than it. */
  let told = 0;
  const tell = ({ unread_total }: { unread_total: number }): void => {
    told += 1;
    onCount(unread_total);
  };
  events.on('message', tell);
  events.on('channel_changed', tell);
  events.on('resync', () => {
    const asked = told;
    product.ask('unreadMessages', {}).then(
      ({ count }) => {
        if (asked === told) onCount(count);
      },
      (error: unknown) => logger.warn('what is not read was not counted', error),
    );
  });
}
