import type { DisposalStack } from '../core/disposal/disposal-stack.ts';
import { isLive } from '../../react/index.ts';
import type { CallingArea } from '../features/calling/use-calling.ts';
import type { ChatArea } from '../features/chat/outbox.ts';
import { countUnread } from '../features/chat/unread.ts';
import type { KeptLog } from '../features/diagnostics/kept-log.ts';
import { countCoins } from '../features/money/wallet/count-coins.ts';
import type { Push } from '../features/push/push.ts';
import type { Pwa } from '../features/pwa/pwa.ts';
import { type FrameCounts, NO_COUNTS } from '../features/shell/frame-counts.ts';
import type { Store } from '../../common/store.ts';
import type { UiArea } from '../ui/use-ui.ts';
import type { CoreServices } from './create-core.ts';

/** The services that belong to the user of the page. */
interface FollowingServices extends CoreServices, CallingArea, ChatArea, Pick<UiArea, 'queries'> {
  readonly log: Pick<KeptLog, 'clear'>;
  readonly counts: Store<FrameCounts>;
  readonly push: Push;
  readonly pwa: Pick<Pwa, 'setBadge'>;
}

/**
 * Follows the user of the page, and adds the end of this to the stack.
 *
 * @returns the function that starts the services of the present user.
 */
export function followUser(services: FollowingServices, disposal: DisposalStack): () => void {
  const { calling, counts, events, outbox, push, queries, reader, session, user } = services;
  let present: string | null = null;

  /** Removes everything of the user that was present until now. */
  function endPresent(): void {
    calling.stop();
    services.dialer.clear();
    services.log.clear();
    services.billing.clear();
    reader.stop();
    events.stop();
    outbox.stop();
    queries.forget();
    services.requestKeys.clear();
    counts.set(NO_COUNTS);
    // After a replacement, the push token of this device belongs to the other user.
    if (session.replacedBy.get() === null) push.signedOut();
    else push.stop();
  }

  /** Starts and stops live events, calls and cached answers with the user that they belong to. */
  function follow(): void {
    const { uId } = user.user.get();
    if (uId === present) return;
    if (present !== null) endPresent();
    present = uId;
    if (uId === null) return;
    reader.start();
    outbox.start(uId);
    void calling.start();
    void push.start();
  }

  /** Stops this page when another user has signed in in another tab. A call in progress ends first. */
  function leaveReplaced(): void {
    const { active, held } = calling.state.get();
    if (session.replacedBy.get() !== null && !isLive(active) && held.length === 0) session.leave();
  }

  disposal.add(
    session.replacedBy.subscribe(leaveReplaced),
    calling.state.subscribe(leaveReplaced),
    countForFrame(services),
    user.user.subscribe(follow),
  );
  events.on('resync', () => {
    queries.askAgain();
    outbox.flush();
  });
  return follow;
}

/** Keeps the counts of the frame and the number on the icon of the app up to date. */
function countForFrame({ counts, events, ports, product, pwa, user }: FollowingServices): () => void {
  countUnread({
    product,
    events,
    logger: ports.logger,
    onCount: (unread) => counts.update((known) => ({ ...known, unread })),
  });
  countCoins({
    product,
    events,
    logger: ports.logger,
    isMan: () => user.user.get().genderType === 'man',
    onCoins: (coins) => counts.update((known) => ({ ...known, coins })),
  });
  return counts.subscribe(() => pwa.setBadge(counts.get().unread ?? 0));
}
