import { isStay } from './room-state.ts';
import type { RoomVisit } from './room-visit.ts';

/** The number of components that show each visit. */
const components = new WeakMap<RoomVisit, number>();

/**
 * Counts a component that shows a visit. Returns the function that removes it. A visit without components is disposed:
 * at once in the lobby, and otherwise when the stay ends. An entry that is refused also ends it.
 */
export function showVisit(visit: RoomVisit): () => void {
  const count = (by: number): void => void components.set(visit, (components.get(visit) ?? 0) + by);
  count(1);
  return () => {
    count(-1);
    const look = (): void => {
      if (isStay(visit.state.get().stage)) return;
      unsubscribe();
      if (components.get(visit) === 0) visit.dispose();
    };
    const unsubscribe = visit.state.subscribe(look);
    look();
  };
}
