import type { Clock } from '../../core/ports/clock.ts';
import { loudness } from './loudness.ts';

const EVERY_MS = 100;

/** Tells ten times a second how loud a stream is, 0 to 1; the undo ends it. A stream without sound is silent. */
export function meterLevel(
  stream: MediaStream,
  clock: Pick<Clock, 'after'>,
  told: (level: number) => void,
): () => void {
  if (stream.getAudioTracks().length === 0) return () => {};
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 1024 });
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let cancel = clock.after(EVERY_MS, measure);
  function measure(): void {
    cancel = clock.after(EVERY_MS, measure);
    analyser.getFloatTimeDomainData(samples);
    told(loudness(samples));
  }
  return () => {
    cancel();
    void context.close();
  };
}
