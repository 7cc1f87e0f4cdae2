import type { NavigationType } from 'react-router-dom';

/** Where the page was scrolled to at each entry of the history, and which screen was seen last. */
export interface Visits {
  /** Keeps the scroll position of the present entry up to date. Returns the undo. */
  watchScrolling(): () => void;
  /** A screen has come; what it was scrolled to before, or `null` where it is the one that was there already, or the page opened with. */
  arrive(pathname: string, entry: string, how: `${NavigationType}`): { readonly top: number } | null;
}

/** What scrolls: the window. */
type Scroller = Pick<Window, 'scrollY'> & Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

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
      // Whoever was quick has left the screen of the page's address before it came.
      const isFirst = seen === null && how !== 'PUSH';
      const isSame = seen === pathname;
      entry = newEntry;
      seen = pathname;
      if (isFirst || isSame) return null;
      return { top: how === 'POP' ? (tops.get(newEntry) ?? 0) : 0 };
    },
  };
}
