/** How requests to the product are read, kept and grown by pages, as TanStack Query is told it. */
import type { QueryClient, QueryFilters, QueryFunctionContext, QueryKey } from '@tanstack/react-query';
import type { AskOf, EndpointName, ProductAnswer } from '../../../protocol/product/api.ts';
import type { ProductClient } from './product-client.ts';

type Asks = Pick<ProductClient, 'ask'>;
type AbortContext = Pick<QueryFunctionContext, 'signal'>;

/** One request. Its answer is kept under `[name, asked]`. */
export function productQuery<Name extends EndpointName>(product: Asks, name: Name, asked: AskOf<Name>) {
  return {
    queryKey: [name, asked] as QueryKey,
    queryFn: ({ signal }: AbortContext): Promise<ProductAnswer<Name>> => product.ask(name, asked, signal),
  };
}

interface AnyPage {
  readonly items: readonly unknown[];
  readonly next: string | null;
}

/** The requests that answer a page: `{ items, next }`. */
export type PagedName = {
  [Name in EndpointName]: ProductAnswer<Name> extends AnyPage ? Name : never;
}[EndpointName];

type PageOf<Name extends PagedName> = Extract<ProductAnswer<Name>, AnyPage>;
export type ItemOf<Name extends PagedName> = PageOf<Name>['items'][number];

/** In the keys of what is kept by pages: one answer to the same request has another shape. */
const PAGES = 'pages';

/** A list that grows by pages, kept under `[name, asked, 'pages']`; `cursor` is not part of what is asked. */
export function productPages<Name extends PagedName>(product: Asks, name: Name, asked: AskOf<Name>) {
  const first = asked as { readonly query?: Readonly<Record<string, unknown>> };
  return {
    queryKey: [name, asked, PAGES] as QueryKey,
    initialPageParam: null as string | null,
    async queryFn({ signal, pageParam }: AbortContext & { pageParam: string | null }): Promise<PageOf<Name>> {
      const query = pageParam === null ? first.query : { ...first.query, cursor: pageParam };
      // What was asked, of the same name, and the cursor that every page takes.
      return (await product.ask(name, { ...first, query } as AskOf<Name>, signal)) as PageOf<Name>;
    },
    getNextPageParam: ({ next }: PageOf<Name>) => next,
  };
}

/** Which of what is kept are the pages of this name, whatever it was asked with. */
export const pagesKept = (name: PagedName): QueryFilters => ({
  queryKey: [name],
  predicate: ({ queryKey }) => queryKey[2] === PAGES,
});

/** What was read by these names is old, whatever it was asked with: it is read again where somebody looks at it. */
export function outdate(queries: QueryClient, names: readonly EndpointName[]): void {
  for (const name of names) void queries.invalidateQueries({ queryKey: [name] });
}
