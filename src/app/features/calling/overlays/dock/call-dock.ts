import { type CallsState, isLive } from '../../../../../react/index.ts';
import { type ReadableStore, createStore } from '../../../../../common/store.ts';

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

/** A corner for the docked call. Start and end follow the direction of the text. */
export type Corner = 'top-start' | 'top-end' | 'bottom-end' | 'bottom-start';

const CLOCKWISE: readonly Corner[] = ['top-start', 'top-end', 'bottom-end', 'bottom-start'];

/** Returns the corner that is nearest to a point of the page. */
export function nearestCorner(point: { x: number; y: number }, page: { width: number; height: number }): Corner {
  const block = point.y < page.height / 2 ? 'top' : 'bottom';
  return point.x < page.width / 2 ? `${block}-start` : `${block}-end`;
}

/** Returns the next corner clockwise, for users who do not drag. */
export function nextCorner(corner: Corner): Corner {
  return CLOCKWISE[(CLOCKWISE.indexOf(corner) + 1) % CLOCKWISE.length] ?? corner;
}
