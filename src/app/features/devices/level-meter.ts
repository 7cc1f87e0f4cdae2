import type { Clock } from '../../../common/clock.ts';
import { loudness } from './loudness.ts';

const EVERY_MS = 100;

/**
 * Calls the listener ten times a second with the volume of a stream, 0 to 1. A stream without sound has 0.
 * Returns the function that stops the meter.
 */
export function meterLevel(
  stream: MediaStream,
  clock: Pick<Clock, 'after'>,
  listener: (level: number) => void,
): () => void {
  if (stream.getAudioTracks().length === 0) return () => {};
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 1024 });
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let next = clock.after(EVERY_MS, measure);
  function measure(): void {
    next = clock.after(EVERY_MS, measure);
    analyser.getFloatTimeDomainData(samples);
    listener(loudness(samples));
  }
  return () => {
    next.cancel();
    void context.close();
  };
}
