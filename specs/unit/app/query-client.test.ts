import { describe, expect, it } from 'vitest';
import { createQueryClient, isWorthRetrying, retryDelayMs } from '../../../src/app/ui/data/query-client.ts';
import { createQueryKeeper } from '../../../src/app/ui/data/query-keeper.ts';
import { FakeConnectivity } from '../../../src/app/testing/fakes/fake-connectivity.ts';
import { ProductError } from '../../../src/app/core/product/product-error.ts';

describe('a failed request', () => {
  it.each([
    ['no answer', new ProductError('unreachable', 'No answer'), true],
    ['a server that is coming up', new ProductError('refused', 'unavailable', { status: 503 }), true],
    ['a mistake of the server', new ProductError('refused', 'failed', { status: 500 }), false],
    ['a refusal', new ProductError('refused', 'not found', { status: 404 }), false],
    ['too many requests', new ProductError('refused', 'too many', { status: 429 }), false],
    ['an answer that breaks the contract', new ProductError('malformed', 'no JSON'), false],
    ['a mistake of ours', new TypeError('undefined is not a function'), false],
  ])('is retried or not, by its failure: %s', (_of, error, again) => {
    expect(isWorthRetrying(0, error)).toBe(again);
  });

  it('stops after two retries', () => {
    const error = new ProductError('unreachable', 'No answer');
    expect([0, 1, 2].map((failures) => isWorthRetrying(failures, error))).toEqual([true, true, false]);
  });

  it('L5: is retried after a random wait, which may be twice as long the second time', () => {
    expect([0, 0.5, 1].map((drawn) => retryDelayMs(0, () => drawn))).toEqual([0, 1_000, 2_000]);
    expect([0, 0.5, 1].map((drawn) => retryDelayMs(1, () => drawn))).toEqual([0, 2_000, 4_000]);
    const { retryDelay } = createQueryClient(new FakeConnectivity(), () => 0.25).getDefaultOptions().queries ?? {};
    expect(typeof retryDelay === 'function' && retryDelay(0, new Error('x'))).toBe(500);
  });
});

describe('the cache of answers', () => {
  it('belongs to one user, and is cleared with the session', () => {
    const keeper = createQueryKeeper();
    const create = () => createQueryClient(new FakeConnectivity(), Math.random);
    const client = keeper.open(create);
    client.setQueryData(['wallet'], 12);
    expect(keeper.open(create)).toBe(client);
    keeper.forget();
    expect(client.getQueryData(['wallet'])).toBeUndefined();
    expect(keeper.open(create)).not.toBe(client);
  });
});
