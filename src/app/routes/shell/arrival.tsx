import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { focusScreen } from '../../../ui/layers/focus.ts';
import type { Visits } from './visits.ts';

/**
 * Handles the arrival on a screen. Restores the scroll position, and focuses the heading, which screen readers then
 * read.
 */
export function Arrival({ visits }: { visits: Visits }) {
  const { pathname, key } = useLocation();
  const how = useNavigationType();

  useLayoutEffect(() => {
    const arrival = visits.arrive(pathname, key, how);
    if (arrival === null) return;
    scrollTo({ top: arrival.top, behavior: 'instant' });
    focusScreen();
  }, [visits, pathname, key, how]);

  return null;
}
