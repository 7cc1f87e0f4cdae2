/** Describes to TanStack Query how requests to the product are sent, cached and paged. */
import type { QueryClient, QueryFilters, QueryFunctionContext, QueryKey } from '@tanstack/react-query';
import type { AskOf, EndpointName, ProductAnswer } from '../../../protocol/product/api.ts';
import type { ProductClient } from './product-client.ts';

type Asks = Pick<ProductClient, 'ask'>;
type AbortContext = Pick<QueryFunctionContext, 'signal'>;

/** Returns the query of one request. Its answer is cached under `[name, asked]`. */
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

/** The names of requests whose answer is a page: `{ items, next }`. */
export type PagedName = {
  [Name in EndpointName]: ProductAnswer<Name> extends AnyPage ? Name : never;
}[EndpointName];

type PageOf<Name extends PagedName> = Extract<ProductAnswer<Name>, AnyPage>;
/** An item of the pages of a request. */
export type ItemOf<Name extends PagedName> = PageOf<Name>['items'][number];

/** A mark in the cache keys of paged lists. The plain answer to the same request has another shape. */
const PAGES = 'pages';

/** Returns the query of a paged list, cached under `[name, asked, 'pages']`. The key does not contain `cursor`. */
export function productPages<Name extends PagedName>(product: Asks, name: Name, asked: AskOf<Name>) {
  const first = asked as { readonly query?: Readonly<Record<string, unknown>> };
  return {
    queryKey: [name, asked, PAGES] as QueryKey,
    initialPageParam: null as string | null,
    async queryFn({ signal, pageParam }: AbortContext & { pageParam: string | null }): Promise<PageOf<Name>> {
      const query = pageParam === null ? first.query : { ...first.query, cursor: pageParam };
      // The query is that of the same name, with the cursor that every paged request accepts.
      return (await product.ask(name, { ...first, query } as AskOf<Name>, signal)) as PageOf<Name>;
    },
    getNextPageParam: ({ next }: PageOf<Name>) => next,
  };
}

/** Returns a filter for the cached pages of this name, with any parameters. */
export const pagesKept = (name: PagedName): QueryFilters => ({
  queryKey: [name],
  predicate: ({ queryKey }) => queryKey[2] === PAGES,
});

/** Marks the cached answers of these names as stale, with any parameters. Mounted components request theirs again. */
export function outdate(queries: QueryClient, names: readonly EndpointName[]): void {
  for (const name of names) void queries.invalidateQueries({ queryKey: [name] });
}
