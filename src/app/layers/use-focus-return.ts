import { useEffect, useState } from 'react';
import { focusOnceActive } from './focus-once-active.ts';

/** Gives the focus back, when this goes away, to whatever had it when this came, unless it has gone somewhere by then. */
export function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isNowhere = (): boolean => document.activeElement === document.body;
      if (before instanceof HTMLElement && before !== document.body) focusOnceActive(before, isNowhere);
    },
    [before],
  );
}
