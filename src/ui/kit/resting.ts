import type { MouseEvent, MouseEventHandler } from 'react';

/** Returns the props of a button that cannot be pressed for now. It can still be focused, and keeps the focus. */
export function resting(rests: boolean, onClick: MouseEventHandler<HTMLButtonElement> | undefined) {
  return rests ? { 'aria-disabled': true, onClick: (event: MouseEvent) => event.preventDefault() } : { onClick };
}
