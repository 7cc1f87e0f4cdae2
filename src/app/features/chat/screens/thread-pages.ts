import type { Channel, Message } from '../../../../protocol/product/chat.ts';
import type { Logger } from '../../../core/ports/ports.ts';
import type { ProductClient } from '../../../core/product/product-client.ts';
import { refusalCode } from '../../../core/product/refusal-text.ts';
import type { Unsent } from '../unsent.ts';
import { type ReadyThread, type ThreadStore, lastSeq } from './thread-state.ts';

/** The requests that load the messages of a chat. Failures are logged. */
export interface ThreadPages {
  /** Loads the chat with its last messages. */
  load(): Promise<void>;
  /** Loads the messages after the last known one. Loads the chat when it is not loaded. */
  catchUp(): Promise<void>;
  loadOlder(): void;
}

interface Dependencies {
  readonly channelUrl: string;
  readonly thread: ThreadStore;
  readonly product: Pick<ProductClient, 'ask'>;
  readonly logger: Logger;
  /** Returns the unsent messages of the chat. */
  unsent(): readonly Unsent[];
  /** Returns true after the chat was closed. Later answers have no effect. */
  isOver(): boolean;
  onLoaded(channel: Channel): void;
}

const PAGE = '40';

export function createThreadPages(outside: Dependencies): ThreadPages {
  const { channelUrl, thread, product, logger, isOver } = outside;
  const params = { channel_url: channelUrl };
  let isCatchingUp = false;

  async function load(): Promise<void> {
    try {
      const [channel, { items, next }] = await Promise.all([
        product.ask('channel', { params }),
        product.ask('messages', { params, query: { limit: PAGE } }),
      ]);
      if (isOver()) return;
      outside.onLoaded(channel);
      thread.set(openedThread(channel, items, next !== null, outside.unsent()));
    } catch (error) {
      if (isOver()) return;
      logger.warn('a chat did not load', error);
      const isUnknown = refusalCode(error) === 'not_found' || refusalCode(error) === 'invalid';
      if (thread.get().kind !== 'ready') thread.set(isUnknown ? { kind: 'unknown' } : { kind: 'failed', error });
    }
  }

  async function catchUp(): Promise<void> {
    const current = thread.get();
    if (current.kind !== 'ready') {
      void load();
      return;
    }
    if (isCatchingUp) return;
    isCatchingUp = true;
    try {
      const channel = await product.ask('channel', { params });
      if (isOver()) return;
      thread.change((ready) => ({ ...ready, channel }));
      await loadNewer(outside);
    } catch (error) {
      logger.warn('newer messages did not load', error);
    } finally {
      isCatchingUp = false;
    }
  }

  return {
    load,
    catchUp,
    loadOlder: () => loadOlder(outside),
  };
}

/** Returns the state of a chat that was just loaded with its last messages, latest first. */
function openedThread(
  channel: Channel,
  latestFirst: readonly Message[],
  hasOlder: boolean,
  unsent: readonly Unsent[],
): ReadyThread {
  return {
    kind: 'ready',
    channel,
    messages: latestFirst.toReversed(),
    unsent,
    hasOlder,
    isLoadingOlder: false,
    readWhenOpened: channel.unread_count > 0 ? channel.read_seq : null,
    isTyping: false,
  };
}

/** Loads the messages after the last known one, page by page. */
async function loadNewer({ channelUrl, thread, product, isOver }: Dependencies): Promise<void> {
  const params = { channel_url: channelUrl };
  for (let isMore = true; isMore;) {
    const ready = thread.get();
    if (ready.kind !== 'ready') return;
    const query = { limit: '50', after: String(lastSeq(ready)) };
    const { items, next } = await product.ask('messages', { params, query });
    if (isOver()) return;
    thread.change((now) => ({
      ...now,
      messages: [...now.messages, ...items.filter(({ seq }) => seq > lastSeq(now))],
    }));
    isMore = next !== null;
  }
}

/** Loads one page of messages before the first known one, unless this is in progress. */
function loadOlder({ channelUrl, thread, product, logger }: Dependencies): void {
  const current = thread.get();
  if (current.kind !== 'ready' || !current.hasOlder || current.isLoadingOlder) return;
  thread.change((ready) => ({ ...ready, isLoadingOlder: true }));
  const query = { limit: PAGE, before: String(current.messages[0]?.seq ?? 0) };
  product.ask('messages', { params: { channel_url: channelUrl }, query }).then(
    ({ items, next }) =>
      thread.change((ready) => ({
        ...ready,
        messages: [...items.toReversed(), ...ready.messages],
        hasOlder: next !== null,
        isLoadingOlder: false,
      })),
    (error: unknown) => {
      logger.warn('older messages did not load', error);
      thread.change((ready) => ({ ...ready, isLoadingOlder: false }));
    },
  );
}
