import { useEffect, useState } from 'react';
import { focusOnceActive } from './focus-once-active.ts';

/**
 * Gives the focus back, when this goes away, to the element that had it when this came, unless it has gone somewhere by then. If
 * that element is gone, the open sheet on top has the focus: its keys, Escape among them, work without a press.
 */
export function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isNowhere = (): boolean => document.activeElement === document.body;
      const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected;
      const place = isThere ? before : topSheet();
      if (place !== undefined) focusOnceActive(place, isNowhere);
    },
    [before],
  );
}

const topSheet = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('[role=dialog][aria-modal=true]')].at(-1);
