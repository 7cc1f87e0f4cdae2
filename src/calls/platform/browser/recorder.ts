import type { Clock } from '../../../common/clock.ts';
import type { RecorderPort, RunningRecorder } from '../recorder.ts';
import { mixAudio } from './mix-audio.ts';

/** The life of a download address, milliseconds. Some browsers ask the user for a place first. */
const KEPT_MS = 60_000;

/** Returns recordings by MediaRecorder, saved as a download of the page. */
export function browserRecorder(clock: Clock): RecorderPort {
  return {
    isSupported: (mimeType) => typeof MediaRecorder !== 'undefined' && MediaRecorder.isTypeSupported(mimeType),
    start({ audio, video }, mimeType): RunningRecorder {
      // The engine records the tracks that it began with. Sounds may be replaced, so it records a mix, which stays.
      const mix = mixAudio(audio);
      try {
        const recorder = new MediaRecorder(new MediaStream(video ? [mix.track, video] : [mix.track]), { mimeType });
        const data = collect(recorder);
        // One piece: only then does Chromium write length and index, which seeking needs.
        recorder.start();
        // The caller handles the failure. This only releases the mix.
        const letGo = () => mix.release();
        data.then(letGo, letGo);
        return {
          data,
          useAudio: (tracks) => mix.use(tracks),
          stop: () => {
            if (recorder.state !== 'inactive') recorder.stop();
          },
        };
      } catch (error) {
        mix.release();
        throw error;
      }
    },
    save(fileName, data) {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(data);
      link.download = fileName;
      link.click();
      clock.after(KEPT_MS, () => URL.revokeObjectURL(link.href));
    },
  };
}

function collect(recorder: MediaRecorder): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const parts: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    recorder.addEventListener('error', (event) => reject(new Error('recording failed', { cause: event })));
    recorder.addEventListener('stop', () => resolve(new Blob(parts, { type: recorder.mimeType })));
  });
}
