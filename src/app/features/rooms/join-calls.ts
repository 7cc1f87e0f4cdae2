import type { ReadableStore } from '../../../common/store.ts';
import { type RoomVisit, hasVideo, isStay } from '../../../react/index.ts';
import type { CallingService } from '../calling/calling-service.ts';
import { endMovedCall } from './end-moved-call.ts';

/**
 * Joins the rooms of the page to its calls: a moved call ends, and the calling service knows the kind of the room that
 * the user is in. Returns the function that stops this.
 */
export function joinCalls(
  calling: Pick<CallingService, 'dismissSummary' | 'end' | 'state' | 'stay'>,
  present: ReadableStore<RoomVisit | null>,
): () => void {
  let unfollow = (): void => {};

  function look(): void {
    const visit = present.get()?.state.get();
    if (visit === undefined || !isStay(visit.stage)) calling.stay.set(null);
    else calling.stay.set(visit.facts !== null && hasVideo(visit.facts.type) ? 'video' : 'voice');
  }

  function follow(): void {
    unfollow();
    unfollow = present.get()?.state.subscribe(look) ?? (() => {});
    look();
  }

  const stops = [present.subscribe(follow), endMovedCall(calling, present)];
  follow();
  return () => {
    unfollow();
    for (const stop of stops) stop();
    calling.stay.set(null);
  };
}
