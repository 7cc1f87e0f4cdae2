import type { Channel, Message } from '../../../../protocol/product/chat.ts';
import { TYPING_MS } from '../../../../protocol/product/chat.ts';
import type { Outbox, Unsent } from '../outbox.ts';
import type { EventClient } from '../../../core/events/event-client.ts';
import type { Clock, Timer } from '../../../../common/clock.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import type { ProductClient } from '../../../core/product/product-client.ts';
import { refusalCode } from '../../../core/product/refusal-text.ts';
import { type ReadableStore, createStore } from '../../../core/store/store.ts';

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

const PAGE = '40';
/** The messages that users write. The other types report actions. */
const SAID: readonly Message['type'][] = ['text', 'photo', 'voice'];

export function createThread(outside: Dependencies): Thread {
  const { channelUrl, product, events, outbox, clock, logger } = outside;
  const state = createStore<ThreadState>({ kind: 'loading' });
  const params = { channel_url: channelUrl };
  let isDisposed = true;
  let isCatchingUp = false;
  let readUpTo = 0;
  let theirTypingEnd: Timer | undefined;
  let typingSentAt: number | null = null;

  const change = (how: (ready: ReadyThread) => ReadyThread): void => {
    state.update((current) => (current.kind === 'ready' ? how(current) : current));
  };
  const unsentHere = (): readonly Unsent[] => outbox.unsent.get().filter((one) => one.channelUrl === channelUrl);

  async function load(): Promise<void> {
    try {
      const [channel, { items, next }] = await Promise.all([
        product.ask('channel', { params }),
        product.ask('messages', { params, query: { limit: PAGE } }),
      ]);
      if (isDisposed) return;
      readUpTo = channel.read_seq;
      const messages = items.toReversed();
      state.set({
        kind: 'ready',
        channel,
        messages,
        unsent: unsentHere(),
        hasOlder: next !== null,
        isLoadingOlder: false,
        readWhenOpened: channel.unread_count > 0 ? channel.read_seq : null,
        isTyping: false,
      });
    } catch (error) {
      if (isDisposed) return;
      logger.warn('a chat did not load', error);
      const isUnknown = refusalCode(error) === 'not_found' || refusalCode(error) === 'invalid';
      if (state.get().kind !== 'ready') state.set(isUnknown ? { kind: 'unknown' } : { kind: 'failed', error });
    }
  }

  /** Loads the messages after the last known one. */
  async function catchUp(): Promise<void> {
    const current = state.get();
    if (current.kind !== 'ready') {
      void load();
      return;
    }
    if (isCatchingUp) return;
    isCatchingUp = true;
    try {
      const channel = await product.ask('channel', { params });
      if (isDisposed) return;
      change((ready) => ({ ...ready, channel }));
      for (let isMore = true; isMore;) {
        const ready = state.get();
        if (ready.kind !== 'ready') break;
        const after = ready.messages.at(-1)?.seq ?? 0;
        const { items, next } = await product.ask('messages', { params, query: { limit: '50', after: String(after) } });
        if (isDisposed) return;
        change((now) => ({ ...now, messages: [...now.messages, ...items.filter(({ seq }) => seq > lastSeq(now))] }));
        isMore = next !== null;
      }
    } catch (error) {
      logger.warn('newer messages did not load', error);
    } finally {
      isCatchingUp = false;
    }
  }

  function take(message: Message): void {
    if (message.channel_url !== channelUrl) return;
    const current = state.get();
    if (current.kind !== 'ready' || message.seq <= lastSeq(current)) return;
    if (current.messages.length > 0 && message.seq > lastSeq(current) + 1) {
      void catchUp();
      return;
    }
    change((ready) => ({ ...ready, messages: [...ready.messages, message] }));
    if (message.from !== outside.uId) theirTyping(false);
  }

  function sent(message: Message): void {
    const current = state.get();
    const isFirst = current.kind === 'ready' && isFirstReply(current, message);
    take(message);
    if (isFirst) outside.onFirstReply();
  }

  function theirTyping(isTyping: boolean): void {
    theirTypingEnd?.cancel();
    // The event that typing has stopped may be lost.
    theirTypingEnd = isTyping ? clock.after(2 * TYPING_MS, () => theirTyping(false)) : undefined;
    change((ready) => (ready.isTyping === isTyping ? ready : { ...ready, isTyping }));
  }

  const isHere = (event: { channel_url: string }): boolean => event.channel_url === channelUrl;
  const follow = () => [
    events.on('message', ({ message }) => take(message)),
    events.on('delivered', (event) => {
      if (isHere(event)) change((ready) => withChannel(ready, { companion_delivered_seq: event.seq }));
    }),
    events.on('read', (event) => {
      const seqs = { companion_read_seq: event.seq, companion_delivered_seq: event.seq };
      if (isHere(event)) change((ready) => withChannel(ready, seqs));
    }),
    events.on('typing', (event) => {
      if (isHere(event)) theirTyping(event.typing);
    }),
    events.on('presence_changed', ({ u_id, presence, last_seen_at }) =>
      change((ready) =>
        ready.channel.companion.u_id === u_id
          ? withChannel(ready, { companion: { ...ready.channel.companion, presence, last_seen_at } })
          : ready,
      ),
    ),
    events.on('resync', () => void catchUp()),
    outbox.onSent(sent),
    outbox.unsent.subscribe(() => change((ready) => ({ ...ready, unsent: unsentHere() }))),
  ];

  return {
    state,
    open() {
      isDisposed = false;
      const undo = follow();
      void load();
      return () => {
        isDisposed = true;
        theirTypingEnd?.cancel();
        for (const one of undo) one();
      };
    },
    retry() {
      state.set({ kind: 'loading' });
      void load();
    },
    loadOlder() {
      const current = state.get();
      if (current.kind !== 'ready' || !current.hasOlder || current.isLoadingOlder) return;
      change((ready) => ({ ...ready, isLoadingOlder: true }));
      const before = String(current.messages[0]?.seq ?? 0);
      product.ask('messages', { params, query: { limit: PAGE, before } }).then(
        ({ items, next }) =>
          change((ready) => ({
            ...ready,
            messages: [...items.toReversed(), ...ready.messages],
            hasOlder: next !== null,
            isLoadingOlder: false,
          })),
        (error: unknown) => {
          logger.warn('older messages did not load', error);
          change((ready) => ({ ...ready, isLoadingOlder: false }));
        },
      );
    },
    markRead() {
      const current = state.get();
      if (current.kind !== 'ready') return;
      const last = current.messages.findLast(({ from }) => from !== outside.uId)?.seq ?? 0;
      if (last <= readUpTo) return;
      const before = readUpTo;
      readUpTo = last;
      product.ask('readMessages', { params, body: { seq: last } }).catch((error: unknown) => {
        readUpTo = before;
        logger.warn('the read position was not sent', error);
      });
    },
    typing(isTyping) {
      const now = clock.wallTime();
      const isRecent = typingSentAt !== null && now - typingSentAt < TYPING_MS;
      if (isTyping ? isRecent : typingSentAt === null) return;
      typingSentAt = isTyping ? now : null;
      product.ask('typing', { params, body: { typing: isTyping } }).catch(() => undefined);
    },
  };
}

/** Returns true when the other user has sent a message before and the sender of this one has not. */
function isFirstReply({ channel, messages, hasOlder }: ReadyThread, message: Message): boolean {
  if (message.channel_url !== channel.channel_url || hasOlder) return false;
  const said = messages.filter(({ seq, type }) => seq < message.seq && SAID.includes(type));
  return said.length > 0 && said.every(({ from }) => from !== message.from);
}

const lastSeq = ({ messages }: ReadyThread): number => messages.at(-1)?.seq ?? 0;

const withChannel = (ready: ReadyThread, part: Partial<Channel>): ReadyThread => ({
  ...ready,
  channel: { ...ready.channel, ...part },
});
