import type { EndpointName } from '../../../protocol/product/api.ts';
import type { Clock } from '../ports/clock.ts';
import type { NewId } from '../ports/new-id.ts';
import { ProductError } from './product-error.ts';

/**
 * Milliseconds after which the same request is meant anew. Whoever saw no answer tries again within minutes, or looks at the
 * record first; who buys the same an hour later wants it twice.
 */
export const ASKED_AGAIN_MS = 10 * 60_000;

const CARD_TAIL = 4;

/**
 * The `Idempotency-Key`s of what somebody buys or gives, for as long as they are signed in on this page: whoever closes a sheet before it
 * was answered, and asks for the same in another one, asks for the same thing still.
 */
export interface RequestKeys {
  /** The key of a request: that of the one that asked for the same before, while nobody has answered that. */
  of(name: EndpointName, body: unknown): string;
  /** The request came to its end. Without an answer it may have been done: asked for again, it is the same one. */
  settled(name: EndpointName, body: unknown, error: unknown): void;
  /** The next user asks for things of their own. */
  clear(): void;
}

export function createRequestKeys({ newId, clock }: { newId: NewId; clock: Pick<Clock, 'now'> }): RequestKeys {
  const unanswered = new Map<string, { readonly key: string; readonly at: number }>();
  return {
    of(name, body) {
      const asked = textOf(name, body);
      const now = clock.now();
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

/** What was asked for; of the number of a card no more than tells it from another one. */
const textOf = (name: EndpointName, body: unknown): string =>
  JSON.stringify([name, body], (field, value: unknown) =>
    field === 'card_number' ? String(value).slice(-CARD_TAIL) : value,
  );

/** Whether what was asked for may have been done. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ProductError && (error.kind !== 'refused' || (error.status ?? 0) >= 500);
