import type { Quote } from '../../../protocol/product/calls.ts';
import type { Logger } from '../../core/ports/ports.ts';
import type { ProductClient } from '../../core/product/product-client.ts';
import { type ReadableStore, createStore } from '../../../common/store.ts';
import type { CallingService } from './calling-service.ts';

interface Dependencies {
  calling: Pick<CallingService, 'state'>;
  product: Pick<ProductClient, 'ask'>;
  logger: Logger;
}

/**
 * Creates a store with the quote of the ringing call. The man pays for the call, whichever user dialled it. Null while
 * the quote is unknown, which does not stop the ringing.
 */
export function createIncomingQuote({ calling, product, logger }: Dependencies): ReadableStore<Quote | null> {
  const quote = createStore<Quote | null>(null);
  let ringing: string | undefined;

  async function ask(): Promise<void> {
    const [call] = calling.state.get().incoming;
    if (call?.callId === ringing) return;
    ringing = call?.callId;
    quote.set(null);
    if (call === undefined) return;
    try {
      const answer = await product.ask('quoteCall', { body: { callee: call.party.userId, kind: call.kind } });
      if (ringing === call.callId) quote.set(answer);
    } catch (error) {
      logger.warn('the price of the ringing call did not load', error);
    }
  }

  calling.state.subscribe(() => void ask());
  return quote;
}
