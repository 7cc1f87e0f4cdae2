import * as v from 'valibot';
import type { KeyValueStore } from '../../core/ports/key-value-store.ts';
import type { Logger } from '../../core/ports/ports.ts';
import type { Unsent } from './unsent.ts';

/** The unsent texts of one user, which a reload keeps. */
export interface OutboxStorage {
  /** Stores the texts among the unsent messages. A failure is logged. */
  write(owner: string, unsent: readonly Unsent[]): void;
  /** Returns the texts that an earlier page of this user stored. */
  read(owner: string): readonly Unsent[];
  /** Deletes the stored texts, except those of another user in another tab. */
  forget(owner: string): void;
}

const STORAGE_KEY = 'chat_outbox';

/** The stored texts with their user: all tabs share the storage, and another tab may show another user. */
const kept = v.object({
  u_id: v.string(),
  texts: v.array(
    v.object({ client_id: v.string(), channel_url: v.string(), text: v.string(), at: v.number(), failed: v.boolean() }),
  ),
});

export function createOutboxStorage(localStorage: KeyValueStore, logger: Logger): OutboxStorage {
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

  function forget(owner: string): void {
    const found = storedTexts();
    if (found === null || found.u_id === owner) localStorage.removeItem(STORAGE_KEY);
  }

  return {
    forget,
    write(owner, unsent) {
      const texts = unsent.flatMap(({ clientId, channelUrl, said, at, state }) =>
        said.type === 'text'
          ? [{ client_id: clientId, channel_url: channelUrl, text: said.text, at, failed: state === 'failed' }]
          : [],
      );
      try {
        if (texts.length === 0) forget(owner);
        else localStorage.setItem(STORAGE_KEY, JSON.stringify({ u_id: owner, texts }));
      } catch (error) {
        logger.warn('the unsent messages were not stored', error);
      }
    },
    read(owner) {
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
    },
  };
}
