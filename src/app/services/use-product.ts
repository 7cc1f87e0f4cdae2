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
import type { AskOf, EndpointName, ProductAnswer } from '../../protocol/product/api.ts';
import type { RefusalCode } from '../../protocol/product/refusals.ts';
import { useServices } from './services-context.ts';
import { refusalCode } from '../core/product/refusal-text.ts';
import { type ItemOf, type PagedName, outdate, productPages, productQuery } from '../core/product/product-queries.ts';

interface QueryOptions {
  /** Whether it is asked at all. Default: yes. */
  readonly enabled?: boolean;
  /** Milliseconds for which an answer is not asked for again. Default: that of the app. */
  readonly staleTime?: number;
  /** Milliseconds after which it is asked again, while somebody looks. Default: never. */
  readonly refetchInterval?: number;
  /** Shows the answer to what was asked before until there is one to what is asked now. */
  readonly keepsPrevious?: boolean;
}

/** The answer to a request, kept under `[name, asked]`, and asked for again when it is old. */
export function useProductQuery<Name extends EndpointName>(
  name: Name,
  asked: AskOf<Name>,
  { keepsPrevious = false, ...options }: QueryOptions = {},
): UseQueryResult<ProductAnswer<Name>> {
  const { product } = useServices();
  return useQuery({
    ...options,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    ...productQuery(product, name, asked),
  });
}

/**
 * A list that grows by pages: `data` holds the items of all pages that were read, and `fetchNextPage` reads one more while
 * `hasNextPage`. Kept under `[name, asked, 'pages']`.
 */
export function useProductPages<Name extends PagedName>(
  name: Name,
  asked: AskOf<Name>,
  { keepsPrevious = false, ...options }: QueryOptions = {},
): UseInfiniteQueryResult<ItemOf<Name>[]> {
  const { product } = useServices();
  return useInfiniteQuery({
    ...options,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    ...productPages(product, name, asked),
    // The items of this name's pages; of any two lists the compiler no longer tells which they are.
    select: ({ pages }) => pages.flatMap(({ items }): readonly unknown[] => items) as ItemOf<Name>[],
  });
}

/** What somebody is refused who has not seen yet what it is about change, or go. */
const OLD_KNOWLEDGE: ReadonlySet<RefusalCode | null> = new Set(['wrong_state', 'not_found']);

type MutationOptions<Name extends EndpointName, Kept> = Omit<
  UseMutationOptions<ProductAnswer<Name>, Error, AskOf<Name>, Kept>,
  'mutationFn'
> & {
  /** The requests whose answers are old once this one is answered, whatever they were asked with. */
  readonly invalidates?: readonly EndpointName[];
};

/** A request that changes something: `mutate(asked)`. It is never sent twice by itself. */
export function useProductMutation<Name extends EndpointName, Kept = unknown>(
  name: Name,
  { invalidates = [], ...options }: MutationOptions<Name, Kept> = {},
): UseMutationResult<ProductAnswer<Name>, Error, AskOf<Name>, Kept> {
  const { product } = useServices();
  const queries = useQueryClient();
  return useMutation({
    ...options,
    mutationFn: (asked: AskOf<Name>) => product.ask(name, asked),
    onSuccess(...told) {
      outdate(queries, invalidates);
      return options.onSuccess?.(...told);
    },
    onError(error, ...told) {
      // What was asked for goes by what was known, and that is old.
      if (OLD_KNOWLEDGE.has(refusalCode(error))) outdate(queries, invalidates);
      return options.onError?.(error, ...told);
    },
  });
}
