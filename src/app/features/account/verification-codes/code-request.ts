import type { Clock } from '../../../../common/clock.ts';
import { ProductError } from '../../../core/product/product-error.ts';
import { refusalText } from '../../../core/product/refusal-text.ts';
import { type ReadableStore, createStore } from '../../../../common/store.ts';

/** The state of the requests for a code. */
export interface CodeRequestState {
  readonly phase: 'none' | 'sending' | 'sent';
  /** The receiver of the last code. Empty before the first one. */
  readonly to: string;
  /** When the next code may be requested, in milliseconds since the epoch. */
  readonly again: number;
  /** The error message of the last request. Null without a failure. */
  readonly failure: string | null;
}

/** A request for codes that follows the server's rate limit. */
export interface CodeRequest {
  readonly state: ReadableStore<CodeRequestState>;
  send(to: string): Promise<void>;
}

interface Dependencies {
  clock: Pick<Clock, 'wallTime'>;
  /** Resolves to the seconds until another code may be requested. */
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
        state.set({ phase: 'sent', to, again: clock.wallTime() + resend_after * 1_000, failure: null });
      } catch (error) {
        const wait = error instanceof ProductError ? (error.refusal?.retry_after ?? 0) : 0;
        state.set({
          ...before,
          again: wait > 0 ? clock.wallTime() + wait * 1_000 : before.again,
          failure: refusalText(error),
        });
      }
    },
  };
}

/** Returns the whole seconds until `then`, rounded up. Returns 0 after it. */
export const secondsUntil = (then: number, now: number): number => Math.max(0, Math.ceil((then - now) / 1_000));
