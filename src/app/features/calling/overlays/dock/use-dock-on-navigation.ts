import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/** Whoever goes to another screen during a call takes it along, small: it is neither lost nor in the way. */
export function useDockOnNavigation(dock: () => void): void {
  const { pathname } = useLocation();
  const known = useRef(pathname);
  useEffect(() => {
    if (known.current === pathname) return;
    known.current = pathname;
    dock();
  }, [pathname, dock]);
}
