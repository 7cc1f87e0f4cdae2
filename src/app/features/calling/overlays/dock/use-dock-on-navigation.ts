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
