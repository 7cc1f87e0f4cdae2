import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '../../calling/overlays/is-typing.ts';

interface RoomKeys {
  /** False while a sheet is open, since the keys then belong to it. */
  isOpen: boolean;
  onMicrophone(): void;
  onCamera(): void;
}

/** Handles the keys of a room: m mutes, v turns the camera off. No key leaves the room. */
export function useRoomKeys({ isOpen, onMicrophone, onCamera }: RoomKeys): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (!isOpen || event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    // A direct call or an invitation above the room has keys of its own.
    if (!(target instanceof Element) || isTyping(target) || target.closest('[role=dialog], [role=alertdialog]')) return;
    if (event.code === 'KeyM') onMicrophone();
    else if (event.code === 'KeyV') onCamera();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
