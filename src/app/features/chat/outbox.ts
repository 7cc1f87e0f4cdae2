import * as v from 'valibot';
import type { Message, NewMessage } from '../../../protocol/product/chat.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Connectivity } from '../../core/ports/connectivity.ts';
import type { KeyValueStore } from '../../core/ports/key-value-store.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { NewId } from '../../core/ports/new-id.ts';
import type { ProductClient } from '../../core/product/product-client.ts';
import { ProductError } from '../../core/product/product-error.ts';
import { type ReadableStore, createStore } from '../../core/store/store.ts';

/** What is to be said. A file is shown from `preview`, an address within this page, until it has one of the server's. */
export type Unsaid =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'photo'; readonly file: Blob; readonly preview: string }
  | { readonly type: 'voice'; readonly file: Blob; readonly preview: string; readonly durationMs: number };

/** A message that the server does not have yet. */
export interface Unsent {
  /** By which the server knows it when it comes a second time. */
  readonly clientId: string;
  readonly channelUrl: string;
  readonly said: Unsaid;
  /** When it was written, milliseconds since the epoch. */
  readonly at: number;
  /** `waiting` for those before it or for the network; `failed`: the server refuses it, and it is tried no more by itself. */
  readonly state: 'waiting' | 'failed';
  /** Why it failed. */
  readonly error: unknown;
}

/** What was written and is not sent yet. Texts are kept across reloads, and everything is sent in the order it was written. */
export interface Outbox {
  readonly unsent: ReadableStore<readonly Unsent[]>;
  put(channelUrl: string, said: Unsaid): void;
  retry(clientId: string): void;
  discard(clientId: string): void;
  /** Sends what waits, as far as there is a network. */
  flush(): void;
  /** Tells of each message that the server has taken. Returns the undo. */
  onSent(listener: (message: Message) => void): () => void;
  /** Takes up what the last page of this user left. */
  start(uId: string): void;
  /** Forgets what this user wrote. */
  stop(): void;
  /** Sends nothing any more. What is kept stays, for the next page. */
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
const AGAIN_MS = 3_000;

/** The storage is that of all tabs, and another tab may show another user. */
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
  /** Goes up when everything is forgotten, so that a late answer changes nothing. */
  let generation = 0;
  let isSending = false;
  let cancelAgain: (() => void) | undefined;
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
      logger.warn('what is not sent yet could not be kept', error);
    }
  }

  const without = (clientId: string): void => change(unsent.get().filter((one) => one.clientId !== clientId));

  async function send(): Promise<void> {
    if (isSending || !outside.connectivity.isOnline()) return;
    const mine = generation;
    isSending = true;
    cancelAgain?.();
    cancelAgain = undefined;
    for (let next = firstWaiting(); next !== undefined; next = firstWaiting()) {
      const one = next;
      try {
        const message = await product.ask('sendMessage', {
          params: { channel_url: one.channelUrl },
          body: await bodyOf(one),
        });
        if (mine !== generation) return;
        // Those who show it are told first: it never is nowhere.
        for (const listener of [...listeners]) listener(message);
        if (one.said.type !== 'text') URL.revokeObjectURL(one.said.preview);
        without(one.clientId);
      } catch (error) {
        if (mine !== generation) return;
        const wait = waitAfter(error);
        if (wait !== null) {
          cancelAgain = clock.after(wait, flush);
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

  /** The texts that are kept, and whose they are; null where there are none. */
  function keptTexts(): v.InferOutput<typeof kept> | null {
    const stored = localStorage.getItem(STORAGE_KEY);
    if (stored === null) return null;
    try {
      return v.parse(kept, JSON.parse(stored));
    } catch (error) {
      logger.warn('what was not sent could not be read', error);
      return null;
    }
  }

  function restored(): readonly Unsent[] {
    const found = keptTexts();
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

  /** What another user wrote in another tab stays. */
  function forgetTexts(): void {
    const found = keptTexts();
    if (found === null || found.u_id === owner) localStorage.removeItem(STORAGE_KEY);
  }

  function dispose(): void {
    generation += 1;
    isSending = false;
    unfollow?.();
    cancelAgain?.();
    unfollow = undefined;
    cancelAgain = undefined;
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
        at: clock.now(),
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

/** After how long it is tried again, milliseconds; null where trying again would not help. */
function waitAfter(error: unknown): number | null {
  if (!(error instanceof ProductError)) return null;
  if (error.kind === 'unreachable' || (error.status ?? 0) >= 500) return AGAIN_MS;
  if (error.refusal?.code === 'too_many') return (error.refusal.retry_after ?? 1) * 1_000;
  return null;
}
