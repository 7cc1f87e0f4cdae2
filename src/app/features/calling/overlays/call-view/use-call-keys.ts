import { useEffect, useEffectEvent, useRef } from 'react';
import { isTyping } from '../is-typing.ts';
import type { CallControl } from './call-view-model.ts';

interface CallKeys {
  controls: readonly CallControl[];
  /** True while the call is docked, since the keys then belong to the screen. */
  disabled: boolean;
  onMicrophone(): void;
  onCamera(): void;
  onFullscreen(): void;
  onEscape(): void;
}

/**
 * Handles the keys of a call: m mutes, v turns the camera off, f toggles fullscreen. A muted user is heard while the
 * space bar is held down. No key ends the call. A control that is absent or disabled has no key.
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

  const release = useEffectEvent((event?: Event) => {
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
    addEventListener('keyup', (event) => event.code === 'Space' && release(event), { signal });
    // The key may be released in another window.
    addEventListener('blur', () => release(), { signal });
    return () => listening.abort();
  }, []);
}

/** Returns true in a field, and in an element above the call. */
function isElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof Element && (isTyping(target) || target.closest('[data-over-call], [role=alertdialog]') !== null)
  );
}

/** Returns true when the space bar would press the focused element. */
function isPressed(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('button, a, summary');
}
