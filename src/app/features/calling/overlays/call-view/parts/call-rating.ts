import type { Stars } from '../../../../../../protocol/product/calls.ts';
import { m } from '../../../../../core/i18n/generated/messages.js';
import type { Logger } from '../../../../../core/ports/logger.ts';
import type { ProductClient } from '../../../../../core/product/product-client.ts';
import { refusalText } from '../../../../../core/product/refusal-text.ts';
import { type ReadableStore, createStore } from '../../../../../core/store/store.ts';

export interface CallRatingState {
  /** What was chosen last; what the server has, once it was not taken. */
  readonly stars: Stars | null;
  /** What came of it, in words. */
  readonly words: string;
}

/** How one call was. */
export interface CallRating {
  readonly state: ReadableStore<CallRatingState>;
  /** Tells the server. Chosen anew meanwhile, it is told after: arrow keys choose each star on their way. */
  rate(chosen: Stars): Promise<void>;
}

interface Dependencies {
  product: Pick<ProductClient, 'ask'>;
  logger: Pick<Logger, 'warn'>;
}

export function createCallRating({ product, logger }: Dependencies, callId: string): CallRating {
  const state = createStore<CallRatingState>({ stars: null, words: '' });
  /** What the server has, and what was chosen last. */
  let told: Stars | null = null;
  let wanted: Stars | null = null;

  /** One request at a time, the last choice last: none overtakes it. */
  async function rate(chosen: Stars): Promise<void> {
    const isTelling = wanted !== told;
    wanted = chosen;
    state.update((current) => ({ ...current, stars: chosen }));
    if (isTelling) return;
    try {
      while (wanted !== told) {
        const sent: Stars = wanted;
        await product.ask('rateCall', { params: { call_id: callId }, body: { stars: sent } });
        told = sent;
      }
      state.update((current) => ({ ...current, words: m.rate_done() }));
    } catch (error) {
      logger.warn('the call was not rated', error);
      wanted = told;
      state.set({ stars: told, words: refusalText(error) });
    }
  }

  return { state, rate };
}
