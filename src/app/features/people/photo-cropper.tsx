import { type PointerEvent, useCallback, useRef } from 'react';
import { m } from '../../core/i18n/generated/messages.js';
import { Slider } from '../../../ui/kit/choices.tsx';
import { type ChosenPhoto, NEAREST, type PhotoView, cutOf, draggedBy } from './chosen-photo.ts';
import styles from './photo-cropper.module.css';

interface PhotoCropperProps {
  photo: ChosenPhoto;
  onView(view: PhotoView): void;
}

const percent = (share: number): string => m.photo_percent({ percent: Math.round(share * 100) });

/** Shows the visible part of a picture in a frame. The user moves it by drag or by sliders. */
export function PhotoCropper({ photo, onView }: PhotoCropperProps) {
  const { file, width } = photo;
  const cut = cutOf(photo);
  const drag = useDrag((across, down) => onView(draggedBy(photo, across, down)));

  const show = useCallback(
    (picture: HTMLImageElement) => {
      const url = URL.createObjectURL(file);
      picture.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );

  return (
    <div className={styles.cropper}>
      <div role="none" className={styles.frame} {...drag}>
        <img
          ref={show}
          alt={m.photo_preview()}
          draggable={false}
          style={{
            inlineSize: `${(width / cut.width) * 100}%`,
            insetInlineStart: `${(-cut.x / cut.width) * 100}%`,
            insetBlockStart: `${(-cut.y / cut.height) * 100}%`,
          }}
        />
      </div>
      <Sliders photo={photo} onView={onView} />
    </div>
  );
}

/** Moves and enlarges the visible part. A direction without a hidden part has no slider. */
function Sliders({ photo, onView }: PhotoCropperProps) {
  const { view, width, height } = photo;
  const cut = cutOf(photo);
  return (
    <div className={styles.sliders}>
      <Slider
        label={m.photo_zoom()}
        min={1}
        max={NEAREST}
        step={0.05}
        value={view.zoom}
        text={percent(view.zoom)}
        onChange={(zoom) => onView({ ...view, zoom })}
      />
      {width > cut.width && (
        <Slider
          label={m.photo_across()}
          min={0}
          max={1}
          step={0.02}
          value={view.x}
          text={percent(view.x)}
          onChange={(x) => onView({ ...view, x })}
        />
      )}
      {height > cut.height && (
        <Slider
          label={m.photo_down()}
          min={0}
          max={1}
          step={0.02}
          value={view.y}
          text={percent(view.y)}
          onChange={(y) => onView({ ...view, y })}
        />
      )}
    </div>
  );
}

/**
 * Returns the handlers of a drag on an element.
 * @param onDrag - receives each movement as shares of the width and the height of the element.
 */
function useDrag(onDrag: (across: number, down: number) => void) {
  /** The last position of the pointer during a drag. Null without a drag. */
  const held = useRef<{ x: number; y: number } | null>(null);
  const release = (): void => {
    held.current = null;
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>): void {
      event.currentTarget.setPointerCapture(event.pointerId);
      held.current = { x: event.clientX, y: event.clientY };
    },
    onPointerMove({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>): void {
      const from = held.current;
      if (from === null) return;
      held.current = { x: clientX, y: clientY };
      const frame = currentTarget.getBoundingClientRect();
      onDrag((clientX - from.x) / frame.width, (clientY - from.y) / frame.height);
    },
    onPointerUp: release,
    onPointerCancel: release,
  };
}
