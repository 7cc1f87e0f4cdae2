import type { Message } from '../../../protocol/product/chat.ts';
import type { Clock } from '../../../common/clock.ts';
import type { Logger, NewId } from '../../core/ports/ports.ts';
import type { Connectivity } from '../../../common/connectivity.ts';
import type { KeyValueStore } from '../../core/ports/key-value-store.ts';
import type { ProductClient } from '../../core/product/product-client.ts';
import { type ReadableStore, createStore } from '../../../common/store.ts';
import { createOutboxSender } from './outbox-sender.ts';
import { createOutboxStorage } from './outbox-storage.ts';
import type { Unsaid, Unsent } from './unsent.ts';
import { createArea } from '../../core/hooks/create-area.ts';

/** The unsent messages of the user, sent in the order in which they were written. Texts are stored across reloads. */
export interface Outbox {
  readonly unsent: ReadableStore<readonly Unsent[]>;
  put(channelUrl: string, said: Unsaid): void;
  retry(clientId: string): void;
  discard(clientId: string): void;
  /** Sends the waiting messages while the network is available. */
  flush(): void;
  /** Calls the listener for each message that the server has accepted. Returns the function that unsubscribes. */
  onSent(listener: (message: Message) => void): () => void;
  /** Restores the texts that an earlier page of this user stored. */
  start(uId: string): void;
  /** Deletes the unsent messages of this user. */
  stop(): void;
  /** Stops sending. The stored texts stay for the next page. */
  dispose(): void;
}

interface Dependencies {
  product: Pick<ProductClient, 'ask'>;
  connectivity: Connectivity;
  localStorage: KeyValueStore;
  clock: Clock;
  logger: Logger;
  newId: NewId;
}

export function createOutbox(outside: Dependencies): Outbox {
  const { clock, connectivity } = outside;
  const storage = createOutboxStorage(outside.localStorage, outside.logger);
  const unsent = createStore<readonly Unsent[]>([]);
  const listeners = new Set<(message: Message) => void>();
  let unfollow: (() => void) | undefined;
  let owner = '';
  const { flush, stop } = createOutboxSender({
    ...outside,
    next: () => unsent.get().find(({ state }) => state === 'waiting'),
    onSent({ clientId, said }, message) {
      // The listeners run before the message leaves the outbox, so that it is always visible.
      for (const listener of [...listeners]) listener(message);
      if (said.type !== 'text') URL.revokeObjectURL(said.preview);
      discard(clientId);
    },
    onRefused: ({ clientId }, error) => replace(clientId, { state: 'failed', error }),
  });

  function change(next: readonly Unsent[]): void {
    unsent.set(next);
    storage.write(owner, next);
  }

  const discard = (clientId: string): void => change(unsent.get().filter((one) => one.clientId !== clientId));
  const replace = (clientId: string, part: Pick<Unsent, 'state' | 'error'>): void =>
    change(unsent.get().map((one) => (one.clientId === clientId ? { ...one, ...part } : one)));

  function dispose(): void {
    stop();
    unfollow?.();
    unfollow = undefined;
  }

  return {
    unsent,
    flush,
    dispose,
    put(channelUrl, said) {
      const clientId = outside.newId();
      change([...unsent.get(), { clientId, channelUrl, said, at: clock.wallTime(), state: 'waiting', error: null }]);
      flush();
    },
    retry(clientId) {
      replace(clientId, { state: 'waiting', error: null });
      flush();
    },
    discard,
    onSent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start(uId) {
      owner = uId;
      unfollow?.();
      unfollow = connectivity.subscribe(flush);
      unsent.set(storage.read(owner));
      flush();
    },
    stop() {
      dispose();
      unsent.set([]);
      storage.forget(owner);
    },
  };
}

/** The chats of the user. */
export interface ChatArea {
  /** The messages that the user wrote in chats and that are not sent yet. */
  readonly outbox: Outbox;
}

export const [ChatProvider, useChat] = createArea<ChatArea>('chat');
