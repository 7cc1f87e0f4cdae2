import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/** Docks the call when the user opens another screen, so that the call neither disappears nor covers the screen. */
export function useDockOnNavigation(dock: () => void): void {
  const { pathname } = useLocation();
  const known = useRef(pathname);
  useEffect(() => {
    if (known.current === pathname) return;
    known.current = pathname;
    dock();
  }, [pathname, dock]);
}

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
