import { useCallback } from 'react';
import { meterLevel } from '../../../devices/level-meter.ts';
import { useServices } from '../../../../services/services-context.ts';

interface VoiceAudioProps {
  /** The element to play in, and `null` when it goes. */
  onElement(element: HTMLMediaElement | null): void;
  /** The page's property that shows how loud they are, 0 to 1, is set on this element. */
  ring: () => HTMLElement | null;
}

/** Plays the other side of a voice call, and lets the ring around their picture move with their voice. */
export function VoiceAudio({ onElement, ring }: VoiceAudioProps) {
  const { ports } = useServices();
  const attach = useCallback(
    (audio: HTMLAudioElement) => {
      let stopMeter: (() => void) | undefined;
      const measure = (): void => {
        stopMeter?.();
        const stream = audio.srcObject;
        if (!(stream instanceof MediaStream)) return;
        // A style, and no state: ten times a second is nothing that React has to know.
        stopMeter = meterLevel(stream, ports.clock, (level) => ring()?.style.setProperty('--level', level.toFixed(3)));
      };
      audio.addEventListener('playing', measure);
      onElement(audio);
      return () => {
        audio.removeEventListener('playing', measure);
        stopMeter?.();
        onElement(null);
      };
    },
    [onElement, ring, ports],
  );
  return <audio ref={attach} autoPlay />;
}
