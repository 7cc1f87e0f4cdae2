import type { AskOf } from '../../../protocol/product/api.ts';

/** The query of the discovery request without its page. */
export type DiscoverFilter = Omit<AskOf<'discover'>['query'], 'cursor' | 'limit'>;

/** The chips above the grid. Several chips narrow the result together. */
export const TRAITS = ['online', 'favorite', 'new', 'near', 'video', 'verified'] as const;
export type Trait = (typeof TRAITS)[number];

const NUMBERS = ['age_from', 'age_to', 'price_to'] as const;

/** Returns the filter in an address. Unknown names and invalid numbers are dropped. */
export function readFilter(search: URLSearchParams): DiscoverFilter {
  const named = new Set(search.get('only')?.split(','));
  const traits = TRAITS.filter((trait) => named.has(trait)).map((trait) => [trait, 'yes'] as const);
  const numbers = NUMBERS.flatMap((name) => {
    const value = search.get(name) ?? '';
    return /^\d{1,4}$/.test(value) ? [[name, value] as const] : [];
  });
  const city = search.get('city');
  const language = search.get('language') ?? '';
  return {
    ...Object.fromEntries([...traits, ...numbers]),
    ...(city ? { city } : {}),
    ...(/^[a-z]{2,3}$/.test(language) ? { language } : {}),
  };
}

/** Returns the address of a filter. */
export function writeFilter(filter: DiscoverFilter): URLSearchParams {
  const search = new URLSearchParams();
  const traits = TRAITS.filter((trait) => filter[trait] !== undefined);
  if (traits.length > 0) search.set('only', traits.join(','));
  for (const name of [...NUMBERS, 'city', 'language'] as const) {
    const value = filter[name];
    if (value !== undefined) search.set(name, value);
  }
  return search;
}
