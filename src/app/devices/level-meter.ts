import { loudness } from './loudness.ts';

const EVERY_MS = 100;

/** Tells ten times a second how loud a stream is, 0 to 1; the undo ends it. A stream without sound is silent. */
export function meterLevel(stream: MediaStream, told: (level: number) => void): () => void {
  if (stream.getAudioTracks().length === 0) return () => {};
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 1024 });
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    told(loudness(samples));
  }, EVERY_MS);
  return () => {
    clearInterval(timer);
    void context.close();
  };
}
