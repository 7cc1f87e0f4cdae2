import { useSearchParams } from 'react-router-dom';
import { type PeopleFilter, peopleTraits } from '../../people/people-filter.ts';

export const NO_FILTER: PeopleFilter = { traits: new Set(), city: null };

/** The filter lives in the address, so that going back, reloading and sharing keep it. */
export function usePeopleFilter(): [PeopleFilter, (next: PeopleFilter) => void] {
  const [search, setSearch] = useSearchParams();
  const named = new Set(search.get('only')?.split(','));
  const filter: PeopleFilter = {
    traits: new Set(peopleTraits.filter((trait) => named.has(trait))),
    city: search.get('city'),
  };

  function setFilter(next: PeopleFilter): void {
    const params = new URLSearchParams();
    if (next.traits.size > 0) params.set('only', Array.from(next.traits).join(','));
    if (next.city !== null) params.set('city', next.city);
    setSearch(params, { replace: true, preventScrollReset: true });
  }

  return [filter, setFilter];
}
