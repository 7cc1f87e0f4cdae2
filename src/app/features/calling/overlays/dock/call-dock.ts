import { type CallsState, isLive } from '../../call-state.ts';
import { type ReadableStore, createStore } from '../../../../core/store/store.ts';
import { type Corner, nextCorner } from './corners.ts';

interface DockState {
  /** The key of the docked call. Another call that comes to the front is not docked. */
  readonly key: string | null;
  readonly corner: Corner;
}

/** A store of whether the call in front fills the page or is docked to a corner. */
export interface CallDock {
  readonly state: ReadableStore<DockState>;
  /** Docks the call in front. A summary cannot be docked. */
  dock(): void;
  expand(): void;
  moveTo(corner: Corner): void;
  moveOn(): void;
}

export function createCallDock(calls: ReadableStore<CallsState>): CallDock {
  const state = createStore<DockState>({ key: null, corner: 'bottom-end' });
  return {
    state,
    dock() {
      const { active } = calls.get();
      if (isLive(active)) state.update((current) => ({ ...current, key: active.key }));
    },
    expand: () => state.update((current) => ({ ...current, key: null })),
    moveTo: (corner) => state.update((current) => ({ ...current, corner })),
    moveOn: () => state.update((current) => ({ ...current, corner: nextCorner(current.corner) })),
  };
}
