import type { Clock, Timer } from '../../../../common/clock.ts';
import { type ReadableStore, createStore } from '../../../../common/store.ts';
import { createSpeechDetector, loudness } from '../../devices/loudness.ts';

/** The participants who speak. */
export interface SpeakersState {
  /** Everyone who speaks now. */
  readonly speaking: ReadonlySet<string>;
  /** The participant who spoke last. It stays until another speaks for a while. Null before the first word. */
  readonly active: string | null;
}

/** The voices of a room, measured in the elements that play them. */
export interface Speakers {
  readonly state: ReadableStore<SpeakersState>;
  /** Measures the sound of an element until the returned function is called. */
  watch(participantId: string, element: HTMLMediaElement): () => void;
}

/** Measures the sound of streams, 0 to 1. */
export interface LoudnessMeter {
  /** Returns the measurement of a stream, and the function that stops it. Null without sound. */
  open(stream: MediaStream): { level(): number; close(): void } | null;
}

/** The interval of the measurements, as the speech detector expects it. Milliseconds. */
const EVERY_MS = 100;
/** The time for which the active speaker stays after another begins. Milliseconds. */
const HOLD_MS = 1_500;

/** Creates the voices of a room. One timer measures all of them, and runs only while there is one. */
export function createSpeakers(clock: Pick<Clock, 'after' | 'wallTime'>, meter: LoudnessMeter): Speakers {
  const state = createStore<SpeakersState>({ speaking: new Set(), active: null });
  const voices = new Map<string, Voice>();
  let next: Timer | undefined;
  let activeSince = -Infinity;

  function measure(): void {
    next = voices.size === 0 ? undefined : clock.after(EVERY_MS, measure);
    const levels = Array.from(voices, ([id, voice]) => ({ id, level: voice.level() }));
    const speaking = new Set(levels.filter(({ id, level }) => voices.get(id)?.detect(level)).map(({ id }) => id));
    const { speaking: before, active } = state.get();
    const leader = activeOf(levels, speaking, active);
    if (leader === active && speaking.size === before.size && [...speaking].every((id) => before.has(id))) return;
    state.set({ speaking, active: leader });
  }

  function activeOf(
    levels: readonly { readonly id: string; readonly level: number }[],
    speaking: ReadonlySet<string>,
    active: string | null,
  ): string | null {
    const isHeld = active !== null && speaking.has(active) && clock.wallTime() - activeSince < HOLD_MS;
    if (isHeld) return active;
    const loudest = levels.filter(({ id }) => speaking.has(id)).toSorted((a, b) => b.level - a.level)[0];
    // The detectors hear pauses as speech for a while. Silence replaces no speaker.
    const present = levels.find(({ id }) => id === active)?.level ?? 0;
    if (loudest === undefined || loudest.level <= present) return active;
    if (loudest.id !== active) activeSince = clock.wallTime();
    return loudest.id;
  }

  return {
    state,
    watch(participantId, element) {
      const voice = createVoice(element, meter);
      voices.set(participantId, voice);
      next ??= clock.after(EVERY_MS, measure);
      return () => {
        voice.close();
        if (voices.get(participantId) !== voice) return;
        voices.delete(participantId);
        if (voices.size > 0) return;
        next?.cancel();
        next = undefined;
        state.update(({ active }) => ({ speaking: new Set(), active }));
      };
    },
  };
}

interface Voice {
  level(): number;
  detect(level: number): boolean;
  close(): void;
}

/** Follows the stream of an element, which the library sets later and replaces after a lost connection. */
function createVoice(element: HTMLMediaElement, meter: LoudnessMeter): Voice {
  let opened: ReturnType<LoudnessMeter['open']> = null;

  function open(): void {
    opened?.close();
    const stream = element.srcObject;
    opened = stream === null || !('getAudioTracks' in stream) ? null : meter.open(stream);
  }

  element.addEventListener('loadedmetadata', open);
  if (element.srcObject !== null) open();
  return {
    level: () => opened?.level() ?? 0,
    detect: createSpeechDetector(),
    close() {
      element.removeEventListener('loadedmetadata', open);
      opened?.close();
      opened = null;
    },
  };
}

/** Creates the meter of the browser. All streams share one audio context, which closes with the last of them. */
export function browserMeter(): LoudnessMeter {
  let context: AudioContext | undefined;
  let count = 0;
  return {
    open(stream) {
      if (stream.getAudioTracks().length === 0) return null;
      context ??= new AudioContext();
      count += 1;
      const source = context.createMediaStreamSource(stream);
      const analyser = new AnalyserNode(context, { fftSize: 1024 });
      source.connect(analyser);
      const samples = new Float32Array(analyser.fftSize);
      return {
        level() {
          analyser.getFloatTimeDomainData(samples);
          return loudness(samples);
        },
        close() {
          source.disconnect();
          count -= 1;
          if (count > 0) return;
          void context?.close();
          context = undefined;
        },
      };
    },
  };
}
