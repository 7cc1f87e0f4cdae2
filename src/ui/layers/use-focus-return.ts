import { useEffect, useState } from 'react';
import { focusOnceActive } from './focus.ts';

/**
 * Returns the focus, when this component is removed, to the element that had it before. Does nothing when another
 * element has the focus by then. If the earlier element is gone, the topmost open sheet gets the focus. Its keys, such
 * as Escape, then work without a press.
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
