import type { Quote } from '../../../protocol/product/calls.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { ProductClient } from '../../core/product/product-client.ts';
import { type ReadableStore, createStore } from '../../core/store/store.ts';
import type { CallingService } from './calling-service.ts';

interface Dependencies {
  calling: Pick<CallingService, 'state'>;
  product: Pick<ProductClient, 'ask'>;
  logger: Logger;
}

/**
 * What the call that rings costs or brings whoever answers it, since a man pays whoever dialled; null until that is known.
 * Without an answer it rings all the same.
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
      const told = await product.ask('quoteCall', { body: { callee: call.party.userId, kind: call.kind } });
      if (ringing === call.callId) quote.set(told);
    } catch (error) {
      logger.warn('what the call that rings costs is not known', error);
    }
  }

  calling.state.subscribe(() => void ask());
  return quote;
}
