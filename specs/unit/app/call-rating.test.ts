import { describe, expect, it } from 'vitest';
import { Deferred } from '../../../src/app/testing/fakes/deferred.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import { createCallRating } from '../../../src/app/features/calling/overlays/call-view/parts/call-rating.ts';
import { ProductError } from '../../../src/app/core/product/product-error.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function stage() {
  const asked: unknown[] = [];
  const answers: Deferred<never>[] = [];
  const logger = new RecordingLogger();
  const rating = createCallRating(
    {
      logger,
      product: {
        ask(name, sent) {
          asked.push([name, sent]);
          const answer = new Deferred<never>();
          answers.push(answer);
          return answer.promise;
        },
      },
    },
    'call-1',
  );
  return {
    ...{ asked, logger, rating },
    async answer(place: number, error?: Error) {
      if (error) answers[place]?.reject(error);
      else answers[place]?.resolve({} as never);
      await settled();
    },
  };
}

const sent = (stars: number) => ['rateCall', { params: { call_id: 'call-1' }, body: { stars } }];

describe('the rating of a call', () => {
  it('shows the last star that the user chose, whichever answer of the server arrives last', async () => {
    const { rating, asked, answer } = stage();
    for (const stars of [1, 2, 5, 4] as const) void rating.rate(stars);
    expect(asked).toEqual([sent(1)]);
    await answer(0);
    expect(asked).toEqual([sent(1), sent(4)]);
    expect(rating.state.get()).toEqual({ stars: 4, words: '' });
    await answer(1);
    expect(asked).toHaveLength(2);
    expect(rating.state.get()).toEqual({ stars: 4, words: '謝謝你的評分。' });
    void rating.rate(3);
    expect(asked).toEqual([sent(1), sent(4), sent(3)]);
  });

  it('returns to the stored value when the server refuses it, with a notice, and can be chosen again', async () => {
    const { rating, asked, answer, logger } = stage();
    void rating.rate(2);
    await answer(0);
    void rating.rate(5);
    await answer(1, new ProductError('unreachable', 'x'));
    expect(rating.state.get()).toEqual({ stars: 2, words: '連不上伺服器，請檢查網路後再試一次。' });
    expect(logger.of('warn')).toEqual(['the call was not rated']);
    void rating.rate(5);
    await answer(2);
    expect(asked).toEqual([sent(2), sent(5), sent(5)]);
    expect(rating.state.get().stars).toBe(5);
  });
});
