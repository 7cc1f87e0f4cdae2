import { CLOSE_SESSION_OVER } from '../../../protocol/close-codes.ts';
import type { Clock, Timer } from '../../../common/clock.ts';
import { retryWaitMs } from '../../../common/retry-wait.ts';

/** The retries of a socket after a loss. */
export interface SocketRetries {
  /** Schedules the next attempt after a close with this code. */
  lost(code: number): void;
  /** Starts the backoff of common closes again, since the server has sent a message. */
  heard(): void;
  /** Returns true while an attempt is scheduled. */
  isWaiting(): boolean;
  /** Cancels the scheduled attempt. */
  cancel(): void;
  /** Ignores the result of a session check that is under way. */
  ignoreCheck(): void;
  /** Cancels everything, and starts each backoff again. */
  reset(): void;
}

interface Dependencies {
  readonly clock: Clock;
  random(): number;
  /** Returns whether to reconnect. */
  shouldRetry(): boolean;
  /** Asks the server whether the session is valid. Resolves to whether the user is still signed in. */
  checkSession(): Promise<boolean>;
  connect(): void;
}

/** The retry delay in milliseconds after a close, except for the codes below (app-shell §9). */
const RETRY_AFTER_MS = 3_000;

/**
 * The close code of a failed connection (RFC 6455 §7.4.1). Browsers also report it when a socket could not be opened.
 */
export const CLOSE_FAILED = 1006;
/**
 * The codes with which the server closes many sockets at once: it failed (1006), restarts (1012) or is too busy (1013).
 */
const COMMON_CLOSES: ReadonlySet<number> = new Set([CLOSE_FAILED, 1012, 1013]);

/**
 * The longest wait in milliseconds before the session is checked again. The server may refuse a session here that
 * another endpoint accepts.
 */
const RAREST_MS = 60_000;

export function createSocketRetries(outside: Dependencies): SocketRetries {
  const { clock } = outside;
  let retry: Timer | undefined;
  /** The losses in a row without a message from the server between them. */
  let failures = 0;
  /** The session check that is under way. The result of an earlier check is ignored. */
  let asked: object | undefined;
  /** The refusals in a row after which the session check found a valid session. */
  let refusals = 0;

  function retryLater(waitMs: number): void {
    if (!outside.shouldRetry()) return;
    retry = clock.after(waitMs, () => {
      retry = undefined;
      outside.connect();
    });
  }

  async function retryIfSignedIn(): Promise<void> {
    const question = {};
    asked = question;
    const isSignedIn = await outside.checkSession();
    if (asked !== question) return;
    asked = undefined;
    if (isSignedIn) retryLater(Math.min(RAREST_MS, RETRY_AFTER_MS * 2 ** refusals++));
  }

  function cancel(): void {
    retry?.cancel();
    retry = undefined;
  }

  return {
    lost(code) {
      if (code === CLOSE_SESSION_OVER) {
        void retryIfSignedIn();
        return;
      }
      refusals = 0;
      retryLater(COMMON_CLOSES.has(code) ? retryWaitMs(failures++, outside.random) : RETRY_AFTER_MS);
    },
    heard: () => void (failures = 0),
    isWaiting: () => retry !== undefined,
    cancel,
    ignoreCheck: () => void (asked = undefined),
    reset() {
      asked = undefined;
      refusals = 0;
      failures = 0;
      cancel();
    },
  };
}
