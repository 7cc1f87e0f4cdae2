import { useEffect, useEffectEvent } from 'react';

/**
 * Accepts the call on Alt+A and declines it on Alt+D, wherever the focus is. Uses the place of the key, since Alt
 * changes letters on some keyboards.
 */
export function useCallShortcuts({ accept, decline }: { accept(): void; decline(): void }): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    if (event.code === 'KeyA') accept();
    else if (event.code === 'KeyD') decline();
    else return;
    event.preventDefault();
  });

  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
