import type { MouseEvent, MouseEventHandler } from 'react';

/** The props of a button that cannot be pressed for now: it can be reached all the same, and keeps the focus it has. */
export function resting(rests: boolean, onClick: MouseEventHandler<HTMLButtonElement> | undefined) {
  return rests ? { 'aria-disabled': true, onClick: (event: MouseEvent) => event.preventDefault() } : { onClick };
}
