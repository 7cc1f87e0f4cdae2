import { isStay } from './room-state.ts';
import type { RoomVisit } from './room-visit.ts';

/** The components that show a visit. */
interface Shown {
  count: number;
  /** Ends the wait for the end of the stay, after the last component has unmounted. */
  stopWaiting: () => void;
}

const shownBy = new WeakMap<RoomVisit, Shown>();

/**
 * Counts a component that shows a visit. Returns the function that removes it. A visit without components is disposed:
 * at once in the lobby, and otherwise when the stay ends. An entry that is refused also ends it.
 */
export function showVisit(visit: RoomVisit): () => void {
  const shown = shownBy.get(visit) ?? { count: 0, stopWaiting: () => {} };
  shownBy.set(visit, shown);
  shown.count += 1;
  shown.stopWaiting();
  return () => {
    shown.count -= 1;
    if (shown.count > 0) return;
    const look = (): void => {
      if (isStay(visit.state.get().stage)) return;
      shown.stopWaiting();
      visit.dispose();
    };
    shown.stopWaiting = visit.state.subscribe(look);
    look();
  };
}
