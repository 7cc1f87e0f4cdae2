import {
  type UseInfiniteQueryResult,
  type UseMutationOptions,
  type UseMutationResult,
  type UseQueryResult,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { AskOf, EndpointName, ProductAnswer } from '../../../protocol/product/api.ts';
import type { RefusalCode } from '../../../protocol/product/refusals.ts';
import type { Rules } from '../../../protocol/product/rules.ts';
import { useProduct } from './areas.ts';
import { refusalCode } from '../product/refusal-text.ts';
import { type ItemOf, type PagedName, outdate, productPages, productQuery } from '../product/product-queries.ts';

interface QueryOptions {
  /** Whether the request is sent. Default: true. */
  readonly enabled?: boolean;
  /** Milliseconds for which a cached answer is not requested again. Default: that of the app. */
  readonly staleTime?: number;
  /** Milliseconds between requests while the page is visible. Default: no repetition. */
  readonly refetchInterval?: number;
  /** Whether the previous answer is shown until the answer to the new parameters arrives. Default: false. */
  readonly keepsPrevious?: boolean;
}

/** Returns the answer to a request. It is cached under `[name, asked]`, and requested again when it is stale. */
export function useProductQuery<Name extends EndpointName>(
  name: Name,
  asked: AskOf<Name>,
  { keepsPrevious = false, ...options }: QueryOptions = {},
): UseQueryResult<ProductAnswer<Name>> {
  const { product } = useProduct();
  return useQuery({
    ...options,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    ...productQuery(product, name, asked),
  });
}

/**
 * Returns a list that is read page by page. `data` holds the items of all pages that were read. `fetchNextPage` reads
 * one more while `hasNextPage` is true. The cache key is `[name, asked, 'pages']`.
 */
export function useProductPages<Name extends PagedName>(
  name: Name,
  asked: AskOf<Name>,
  { keepsPrevious = false, ...options }: QueryOptions = {},
): UseInfiniteQueryResult<ItemOf<Name>[]> {
  const { product } = useProduct();
  return useInfiniteQuery({
    ...options,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    ...productPages(product, name, asked),
    // The items are those of this name's pages. The compiler cannot infer that for a union of lists.
    select: ({ pages }) => pages.flatMap(({ items }): readonly unknown[] => items) as ItemOf<Name>[],
  });
}

/** The refusals that show that the client's data is stale: the thing has changed or is gone. */
const OLD_KNOWLEDGE: ReadonlySet<RefusalCode | null> = new Set(['wrong_state', 'not_found']);

type MutationOptions<Name extends EndpointName, Kept> = Omit<
  UseMutationOptions<ProductAnswer<Name>, Error, AskOf<Name>, Kept>,
  'mutationFn'
> & {
  /** The requests whose cached answers are stale after this request, with any parameters. */
  readonly invalidates?: readonly EndpointName[];
};

/** Returns a request that changes something: `mutate(asked)`. It is never retried automatically. */
export function useProductMutation<Name extends EndpointName, Kept = unknown>(
  name: Name,
  { invalidates = [], ...options }: MutationOptions<Name, Kept> = {},
): UseMutationResult<ProductAnswer<Name>, Error, AskOf<Name>, Kept> {
  const { product } = useProduct();
  const queries = useQueryClient();
  return useMutation({
    ...options,
    mutationFn: (asked: AskOf<Name>) => product.ask(name, asked),
    onSuccess(...told) {
      outdate(queries, invalidates);
      return options.onSuccess?.(...told);
    },
    onError(error, ...told) {
      // The request was based on stale data.
      if (OLD_KNOWLEDGE.has(refusalCode(error))) outdate(queries, invalidates);
      return options.onError?.(error, ...told);
    },
  });
}

/** Returns the rules of the platform, which do not change while the server runs. Undefined until they are loaded. */
export function useRules(isAsked = true): Rules | undefined {
  return useProductQuery('rules', {}, { enabled: isAsked, staleTime: Infinity }).data;
}
