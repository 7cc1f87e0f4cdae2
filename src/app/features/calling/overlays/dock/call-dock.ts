import { type CallsState, isLive } from '../../call-state.ts';
import { type ReadableStore, createStore } from '../../../../core/store/store.ts';
import { type Corner, nextCorner } from './corners.ts';

interface DockState {
  /** The call that is docked; another one that comes to the front is not. */
  readonly key: string | null;
  readonly corner: Corner;
}

/** Whether the call in front fills the page, or is docked to a corner of it while its user looks elsewhere. */
export interface CallDock {
  readonly state: ReadableStore<DockState>;
  /** Makes the call in front small. A summary is not docked: it is put away. */
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
