import type { Clock } from '../../../../common/clock.ts';
import { VOICE_NOTE_SECONDS } from '../../../../protocol/product/chat.ts';
import { VOICE_TYPES } from '../../../../protocol/product/media.ts';

/** A voice note that is being recorded. */
export interface Recording {
  /** Ends the recording and releases the microphone. Resolves to the recorded sound. */
  finish(): Promise<Blob>;
}

/** The bit rate is enough for speech: a minute takes a quarter of a megabyte. */
const BITS_PER_SECOND = 32_000;

/**
 * Starts to record the microphone. The recording ends after the maximum duration of a voice note.
 * | @param signal - aborts the recording: the microphone is released and the recorded sound is dropped.
 * @throws the error of `getUserMedia`, or NotSupportedError when the browser records no type that the server accepts.
 */
export async function startRecording(signal: AbortSignal, clock: Pick<Clock, 'after'>): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const release = (): void => {
    for (const track of stream.getTracks()) track.stop();
  };
  try {
    signal.throwIfAborted();
    const mimeType = VOICE_TYPES.find((type) => MediaRecorder.isTypeSupported(type));
    const recorder = new MediaRecorder(stream, { audioBitsPerSecond: BITS_PER_SECOND, ...(mimeType && { mimeType }) });
    const chunks: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => chunks.push(data));
    const stopped = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve(), { once: true }));
    const stop = (): void => {
      if (recorder.state !== 'inactive') recorder.stop();
      release();
    };
    signal.addEventListener('abort', stop, { once: true });
    const limit = clock.after(VOICE_NOTE_SECONDS * 1_000, stop);
    recorder.start();
    return {
      async finish() {
        limit.cancel();
        stop();
        await stopped;
        return new Blob(chunks, { type: recorder.mimeType.split(';')[0] ?? '' });
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
