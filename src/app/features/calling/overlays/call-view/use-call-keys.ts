import { useEffect, useEffectEvent, useRef } from 'react';
import { isTyping } from '../is-typing.ts';
import type { CallControl } from './call-view-model.ts';

interface CallKeys {
  controls: readonly CallControl[];
  /** Nothing listens while the call is docked: the keys are the screen's then. */
  disabled: boolean;
  onMicrophone(): void;
  onCamera(): void;
  onFullscreen(): void;
  onEscape(): void;
}

/**
 * m mutes, v stops the camera, f fills the screen; who is muted and keeps the space bar down is heard until it is let go.
 * No key hangs up. A control that is not there, or not to be had, has no key either.
 */
export function useCallKeys(keys: CallKeys): void {
  const isHeldDown = useRef(false);
  const { controls, disabled, onMicrophone, onCamera, onFullscreen, onEscape } = keys;
  const control = (name: CallControl['name']) => controls.find((one) => one.name === name);
  const canPress = (name: 'microphone' | 'camera' | 'fullscreen'): boolean => {
    const found = control(name);
    return found !== undefined && 'disabled' in found && !found.disabled;
  };

  const pressToTalk = useEffectEvent((event: KeyboardEvent) => {
    const microphone = control('microphone');
    if (microphone?.name !== 'microphone' || microphone.on || microphone.disabled || isPressed(event.target)) return;
    event.preventDefault();
    isHeldDown.current = true;
    onMicrophone();
  });

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (disabled || event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    if (event.key === 'Escape') onEscape();
    else if (isElsewhere(event.target)) return;
    else if (event.code === 'KeyM' && canPress('microphone')) onMicrophone();
    else if (event.code === 'KeyV' && canPress('camera')) onCamera();
    else if (event.code === 'KeyF' && canPress('fullscreen')) onFullscreen();
    else if (event.code === 'Space') pressToTalk(event);
  });

  const letGo = useEffectEvent((event?: Event) => {
    if (!isHeldDown.current) return;
    event?.preventDefault();
    isHeldDown.current = false;
    const microphone = control('microphone');
    if (microphone?.name === 'microphone' && microphone.on) onMicrophone();
  });

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener('keydown', (event) => onKeyDown(event), { signal });
    addEventListener('keyup', (event) => event.code === 'Space' && letGo(event), { signal });
    // The key may be let go elsewhere.
    addEventListener('blur', () => letGo(), { signal });
    return () => listening.abort();
  }, []);
}

/** In a field, or in something that lies over the call. */
function isElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof Element && (isTyping(target) || target.closest('[data-over-call], [role=alertdialog]') !== null)
  );
}

/** The space bar presses what has the focus. */
function isPressed(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('button, a, summary');
}
