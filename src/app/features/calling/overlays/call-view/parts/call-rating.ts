import type { Stars } from '../../../../../../protocol/product/calls.ts';
import { m } from '../../../../../core/i18n/generated/messages.js';
import type { Logger } from '../../../../../core/ports/ports.ts';
import type { ProductClient } from '../../../../../core/product/product-client.ts';
import { refusalText } from '../../../../../core/product/refusal-text.ts';
import { type ReadableStore, createStore } from '../../../../../../common/store.ts';

/** The state of the rating of one call. */
export interface CallRatingState {
  /** The last chosen rating. After a failure, the rating that the server has. Null without a rating. */
  readonly stars: Stars | null;
  /** The result of the last request, as a message. */
  readonly words: string;
}

/** The rating of one call. */
export interface CallRating {
  readonly state: ReadableStore<CallRatingState>;
  /**
   * Sends the rating. A rating chosen during a request is sent after it: the arrow keys choose each star on their way.
   */
  rate(chosen: Stars): Promise<void>;
}

interface Dependencies {
  product: Pick<ProductClient, 'ask'>;
  logger: Pick<Logger, 'warn'>;
}

export function createCallRating({ product, logger }: Dependencies, callId: string): CallRating {
  const state = createStore<CallRatingState>({ stars: null, words: '' });
  /** The rating that the server has, and the one chosen last. */
  let saved: Stars | null = null;
  let wanted: Stars | null = null;

  /** Sends one request at a time, so that the last choice arrives last. */
  async function rate(chosen: Stars): Promise<void> {
    const isSending = wanted !== saved;
    wanted = chosen;
    state.update((current) => ({ ...current, stars: chosen }));
    if (isSending) return;
    try {
      while (wanted !== saved) {
        const sent: Stars = wanted;
        await product.ask('rateCall', { params: { call_id: callId }, body: { stars: sent } });
        saved = sent;
      }
      state.update((current) => ({ ...current, words: m.rate_done() }));
    } catch (error) {
      logger.warn('the call was not rated', error);
      wanted = saved;
      state.set({ stars: saved, words: refusalText(error) });
    }
  }

  return { state, rate };
}
