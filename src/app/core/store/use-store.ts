import { startTransition, useEffect, useState, useSyncExternalStore } from 'react';
import type { ReadableStore } from './store.ts';

/** The only bridge from the app's stores to React. */
export function useStore<T>(store: ReadableStore<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/**
 * A value that the whole page is drawn by. A change of it is rendered in slices, once the press that made it has been answered
 * on the screen: until then this is the value before.
 */
export function useStoreInSlices<T>(store: ReadableStore<T>): T {
  const [value, setValue] = useState(() => store.get());
  useEffect(() => {
    const follow = (): void => startTransition(() => setValue(() => store.get()));
    // It may have changed before there was anybody to tell.
    follow();
    return store.subscribe(follow);
  }, [store]);
  return value;
}
