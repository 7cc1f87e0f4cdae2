import type { ReadableStore } from '../../../common/store.ts';
import { type RoomVisit, isLive } from '../../../react/index.ts';
import type { CallingService } from '../calling/calling-service.ts';

/**
 * Ends the direct call with a user who is in the same room as this user. Both users do this, and the second end changes
 * nothing. The summary of such a call is not shown, since its users still talk. Returns the function that stops this.
 */
export function endMovedCall(
  calling: Pick<CallingService, 'state' | 'end' | 'dismissSummary'>,
  present: ReadableStore<RoomVisit | null>,
): () => void {
  let unfollow = (): void => {};

  function look(): void {
    const visit = present.get()?.state.get();
    const { active } = calling.state.get();
    if (visit?.stage.name !== 'inside' || active === null) return;
    const other = visit.people.find(({ userId, isMe }) => !isMe && userId === active.party.userId);
    if (other === undefined) return;
    if (!isLive(active)) calling.dismissSummary();
    // Before the media of both is connected, they hear each other only in the call.
    else if (other.isConnected && visit.people.some(({ isMe, isConnected }) => isMe && isConnected)) calling.end();
  }

  function follow(): void {
    unfollow();
    unfollow = present.get()?.state.subscribe(look) ?? (() => {});
  }

  const stops = [present.subscribe(follow), calling.state.subscribe(look)];
  follow();
  return () => {
    unfollow();
    for (const stop of stops) stop();
  };
}
