import type { Clock } from '../../../../common/clock.ts';

/** A recording in progress. */
export interface Recording {
  /** Resolves to the recorded sound after `stop` or the maximum duration. */
  readonly done: Promise<Blob>;
  stop(): void;
}

/**
 * Records the microphone in the first of the media types that the browser supports.
 * @throws DOMException when the microphone is unavailable.
 */
export async function record(types: readonly string[], mostMs: number, clock: Clock): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type)) ?? '';
  const recorder = new MediaRecorder(stream, { mimeType });
  const parts: Blob[] = [];
  const done = new Promise<Blob>((resolve) => {
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    recorder.addEventListener('stop', () => {
      for (const track of stream.getTracks()) track.stop();
      resolve(new Blob(parts, { type: mimeType }));
    });
  });
  const stop = (): void => {
    if (recorder.state !== 'inactive') recorder.stop();
  };
  recorder.start();
  clock.after(mostMs, stop);
  return { done, stop };
}
