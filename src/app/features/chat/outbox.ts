import * as v from 'valibot';
import type { Message, NewMessage } from '../../../protocol/product/chat.ts';
import type { Clock, Timer } from '../../../common/clock.ts';
import type { Connectivity } from '../../core/ports/connectivity.ts';
import type { KeyValueStore } from '../../core/ports/key-value-store.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { NewId } from '../../core/ports/new-id.ts';
import type { ProductClient } from '../../core/product/product-client.ts';
import { ProductError } from '../../core/product/product-error.ts';
import { type ReadableStore, createStore } from '../../core/store/store.ts';

/**
 * The content of an unsent message. A file is shown from `preview`, an address within this page, until the server has
 * it.
 */
export type Unsaid =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'photo'; readonly file: Blob; readonly preview: string }
  | { readonly type: 'voice'; readonly file: Blob; readonly preview: string; readonly durationMs: number };

/** A message that the server has not yet received. */
export interface Unsent {
  /** The id by which the server recognises a repeated message. */
  readonly clientId: string;
  readonly channelUrl: string;
  readonly said: Unsaid;
  /** When the message was written, in milliseconds since the epoch. */
  readonly at: number;
  /**
   * `waiting` for earlier messages or for the network. `failed`: the server refuses the message, and the outbox stops
   * retrying it.
   */
  readonly state: 'waiting' | 'failed';
  /** The error of a failed message. */
  readonly error: unknown;
}

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

const STORAGE_KEY = 'chat_outbox';
const RETRY_MS = 3_000;

/** The stored texts with their user: all tabs share the storage, and another tab may show another user. */
const kept = v.object({
  u_id: v.string(),
  texts: v.array(
    v.object({ client_id: v.string(), channel_url: v.string(), text: v.string(), at: v.number(), failed: v.boolean() }),
  ),
});

export function createOutbox(outside: Dependencies): Outbox {
  const { product, clock, localStorage, logger } = outside;
  const unsent = createStore<readonly Unsent[]>([]);
  const listeners = new Set<(message: Message) => void>();
  /** Increases with each stop, so that a late answer has no effect. */
  let generation = 0;
  let isSending = false;
  let retryTimer: Timer | undefined;
  let unfollow: (() => void) | undefined;
  let owner = '';

  function change(next: readonly Unsent[]): void {
    unsent.set(next);
    const texts = next.flatMap(({ clientId, channelUrl, said, at, state }) =>
      said.type === 'text'
        ? [{ client_id: clientId, channel_url: channelUrl, text: said.text, at, failed: state === 'failed' }]
        : [],
    );
    try {
      if (texts.length === 0) forgetTexts();
      else localStorage.setItem(STORAGE_KEY, JSON.stringify({ u_id: owner, texts }));
    } catch (error) {
      logger.warn('the unsent messages were not stored', error);
    }
  }

  const without = (clientId: string): void => change(unsent.get().filter((one) => one.clientId !== clientId));

  async function send(): Promise<void> {
    if (isSending || !outside.connectivity.isOnline()) return;
    const mine = generation;
    isSending = true;
    retryTimer?.cancel();
    retryTimer = undefined;
    for (let next = firstWaiting(); next !== undefined; next = firstWaiting()) {
      const one = next;
      try {
        const message = await product.ask('sendMessage', {
          params: { channel_url: one.channelUrl },
          body: await bodyOf(one),
        });
        if (mine !== generation) return;
        // The listeners run before the message leaves the outbox, so that it is always visible.
        for (const listener of [...listeners]) listener(message);
        if (one.said.type !== 'text') URL.revokeObjectURL(one.said.preview);
        without(one.clientId);
      } catch (error) {
        if (mine !== generation) return;
        const wait = waitAfter(error);
        if (wait !== null) {
          retryTimer = clock.after(wait, flush);
          break;
        }
        logger.warn('a message was refused', error);
        change(
          unsent.get().map((other) => (other.clientId === one.clientId ? { ...one, state: 'failed', error } : other)),
        );
      }
    }
    isSending = false;
  }

  const firstWaiting = (): Unsent | undefined => unsent.get().find(({ state }) => state === 'waiting');

  async function bodyOf({ clientId: client_id, said }: Unsent): Promise<NewMessage> {
    if (said.type === 'text') return { client_id, type: 'text', text: said.text };
    const { media_id } = await product.ask('uploadMedia', { query: { for: 'chat' }, body: said.file });
    if (said.type === 'photo') return { client_id, type: 'photo', media_id };
    return { client_id, type: 'voice', media_id, duration_ms: Math.round(said.durationMs) };
  }

  function flush(): void {
    void send();
  }

  /** Returns the stored texts and their user. Returns null when none are stored or they are invalid. */
  function storedTexts(): v.InferOutput<typeof kept> | null {
    const stored = localStorage.getItem(STORAGE_KEY);
    if (stored === null) return null;
    try {
      return v.parse(kept, JSON.parse(stored));
    } catch (error) {
      logger.warn('the stored unsent messages are invalid', error);
      return null;
    }
  }

  function restored(): readonly Unsent[] {
    const found = storedTexts();
    if (found?.u_id !== owner) return [];
    return found.texts.map(({ client_id, channel_url, text, at, failed }) => ({
      clientId: client_id,
      channelUrl: channel_url,
      said: { type: 'text', text },
      at,
      state: failed ? 'failed' : 'waiting',
      error: null,
    }));
  }

  /** Deletes the stored texts, except those of another user in another tab. */
  function forgetTexts(): void {
    const found = storedTexts();
    if (found === null || found.u_id === owner) localStorage.removeItem(STORAGE_KEY);
  }

  function dispose(): void {
    generation += 1;
    isSending = false;
    unfollow?.();
    retryTimer?.cancel();
    unfollow = undefined;
    retryTimer = undefined;
  }

  return {
    unsent,
    flush,
    dispose,
    put(channelUrl, said) {
      const one: Unsent = {
        clientId: outside.newId(),
        channelUrl,
        said,
        at: clock.wallTime(),
        state: 'waiting',
        error: null,
      };
      change([...unsent.get(), one]);
      flush();
    },
    retry(clientId) {
      change(unsent.get().map((one) => (one.clientId === clientId ? { ...one, state: 'waiting', error: null } : one)));
      flush();
    },
    discard: without,
    onSent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start(uId) {
      owner = uId;
      unfollow?.();
      unfollow = outside.connectivity.subscribe(flush);
      unsent.set(restored());
      flush();
    },
    stop() {
      dispose();
      unsent.set([]);
      forgetTexts();
    },
  };
}

/** Returns the milliseconds until the next attempt. Returns null when another attempt would also fail. */
function waitAfter(error: unknown): number | null {
  if (!(error instanceof ProductError)) return null;
  if (error.kind === 'unreachable' || (error.status ?? 0) >= 500) return RETRY_MS;
  if (error.refusal?.code === 'too_many') return (error.refusal.retry_after ?? 1) * 1_000;
  return null;
}
