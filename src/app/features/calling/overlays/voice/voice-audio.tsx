import { useCallback } from 'react';
import { CallAudio } from '../../../../../react/index.ts';
import { meterLevel } from '../../../devices/level-meter.ts';
import { usePorts } from '../../../../core/hooks/areas.ts';

interface VoiceAudioProps {
  /** The key of the call. */
  call: string;
  /** Returns the element whose `--level` shows the volume of the other user, 0 to 1. */
  ring: () => HTMLElement | null;
}

/** Plays the other user of a voice call. The ring around the portrait moves with the voice. */
export function VoiceAudio({ call, ring }: VoiceAudioProps) {
  const ports = usePorts();
  const measure = useCallback(
    (audio: HTMLAudioElement) => {
      let stopMeter: (() => void) | undefined;
      const follow = (): void => {
        stopMeter?.();
        const stream = audio.srcObject;
        if (!(stream instanceof MediaStream)) return;
        // A style and no React state, since it changes ten times a second.
        stopMeter = meterLevel(stream, ports.clock, (level) => ring()?.style.setProperty('--level', level.toFixed(3)));
      };
      audio.addEventListener('playing', follow);
      return () => {
        audio.removeEventListener('playing', follow);
        stopMeter?.();
      };
    },
    [ring, ports],
  );
  return <CallAudio ref={measure} call={call} />;
}
