import { TYPING_MS } from '../../../../protocol/product/chat.ts';
import type { Clock, Timer } from '../../../../common/clock.ts';
import type { ProductClient } from '../../../core/product/product-client.ts';
import type { ThreadStore } from './thread-state.ts';

/** The typing of both users of a chat. */
export interface ThreadTyping {
  /** Shows whether the other user types. */
  theirs(isTyping: boolean): void;
  /** Reports the typing of this user, at most once in `TYPING_MS`. */
  ours(isTyping: boolean): void;
  stop(): void;
}

interface Dependencies {
  readonly channelUrl: string;
  readonly thread: Pick<ThreadStore, 'change'>;
  readonly product: Pick<ProductClient, 'ask'>;
  readonly clock: Clock;
}

export function createThreadTyping({ channelUrl, thread, product, clock }: Dependencies): ThreadTyping {
  let ending: Timer | undefined;
  let sentAt: number | null = null;

  function theirs(isTyping: boolean): void {
    ending?.cancel();
    // The event that typing has stopped may be lost.
    ending = isTyping ? clock.after(2 * TYPING_MS, () => theirs(false)) : undefined;
    thread.change((ready) => (ready.isTyping === isTyping ? ready : { ...ready, isTyping }));
  }

  return {
    theirs,
    ours(isTyping) {
      const now = clock.wallTime();
      const isRecent = sentAt !== null && now - sentAt < TYPING_MS;
      if (isTyping ? isRecent : sentAt === null) return;
      sentAt = isTyping ? now : null;
      product.ask('typing', { params: { channel_url: channelUrl }, body: { typing: isTyping } }).catch(() => undefined);
    },
    stop: () => ending?.cancel(),
  };
}
