import type { Logger } from '../session/session-ports.ts';

/** The elements that show media, one for each key. */
export interface Views {
  /**
   * Shows media in an element. `set` gives the element to the library, and null removes it. Returns the function that
   * ends this. It has no effect after a later `show` of the key.
   */
  show<Element extends HTMLMediaElement>(
    key: string,
    element: Element,
    set: (element: Element | null) => Promise<void>,
  ): () => void;
}

/** Creates the list of the elements, which is empty. */
export function createViews(logger: Pick<Logger, 'warn'>): Views {
  /** The last `show` of each key. In strict mode React shows the same element twice. */
  const last = new Map<string, symbol>();
  return {
    show(key, element, set) {
      const apply = (next: typeof element | null): void =>
        void set(next).catch((error: unknown) => logger.warn('a media view was not set', error));
      const mine = Symbol(key);
      last.set(key, mine);
      apply(element);
      return () => {
        // Media moves from one element to another within one change of the page. Without the wait, the library would
        // stop the picture in between.
        void Promise.resolve().then(() => {
          if (last.get(key) !== mine) return;
          last.delete(key);
          apply(null);
        });
      };
    },
  };
}
