import { useCallback } from 'react';
import { meterLevel } from '../../../devices/level-meter.ts';
import { usePorts } from '../../../../core/hooks/areas.ts';

interface VoiceAudioProps {
  /** Receives the media element, and `null` when it is removed. */
  onElement(element: HTMLMediaElement | null): void;
  /** Returns the element whose `--level` shows the volume of the other user, 0 to 1. */
  ring: () => HTMLElement | null;
}

/** Plays the other user of a voice call. The ring around the portrait moves with the voice. */
export function VoiceAudio({ onElement, ring }: VoiceAudioProps) {
  const ports = usePorts();
  const attach = useCallback(
    (audio: HTMLAudioElement) => {
      let stopMeter: (() => void) | undefined;
      const measure = (): void => {
        stopMeter?.();
        const stream = audio.srcObject;
        if (!(stream instanceof MediaStream)) return;
        // A style and no React state, since it changes ten times a second.
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
