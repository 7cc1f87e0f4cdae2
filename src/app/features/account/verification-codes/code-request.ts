import type { Clock } from '../../../core/ports/clock.ts';
import { ProductError } from '../../../core/product/product-error.ts';
import { refusalText } from '../../../core/product/refusal-text.ts';
import { type ReadableStore, createStore } from '../../../core/store/store.ts';

export interface CodeRequestState {
  readonly phase: 'none' | 'sending' | 'sent';
  /** To whom the last one was sent. */
  readonly to: string;
  /** When another may be asked for, milliseconds since the epoch. */
  readonly again: number;
  /** Why none was sent, in words. */
  readonly failure: string | null;
}

/** Asks for a code to be sent, and knows when it may be asked again. */
export interface CodeRequest {
  readonly state: ReadableStore<CodeRequestState>;
  send(to: string): Promise<void>;
}

interface Dependencies {
  clock: Pick<Clock, 'now'>;
  /** Resolves to the seconds until another may be sent. */
  request(to: string): Promise<{ resend_after: number }>;
}

const NONE: CodeRequestState = { phase: 'none', to: '', again: 0, failure: null };

export function createCodeRequest({ clock, request }: Dependencies): CodeRequest {
  const state = createStore<CodeRequestState>(NONE);
  return {
    state,
    async send(to) {
      const before = state.get();
      if (before.phase === 'sending') return;
      state.set({ ...before, phase: 'sending', failure: null });
      try {
        const { resend_after } = await request(to);
        state.set({ phase: 'sent', to, again: clock.now() + resend_after * 1_000, failure: null });
      } catch (error) {
        const wait = error instanceof ProductError ? (error.refusal?.retry_after ?? 0) : 0;
        state.set({
          ...before,
          again: wait > 0 ? clock.now() + wait * 1_000 : before.again,
          failure: refusalText(error),
        });
      }
    },
  };
}

/** Whole seconds until then, rounded up; 0 when it has come. */
export const secondsUntil = (then: number, now: number): number => Math.max(0, Math.ceil((then - now) / 1_000));
