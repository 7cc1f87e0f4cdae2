import { startTransition, useEffect, useState, useSyncExternalStore } from 'react';
import type { ReadableStore } from '../../common/store.ts';

/** Returns the value of a store and renders the component again at each change. */
export function useStore<T>(store: ReadableStore<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/**
 * Returns a value on which the whole page depends. A change is rendered in slices, after the response to the press that
 * made it. Until then the earlier value is returned.
 */
export function useStoreInSlices<T>(store: ReadableStore<T>): T {
  const [value, setValue] = useState(() => store.get());
  useEffect(() => {
    const follow = (): void => startTransition(() => setValue(() => store.get()));
    // The value may have changed between the first render and this effect.
    follow();
    return store.subscribe(follow);
  }, [store]);
  return value;
}
