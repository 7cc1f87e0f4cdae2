import type { Message } from '../../../../protocol/product/chat.ts';
import type { EventClient } from '../../../core/events/event-client.ts';
import type { Clock } from '../../../../common/clock.ts';
import type { Logger } from '../../../core/ports/ports.ts';
import type { ProductClient } from '../../../core/product/product-client.ts';
import type { ReadableStore } from '../../../../common/store.ts';
import type { Outbox } from '../outbox.ts';
import type { Unsent } from '../unsent.ts';
import { type ThreadPages, createThreadPages } from './thread-pages.ts';
import {
  type ReadyThread,
  type ThreadState,
  type ThreadStore,
  createThreadStore,
  lastSeq,
  withChannel,
} from './thread-state.ts';
import { type ThreadTyping, createThreadTyping } from './thread-typing.ts';

/** One chat: its messages, the unsent messages and the typing of the other user. */
export interface Thread {
  readonly state: ReadableStore<ThreadState>;
  /** Loads the chat and follows its events. Returns the function that stops this. */
  open(): () => void;
  /** Loads the chat again after a failure. */
  retry(): void;
  loadOlder(): void;
  /** Marks the chat as read, since the user has seen the last message. */
  markRead(): void;
  /** Reports typing. False when the text is empty or sent. */
  typing(isTyping: boolean): void;
}

interface Dependencies {
  channelUrl: string;
  uId: string;
  product: Pick<ProductClient, 'ask'>;
  events: Pick<EventClient, 'on'>;
  outbox: Pick<Outbox, 'unsent' | 'onSent'>;
  /** Called when the user has answered the other user for the first time in this chat. */
  onFirstReply(): void;
  clock: Clock;
  logger: Logger;
}

/** The messages that users write. The other types report actions. */
const SAID: readonly Message['type'][] = ['text', 'photo', 'voice'];

/** Creates a chat. The caller opens it. */
export function createThread(outside: Dependencies): Thread {
  const { channelUrl, outbox } = outside;
  const thread = createThreadStore();
  const reading = createReading(outside, thread);
  const typing = createThreadTyping({ ...outside, thread });
  let isOpen = false;

  const unsent = (): readonly Unsent[] => outbox.unsent.get().filter((one) => one.channelUrl === channelUrl);
  const pages = createThreadPages({
    ...outside,
    thread,
    unsent,
    isOver: () => !isOpen,
    onLoaded: ({ read_seq }) => reading.begin(read_seq),
  });

  function take(message: Message): void {
    if (message.channel_url !== channelUrl) return;
    const current = thread.get();
    if (current.kind !== 'ready' || message.seq <= lastSeq(current)) return;
    if (current.messages.length > 0 && message.seq > lastSeq(current) + 1) {
      void pages.catchUp();
      return;
    }
    thread.change((ready) => ({ ...ready, messages: [...ready.messages, message] }));
    if (message.from !== outside.uId) typing.theirs(false);
  }

  function sent(message: Message): void {
    const current = thread.get();
    const isFirst = current.kind === 'ready' && isFirstReply(current, message);
    take(message);
    if (isFirst) outside.onFirstReply();
  }

  return {
    state: thread,
    open() {
      isOpen = true;
      const undo = [
        ...followEvents(outside, { thread, typing, pages, take }),
        outbox.onSent(sent),
        outbox.unsent.subscribe(() => thread.change((ready) => ({ ...ready, unsent: unsent() }))),
      ];
      void pages.load();
      return () => {
        isOpen = false;
        typing.stop();
        for (const one of undo) one();
      };
    },
    retry() {
      thread.set({ kind: 'loading' });
      void pages.load();
    },
    loadOlder: pages.loadOlder,
    markRead: reading.mark,
    typing: typing.ours,
  };
}

interface ThreadParts {
  readonly thread: ThreadStore;
  readonly typing: ThreadTyping;
  readonly pages: ThreadPages;
  /** Adds a message that the server has sent. */
  take(message: Message): void;
}

/** Follows the events of a chat. Returns the functions that unsubscribe. */
function followEvents(
  { channelUrl, events }: Dependencies,
  { thread, typing, pages, take }: ThreadParts,
): readonly (() => void)[] {
  const isHere = (event: { channel_url: string }): boolean => event.channel_url === channelUrl;
  return [
    events.on('message', ({ message }) => take(message)),
    events.on('delivered', (event) => {
      if (isHere(event)) thread.change((ready) => withChannel(ready, { companion_delivered_seq: event.seq }));
    }),
    events.on('read', (event) => {
      const seqs = { companion_read_seq: event.seq, companion_delivered_seq: event.seq };
      if (isHere(event)) thread.change((ready) => withChannel(ready, seqs));
    }),
    events.on('typing', (event) => {
      if (isHere(event)) typing.theirs(event.typing);
    }),
    events.on('presence_changed', ({ u_id, presence, last_seen_at }) =>
      thread.change((ready) =>
        ready.channel.companion.u_id === u_id
          ? withChannel(ready, { companion: { ...ready.channel.companion, presence, last_seen_at } })
          : ready,
      ),
    ),
    events.on('resync', () => void pages.catchUp()),
  ];
}

/** Creates the read position of this user. `mark` sends it when the user has seen the last message. */
function createReading({ channelUrl, uId, product, logger }: Dependencies, thread: ThreadStore) {
  let readUpTo = 0;
  return {
    begin: (seq: number): void => void (readUpTo = seq),
    mark(): void {
      const current = thread.get();
      if (current.kind !== 'ready') return;
      const last = current.messages.findLast(({ from }) => from !== uId)?.seq ?? 0;
      if (last <= readUpTo) return;
      const before = readUpTo;
      readUpTo = last;
      product
        .ask('readMessages', { params: { channel_url: channelUrl }, body: { seq: last } })
        .catch((error: unknown) => {
          readUpTo = before;
          logger.warn('the read position was not sent', error);
        });
    },
  };
}

/** Returns true when the other user has sent a message before and the sender of this one has not. */
function isFirstReply({ channel, messages, hasOlder }: ReadyThread, message: Message): boolean {
  if (message.channel_url !== channel.channel_url || hasOlder) return false;
  const said = messages.filter(({ seq, type }) => seq < message.seq && SAID.includes(type));
  return said.length > 0 && said.every(({ from }) => from !== message.from);
}
