import { useEffect, useEffectEvent } from 'react';
import type { CallControl } from './call-view-model.ts';

interface CallKeys {
  controls: readonly CallControl[];
  onMicrophone(): void;
  onCamera(): void;
  onFullscreen(): void;
  onEscape(): void;
}

/** m mutes, v stops the camera, f fills the screen. No key hangs up. A control that is not there has no key either. */
export function useCallKeys({ controls, onMicrophone, onCamera, onFullscreen, onEscape }: CallKeys): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    const has = (name: CallControl['name']): boolean => controls.some((control) => control.name === name);
    if (event.key === 'Escape') onEscape();
    else if (event.code === 'KeyM' && has('microphone')) onMicrophone();
    else if (event.code === 'KeyV' && has('camera')) onCamera();
    else if (event.code === 'KeyF' && has('fullscreen')) onFullscreen();
  });

  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
