import { useEffect, useState } from 'react';
import { useServices } from '../../services/services-context.ts';
import { meterLevel } from './level-meter.ts';
import { createSpeechDetector } from './loudness.ts';

/** Whether somebody speaks into a microphone that is muted. What it hears goes nowhere but into this. */
export function useSpeakingWhileMuted(isMuted: boolean): boolean {
  const { calling } = useServices();
  const [isSpeaking, setIsSpeaking] = useState(false);

  useEffect(() => {
    if (!isMuted) return undefined;
    const detect = createSpeechDetector();
    let stopMeter: (() => void) | undefined;
    const stopListening = calling.listenToMicrophone((stream) => {
      stopMeter?.();
      stopMeter = meterLevel(stream, (level) => setIsSpeaking(detect(level)));
    });
    return () => {
      stopMeter?.();
      stopListening();
      setIsSpeaking(false);
    };
  }, [isMuted, calling]);

  return isSpeaking;
}
