import type { NewId } from '../ports/new-id.ts';
import { ProductError } from './product-error.ts';

/** The `Idempotency-Key`s of what is bought or given here. */
export interface RequestKeys {
  /** The key of a request: that of the last one where it asks for the same and nobody has answered it. */
  of(body: unknown): string;
  /** The request came to its end. Without an answer it may have been done: asked for again, it is the same one. */
  settled(error: unknown): void;
}

export function createRequestKeys(newId: NewId): RequestKeys {
  let unanswered: { readonly key: string; readonly asked: string } | null = null;
  return {
    of(body) {
      const asked = JSON.stringify(body);
      if (unanswered?.asked !== asked) unanswered = { key: newId(), asked };
      return unanswered.key;
    },
    settled(error) {
      if (!isUnknown(error)) unanswered = null;
    },
  };
}

/** Whether what was asked for may have been done. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ProductError && (error.kind !== 'refused' || (error.status ?? 0) >= 500);
