import type { Clock } from '../../../../../common/clock.ts';

/** A user without input for this long is considered away. */
const LOOKS_AWAY_AFTER_MS = 60_000;

/** A detector of whether the user looks at the page. */
export interface Attention {
  isAway(): boolean;
  /** Watches for input of the user. Returns the function that stops watching. */
  watch(): () => void;
}

type AttentivePage = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'visibilitychange'] as const;

export function createAttention(page: AttentivePage, clock: Pick<Clock, 'wallTime'>): Attention {
  let touchedAt = clock.wallTime();
  const touch = (): void => void (touchedAt = clock.wallTime());
  return {
    isAway: () => page.hidden || clock.wallTime() - touchedAt >= LOOKS_AWAY_AFTER_MS,
    watch() {
      for (const sign of SIGNS) page.addEventListener(sign, touch, { passive: true });
      return () => {
        for (const sign of SIGNS) page.removeEventListener(sign, touch);
      };
    },
  };
}

/**
 * Returns whether the browser lets the page play a sound without a press: the user has already interacted with the
 * page. A browser without this property (Safari before 16.4, Firefox before 120) is assumed to play it.
 */
export function mayPlaySound({ userActivation }: Partial<Pick<Navigator, 'userActivation'>>): boolean {
  return userActivation?.hasBeenActive ?? true;
}
