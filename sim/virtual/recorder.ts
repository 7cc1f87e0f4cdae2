import type { RecordedTracks, RecorderPort, RunningRecorder } from '../../src/calls/platform/recorder.ts';
import type { VirtualClock } from './clock.ts';

/** The data of a recording follows its end by this, milliseconds. */
const FLUSH_MS = 5;

type Step = 'start' | 'stop' | 'save' | 'mix';

export interface VirtualRecording extends RecordedTracks {
  /** The sounds it has now. Of one that has ended nothing more is heard. */
  readonly audio: readonly MediaStreamTrack[];
  readonly mimeType: string;
  readonly running: boolean;
}

/** Recordings without sound or picture: what is recorded, stopped and saved, and what a test lets go wrong. */
export class VirtualRecorder implements RecorderPort {
  /** Every recording that was started, in order. */
  readonly recordings: VirtualRecording[] = [];
  /** The names of the files the user was given, in order. */
  readonly saved: string[] = [];
  /** Types that can be recorded. */
  supported: readonly string[] = ['audio/webm', 'video/webm', 'audio/mp4', 'video/mp4'];
  readonly #clock: VirtualClock;
  readonly #failing = new Set<Step>();
  readonly #stops = new Set<() => void>();

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** Recordings nobody stopped: a device whose calls are over has none. */
  get running(): readonly VirtualRecording[] {
    return this.recordings.filter(({ running }) => running);
  }

  /** What is being recorded ends by itself, as when the engine gives up. */
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
