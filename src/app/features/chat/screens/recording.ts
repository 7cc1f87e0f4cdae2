import { VOICE_NOTE_SECONDS } from '../../../../protocol/product/chat.ts';
import { VOICE_TYPES } from '../../../../protocol/product/media.ts';

/** A voice note that is being recorded. */
export interface Recording {
  /** Ends it and lets the microphone go: what was recorded. */
  finish(): Promise<Blob>;
}

/** Enough for speech; a minute is a quarter of a megabyte. */
const BITS_PER_SECOND = 32_000;

/**
 * Begins to record the microphone. It ends by itself after the longest time of a voice note.
 *
 * @param signal - gives it up: the microphone is let go, whatever was recorded is lost.
 * @throws what `getUserMedia` throws; NotSupportedError where nothing that the server takes can be recorded.
 */
export async function startRecording(signal: AbortSignal): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const letGo = (): void => {
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
      letGo();
    };
    signal.addEventListener('abort', stop, { once: true });
    const limit = setTimeout(stop, VOICE_NOTE_SECONDS * 1_000);
    recorder.start();
    return {
      async finish() {
        clearTimeout(limit);
        stop();
        await stopped;
        return new Blob(chunks, { type: recorder.mimeType.split(';')[0] ?? '' });
      },
    };
  } catch (error) {
    letGo();
    throw error;
  }
}
