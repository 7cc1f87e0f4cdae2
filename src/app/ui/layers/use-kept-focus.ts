import { useEffect } from 'react';

/** Sees that the focus is never lost; its code comes after the first picture. */
export function useKeptFocus(): void {
  useEffect(() => {
    const left = new AbortController();
    // Without it the browser's own ways are there still.
    void import('./keep-focus.ts').then(
      ({ keepFocus }) => {
        if (!left.signal.aborted) left.signal.addEventListener('abort', keepFocus(document));
      },
      () => undefined,
    );
    return () => left.abort();
  }, []);
}
