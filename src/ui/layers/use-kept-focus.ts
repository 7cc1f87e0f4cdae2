import { useEffect } from 'react';

/** Restores a lost focus of the keyboard. The code is loaded after the first render. */
export function useKeptFocus(): void {
  useEffect(() => {
    const left = new AbortController();
    // When the code does not load, the browser's own focus rules remain.
    void import('./keep-focus.ts').then(
      ({ keepFocus }) => {
        if (!left.signal.aborted) left.signal.addEventListener('abort', keepFocus(document));
      },
      () => undefined,
    );
    return () => left.abort();
  }, []);
}
