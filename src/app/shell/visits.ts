/** Where the page was scrolled to at each entry of the history, and which screen was seen last. */
export interface Visits {
  /** Keeps the scroll position of the present entry up to date. Returns the undo. */
  watchScrolling(): () => void;
  /** A screen has come; what it was scrolled to before, or `null` where it is the one that was there already. */
  arrive(pathname: string, entry: string, isReturn: boolean): { readonly top: number } | null;
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
    arrive(pathname, newEntry, isReturn) {
      const isFirst = seen === null;
      const isSame = seen === pathname;
      entry = newEntry;
      seen = pathname;
      if (isFirst || isSame) return null;
      return { top: isReturn ? (tops.get(newEntry) ?? 0) : 0 };
    },
  };
}
