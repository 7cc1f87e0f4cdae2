import type { Channel, Message } from '../../../../protocol/product/chat.ts';
import { type Store, createStore } from '../../../../common/store.ts';
import type { Unsent } from '../unsent.ts';

/** A chat before it is loaded, after a failure, or loaded. */
export type ThreadState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The chat does not exist, or the user is not a member of it. */
  | { readonly kind: 'unknown' }
  | ReadyThread;

/** A loaded chat. */
export interface ReadyThread {
  readonly kind: 'ready';
  readonly channel: Channel;
  /** Sorted by `seq`, without gaps. */
  readonly messages: readonly Message[];
  /** Written here and not yet received by the server. */
  readonly unsent: readonly Unsent[];
  /** True when the server has older messages. */
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  /** The last read `seq` when the chat was opened. Null when nothing was unread. */
  readonly readWhenOpened: number | null;
  readonly isTyping: boolean;
}

/** The store of a chat. */
export interface ThreadStore extends Store<ThreadState> {
  /** Changes a loaded chat. Does nothing before that. */
  change(how: (ready: ReadyThread) => ReadyThread): void;
}

/** Creates the store of a chat that is not loaded. */
export function createThreadStore(): ThreadStore {
  const store = createStore<ThreadState>({ kind: 'loading' });
  return {
    ...store,
    change: (how) => store.update((current) => (current.kind === 'ready' ? how(current) : current)),
  };
}

/** Returns the position of the last loaded message. 0 without one. */
export const lastSeq = ({ messages }: ReadyThread): number => messages.at(-1)?.seq ?? 0;

/** Returns a chat whose channel has other values. */
export const withChannel = (ready: ReadyThread, part: Partial<Channel>): ReadyThread => ({
  ...ready,
  channel: { ...ready.channel, ...part },
});
