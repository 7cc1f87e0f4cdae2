import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { AskOf, EndpointName, ProductAnswer } from '../../../src/protocol/product/api.ts';
import { fakeProduct } from '../../../src/app/testing/fakes/fake-product.ts';
import { ProductError } from '../../../src/app/core/product/product-error.ts';
import type { ProductClient } from '../../../src/app/core/product/product-client.ts';
import {
  pagesKept,
  type PagedName,
  productPages,
  productQuery,
} from '../../../src/app/core/product/product-queries.ts';
import { useProductMutation, useProductPages, useProductQuery } from '../../../src/app/core/hooks/use-product.ts';
import { type ProductArea, ProductProvider } from '../../../src/app/core/hooks/areas.ts';
import { somebody } from './product-answers.ts';

/** The values that a component reads at its first render. */
function seen<T>(product: Pick<ProductClient, 'ask'>, queries: QueryClient, use: () => T): T {
  let result: T | undefined;
  function Reader() {
    result = use();
    return null;
  }
  const area = { product } as ProductArea;
  const around = (child: ReactNode) => (
    <ProductProvider value={area}>
      <QueryClientProvider client={queries}>{child}</QueryClientProvider>
    </ProductProvider>
  );
  renderToStaticMarkup(around(<Reader />));
  return result as T;
}

/** A list of five in pages of two. */
function listed(asks: unknown[]): Pick<ProductClient, 'ask'> {
  return {
    ask<Name extends EndpointName>(_name: Name, asked: AskOf<Name>): Promise<ProductAnswer<Name>> {
      asks.push(asked);
      const { query } = asked as { query?: { cursor?: string } };
      const from = Number(query?.cursor ?? '0');
      const items = [1, 2, 3, 4, 5].slice(from, from + 2);
      return Promise.resolve({ items, next: from + 2 < 5 ? String(from + 2) : null } as never);
    },
  };
}

describe('the answers that a component reads', () => {
  it('are those in the cache, by the name of the request and its parameters', async () => {
    const queries = new QueryClient();
    const product = fakeProduct({ demoUsers: () => ({ users: [somebody()] }) });
    expect(seen(product, queries, () => useProductQuery('demoUsers', {})).data).toBeUndefined();
    await queries.prefetchQuery(productQuery(product, 'demoUsers', {}));
    expect(seen(product, queries, () => useProductQuery('demoUsers', {})).data).toEqual({ users: [somebody()] });
  });

  it('grow by pages: each request continues after the previous page, with the other parameters', async () => {
    const queries = new QueryClient();
    const asks: unknown[] = [];
    const product = listed(asks);
    const [name, asked] = ['discover' as PagedName, { query: { city: '台北' } } as never];
    await queries.prefetchInfiniteQuery({ ...productPages(product, name, asked), pages: 2 });
    const { data, hasNextPage } = seen(product, queries, () => useProductPages(name, asked));
    expect(data).toEqual([1, 2, 3, 4]);
    expect(hasNextPage).toBe(true);
    expect(asks).toEqual([{ query: { city: '台北' } }, { query: { city: '台北', cursor: '2' } }]);
  });

  it('are cached separately for single requests and pages, and cached pages can be found', async () => {
    const queries = new QueryClient();
    const product = listed([]);
    const [name, asked] = ['channels', { query: {} }] as const;
    await queries.prefetchQuery(productQuery(product, name, asked));
    await queries.prefetchInfiniteQuery(productPages(product, name, asked));
    expect(seen(product, queries, () => useProductQuery(name, asked)).data).toMatchObject({ items: [1, 2] });
    expect(seen(product, queries, () => useProductPages(name, asked)).data).toEqual([1, 2]);
    const found = queries.getQueriesData(pagesKept(name));
    expect(found.map(([, data]) => data)).toEqual([{ pages: [{ items: [1, 2], next: '2' }], pageParams: [null] }]);
  });

  it('expire after a successful change that affects them, and not after a refused one', async () => {
    const queries = new QueryClient();
    let isRefused = true;
    const product = fakeProduct({
      demoUsers: () => ({ users: [] }),
      refreshToken: () => ({ u_id: 'kai' }),
      logout: () => (isRefused ? Promise.reject(new Error('refused')) : {}),
    });
    await queries.prefetchQuery(productQuery(product, 'demoUsers', {}));
    await queries.prefetchQuery(productQuery(product, 'refreshToken', {}));
    const isOld = (name: EndpointName) => queries.getQueryState([name, {}])?.isInvalidated;
    const { mutateAsync } = seen(product, queries, () => useProductMutation('logout', { invalidates: ['demoUsers'] }));

    await expect(mutateAsync({})).rejects.toThrow('refused');
    expect(isOld('demoUsers')).toBe(false);
    isRefused = false;
    await mutateAsync({});
    expect([isOld('demoUsers'), isOld('refreshToken')]).toEqual([true, false]);
  });

  it.each(['wrong_state', 'not_found'] as const)(
    'expire when a change is refused with %s, because their parameters are no longer valid',
    async (code) => {
      const queries = new QueryClient();
      const product = fakeProduct({
        sessions: () => ({ sessions: [] }),
        endSession: () =>
          Promise.reject(new ProductError('refused', 'refused', { status: 404, refusal: { code, message: '' } })),
      });
      await queries.prefetchQuery(productQuery(product, 'sessions', {}));
      const { mutateAsync } = seen(product, queries, () =>
        useProductMutation('endSession', { invalidates: ['sessions'] }),
      );
      await expect(mutateAsync({ params: { session_id: 'gone' } })).rejects.toThrow('refused');
      expect(queries.getQueryState(['sessions', {}])?.isInvalidated).toBe(true);
    },
  );
});
