import { useCallback, useSyncExternalStore } from 'react';
import { useStore } from '../../ui/store/use-store.ts';
import type { ActiveCall, CallsState } from '../calls/call-state.ts';
import { useRingback } from '../ringback-context.ts';

/** Returns the calls of the page: those that ring, the one in front, those on hold, and the missed one. */
export function useCalls(): CallsState {
  return useStore(useRingback().calls.state);
}

/**
 * Returns a call by its key, and renders the component again only when this call changes. Null after the end of the
 * call and of its summary.
 */
export function useCall(key: string): ActiveCall | null {
  const { state } = useRingback().calls;
  const read = useCallback((): ActiveCall | null => {
    const { active, held } = state.get();
    return [active, ...held].find((call) => call?.key === key) ?? null;
  }, [state, key]);
  return useSyncExternalStore(state.subscribe, read, read);
}
