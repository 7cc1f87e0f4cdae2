import type { Clock } from '../../../../core/ports/clock.ts';

/** Whoever has touched nothing for so long looks elsewhere. */
const LOOKS_AWAY_AFTER_MS = 60_000;

/** Whether somebody looks at the page, as far as a page can tell. */
export interface Attention {
  isAway(): boolean;
  /** Watches for signs of somebody; returns the undo. */
  watch(): () => void;
}

type AttentivePage = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'visibilitychange'] as const;

export function createAttention(page: AttentivePage, clock: Pick<Clock, 'now'>): Attention {
  let touchedAt = clock.now();
  const touch = (): void => void (touchedAt = clock.now());
  return {
    isAway: () => page.hidden || clock.now() - touchedAt >= LOOKS_AWAY_AFTER_MS,
    watch() {
      for (const sign of SIGNS) page.addEventListener(sign, touch, { passive: true });
      return () => {
        for (const sign of SIGNS) page.removeEventListener(sign, touch);
      };
    },
  };
}
