import type { Rules } from '../../protocol/product/rules.ts';
import { useProductQuery } from './use-product.ts';

/** Returns the rules of the platform, which do not change while the server runs. Undefined until they are loaded. */
export function useRules(isAsked = true): Rules | undefined {
  return useProductQuery('rules', {}, { enabled: isAsked, staleTime: Infinity }).data;
}
