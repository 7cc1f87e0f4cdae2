import type { EventClient } from '../../core/events/event-client.ts';
import type { Logger } from '../../core/ports/ports.ts';
import type { ProductClient } from '../../core/product/product-client.ts';

interface Dependencies {
  product: Pick<ProductClient, 'ask'>;
  events: Pick<EventClient, 'on'>;
  logger: Logger;
  /** Called with the number of unread messages in all chats, each time it is known. */
  onCount(count: number): void;
}

/** Counts the unread messages by the events of the server. */
export function countUnread({ product, events, logger, onCount }: Dependencies): void {
  /** Increases with each published count, so that the answer to an earlier request is dropped. */
  let revision = 0;
  const publish = ({ unread_total }: { unread_total: number }): void => {
    revision += 1;
    onCount(unread_total);
  };
  events.on('message', publish);
  events.on('channel_changed', publish);
  events.on('resync', () => {
    const requestedAt = revision;
    product.ask('unreadMessages', {}).then(
      ({ count }) => {
        if (requestedAt === revision) onCount(count);
      },
      (error: unknown) => logger.warn('the number of unread messages did not load', error),
    );
  });
}
