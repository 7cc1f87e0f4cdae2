import { useEffect } from 'react';

/**
 * Makes the browser ask before the page closes during a call. Listens only then: a page that listens is not kept for
 * back navigation.
 */
export function useLeaveGuard(isUp: boolean): void {
  useEffect(() => {
    if (!isUp) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUp]);
}
