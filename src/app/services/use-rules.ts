import type { Rules } from '../../protocol/product/rules.ts';
import { useProductQuery } from './use-product.ts';

/** The rules of the platform, which stay as they are while the server runs; undefined until they are there. */
export function useRules(isAsked = true): Rules | undefined {
  return useProductQuery('rules', {}, { enabled: isAsked, staleTime: Infinity }).data;
}
