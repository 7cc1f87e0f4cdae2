import type { Clock } from '../../src/common/clock.ts';
import type { RecordedTracks, RecorderPort, RunningRecorder } from '../../src/calls/platform/recorder.ts';

/** The delay between the end of a recording and its data. Milliseconds. */
const FLUSH_MS = 5;

type Step = 'start' | 'stop' | 'save' | 'mix';

export interface VirtualRecording extends RecordedTracks {
  /** The current audio tracks. A track that has ended is silent. */
  readonly audio: readonly MediaStreamTrack[];
  readonly mimeType: string;
  readonly running: boolean;
}

/** Recordings without sound or picture: what is recorded, stopped and saved, and the failures that a test injects. */
export class VirtualRecorder implements RecorderPort {
  /** Every recording that was started, in order. */
  readonly recordings: VirtualRecording[] = [];
  /** The names of the saved files, in order. */
  readonly saved: string[] = [];
  /** Types that can be recorded. */
  supported: readonly string[] = ['audio/webm', 'video/webm', 'audio/mp4', 'video/mp4'];
  readonly #clock: Clock;
  readonly #failing = new Set<Step>();
  readonly #stops = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The recordings that were not stopped. A device whose calls are over must have none. */
  get running(): readonly VirtualRecording[] {
    return this.recordings.filter(({ running }) => running);
  }

  /** Ends all recordings, as a failing browser engine does. */
  breakOff(): void {
    for (const stop of [...this.#stops]) stop();
  }

  /** Makes this step fail from now on. */
  fail(step: Step): void {
    this.#failing.add(step);
  }

  isSupported(mimeType: string): boolean {
    return this.supported.includes(mimeType);
  }

  start(tracks: RecordedTracks, mimeType: string): RunningRecorder {
    if (this.#failing.has('start')) throw new DOMException('recorder: start', 'NotSupportedError');
    if (!this.isSupported(mimeType)) throw new DOMException(mimeType, 'NotSupportedError');
    const recording = { audio: tracks.audio, video: tracks.video, mimeType, running: true };
    this.recordings.push(recording);
    let settle: () => void = () => undefined;
    const data = new Promise<Blob>((resolve, reject) => {
      settle = () => {
        if (this.#failing.has('stop')) reject(new DOMException('recorder: stop', 'UnknownError'));
        else resolve(new Blob(['recorded'], { type: mimeType }));
      };
    });
    const stop = () => {
      if (!recording.running) return;
      recording.running = false;
      this.#stops.delete(stop);
      this.#clock.after(FLUSH_MS, settle);
    };
    this.#stops.add(stop);
    const useAudio = (audio: readonly MediaStreamTrack[]) => {
      if (this.#failing.has('mix')) throw new DOMException('recorder: mix', 'NotSupportedError');
      recording.audio = audio;
    };
    return { data, stop, useAudio };
  }

  save(fileName: string): void {
    if (this.#failing.has('save')) throw new DOMException('recorder: save', 'NotAllowedError');
    this.saved.push(fileName);
  }
}
