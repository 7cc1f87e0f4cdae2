import { useEffect, useState } from 'react';
import { useEvents, usePorts, useProduct, useSession } from '../../../core/hooks/areas.ts';
import { useChat } from '../outbox.ts';
import { usePush } from '../../push/push.ts';
import { usePwa } from '../../pwa/pwa.ts';
import { useStore } from '../../../../ui/store/use-store.ts';
import type { ThreadState } from './thread-state.ts';
import { type Thread, createThread } from './thread.ts';

/** Opens the chat while the component is mounted. Another chat needs another component instance. */
export function useThread(channelUrl: string): { thread: Thread; state: ThreadState } {
  const ports = usePorts();
  const push = usePush();
  const pwa = usePwa();
  const { product } = useProduct();
  const { events } = useEvents();
  const { outbox } = useChat();
  const { user } = useSession();
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
      // A user who waits for an answer understands the purpose of notifications, and has found the app useful.
      onFirstReply() {
        pwa.install.noteValue();
        push.offer.offer();
      },
    });
  });
  useEffect(() => thread.open(), [thread]);
  return { thread, state: useStore(thread.state) };
}
