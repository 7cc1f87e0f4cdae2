import type { NavigationType } from 'react-router-dom';

/** A record of the scroll position at each entry of the history, and of the last screen. */
export interface Visits {
  /** Records the scroll position of the present entry. Returns the function that stops it. */
  watchScrolling(): () => void;
  /**
   * Records the arrival on a screen. Returns its earlier scroll position. Returns null when the screen did not change,
   * and on the first screen of the page.
   */
  arrive(pathname: string, entry: string, how: `${NavigationType}`): { readonly top: number } | null;
}

/** The scrolling element: the window. */
type Scroller = Pick<Window, 'scrollY'> & Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

/** Creates an empty record of visits. */
export function createVisits(scroller: Scroller): Visits {
  const tops = new Map<string, number>();
  let entry: string | null = null;
  let seen: string | null = null;

  return {
    watchScrolling() {
      const note = (): void => {
        if (entry !== null) tops.set(entry, scroller.scrollY);
      };
      scroller.addEventListener('scroll', note, { passive: true });
      return () => scroller.removeEventListener('scroll', note);
    },
    arrive(pathname, newEntry, how) {
      // A fast user may navigate before the first screen is loaded, so a push is never the first screen.
      const isFirst = seen === null && how !== 'PUSH';
      const isSame = seen === pathname;
      entry = newEntry;
      seen = pathname;
      if (isFirst || isSame) return null;
      return { top: how === 'POP' ? (tops.get(newEntry) ?? 0) : 0 };
    },
  };
}
