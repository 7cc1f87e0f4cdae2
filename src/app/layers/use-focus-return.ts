import { useEffect, useState } from 'react';

/** More frames than React needs to make a floor active again; then it has been covered by another. */
const PATIENCE_FRAMES = 60;

/** Gives the focus back, when this goes away, to whatever had it when this came. */
export function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before !== document.body) focusOnceActive(before, PATIENCE_FRAMES);
    },
    [before],
  );
}

/** What is inert cannot take the focus, and the floor below is so until the next commit. */
function focusOnceActive(element: HTMLElement, frames: number): void {
  if (!element.isConnected) return;
  if (element.closest('[inert]') === null) element.focus();
  else if (frames > 0) requestAnimationFrame(() => focusOnceActive(element, frames - 1));
}
