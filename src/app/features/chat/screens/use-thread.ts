import { useEffect, useState } from 'react';
import { useServices } from '../../../services/services-context.ts';
import { useStore } from '../../../core/store/use-store.ts';
import { type Thread, type ThreadState, createThread } from './thread.ts';

/** The chat of this address, open for as long as it is on the screen. Another address wants another component. */
export function useThread(channelUrl: string): { thread: Thread; state: ThreadState } {
  const { product, events, outbox, ports, user, push, pwa } = useServices();
  const [thread] = useState(() => {
    const { clock, logger } = ports;
    return createThread({
      channelUrl,
      uId: user.user.get().uId ?? '',
      product,
      events,
      outbox,
      clock,
      logger,
      // Whoever waits for an answer knows what notifications are for, and has found the app of use.
      onFirstReply() {
        pwa.install.noteValue();
        push.offer.offer();
      },
    });
  });
  useEffect(() => thread.open(), [thread]);
  return { thread, state: useStore(thread.state) };
}
