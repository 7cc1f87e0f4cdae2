import { useEffect } from 'react';

/** While a call is up, closing the page is asked about. Not else: a page that listens cannot be kept for going back. */
export function useLeaveGuard(isUp: boolean): void {
  useEffect(() => {
    if (!isUp) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUp]);
}
