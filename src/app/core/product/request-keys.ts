import type { EndpointName } from '../../../protocol/product/api.ts';
import type { Clock } from '../../../common/clock.ts';
import type { NewId } from '../ports/ports.ts';
import { ProductError } from './product-error.ts';

/**
 * Milliseconds after which an equal request counts as a new one. A user without an answer retries within minutes. A
 * user who buys the same an hour later wants it twice.
 */
export const ASKED_AGAIN_MS = 10 * 60_000;

const CARD_TAIL = 4;

/**
 * The `Idempotency-Key`s of purchases and gifts, for one session of a user on this page. A user may close a sheet
 * before its answer and repeat the request in another sheet. Both requests then have the same key.
 */
export interface RequestKeys {
  /** Returns the key of a request. An equal request without an answer has the same key. */
  of(name: EndpointName, body: unknown): string;
  /** Ends a request. A request without an answer may have been executed, so an equal request keeps its key. */
  settled(name: EndpointName, body: unknown, error: unknown): void;
  /** Forgets all keys when the user changes. */
  clear(): void;
}

/** Creates an empty set of idempotency keys. */
export function createRequestKeys({ newId, clock }: { newId: NewId; clock: Pick<Clock, 'wallTime'> }): RequestKeys {
  const unanswered = new Map<string, { readonly key: string; readonly at: number }>();
  return {
    of(name, body) {
      const asked = textOf(name, body);
      const now = clock.wallTime();
      for (const [text, { at }] of unanswered) if (now - at >= ASKED_AGAIN_MS) unanswered.delete(text);
      const before = unanswered.get(asked);
      if (before !== undefined) return before.key;
      const key = newId();
      unanswered.set(asked, { key, at: now });
      return key;
    },
    settled(name, body, error) {
      if (!isUnknown(error)) unanswered.delete(textOf(name, body));
    },
    clear: () => unanswered.clear(),
  };
}

/**
 * Returns the text that identifies a request. Of a card number it holds only the last digits, which distinguish cards.
 */
const textOf = (name: EndpointName, body: unknown): string =>
  JSON.stringify([name, body], (field, value: unknown) =>
    field === 'card_number' ? String(value).slice(-CARD_TAIL) : value,
  );

/** Returns whether the server may have executed the request in spite of the error. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ProductError && (error.kind !== 'refused' || (error.status ?? 0) >= 500);
