import { useEffect, useState } from 'react';
import { usePorts } from '../../../../core/hooks/areas.ts';
import { useCalling } from '../../use-calling.ts';
import { meterLevel } from '../../../devices/level-meter.ts';
import { createSpeechDetector } from '../../../devices/loudness.ts';

/** Returns whether the user speaks into the muted microphone. The sound is only measured, and never sent. */
export function useSpeakingWhileMuted(isMuted: boolean): boolean {
  const ports = usePorts();
  const { calling } = useCalling();
  const [isSpeaking, setIsSpeaking] = useState(false);

  useEffect(() => {
    if (!isMuted) return undefined;
    const detect = createSpeechDetector();
    let stopMeter: (() => void) | undefined;
    const stopListening = calling.lookAtDevices({ camera: false }, ({ stream }) => {
      stopMeter?.();
      stopMeter = meterLevel(stream, ports.clock, (level) => setIsSpeaking(detect(level)));
    });
    return () => {
      stopMeter?.();
      stopListening();
      setIsSpeaking(false);
    };
  }, [isMuted, calling, ports]);

  return isSpeaking;
}
