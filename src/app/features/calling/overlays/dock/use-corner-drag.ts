import { type PointerEvent, useRef } from 'react';
import { type Corner, nearestCorner } from './call-dock.ts';

/** A press that moves fewer pixels than this is not a drag. */
const SLOP = 6;

interface Drag {
  readonly x: number;
  readonly y: number;
  moved: boolean;
}

/** Makes an element draggable. On release it snaps to the nearest corner of the page. */
export function useCornerDrag(onSnap: (corner: Corner) => void) {
  const drag = useRef<Drag | null>(null);

  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || (event.target as Element).closest('button') !== null) return;
      drag.current = { x: event.clientX, y: event.clientY, moved: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (drag.current === null) return;
      const [x, y] = [event.clientX - drag.current.x, event.clientY - drag.current.y];
      drag.current.moved ||= Math.hypot(x, y) > SLOP;
      if (drag.current.moved) event.currentTarget.style.translate = `${x}px ${y}px`;
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const element = event.currentTarget;
      const wasDragged = drag.current?.moved === true;
      drag.current = null;
      if (!wasDragged) return;
      const { left, top, width, height } = element.getBoundingClientRect();
      element.style.translate = '';
      onSnap(nearestCorner({ x: left + width / 2, y: top + height / 2 }, { width: innerWidth, height: innerHeight }));
    },
    onPointerCancel(event: PointerEvent<HTMLElement>) {
      drag.current = null;
      event.currentTarget.style.translate = '';
    },
  };
}
