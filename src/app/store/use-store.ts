import { useSyncExternalStore } from 'react';
import type { ReadableStore } from './store.ts';

/** The only bridge from the app's stores to React. */
export function useStore<T>(store: ReadableStore<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}
