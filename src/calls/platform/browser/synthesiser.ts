import { CADENCES, renderCadence } from './cadences.ts';
import type { Clock } from '../../../common/clock.ts';
import type { PlayingSound, SoundName } from '../sounds.ts';

/** A sound that plays once is dropped when it cannot start within this time. Milliseconds. */
const STALE_MS = 1_000;
/** The time constant of a fade to another loudness or to a stop, seconds. Without it either clicks. */
const FADE_S = 0.01;

/**
 * Plays the synthesised sounds. A period is rendered once, and the audio engine loops it. So its cadence is kept while
 * the browser slows the timers of a background page.
 */
export class Synthesiser {
  readonly #clock: Clock;
  readonly #resume: (context: AudioContext) => Promise<void>;
  readonly #periods = new Map<SoundName, AudioBuffer>();
  /** The playing sources, each with its gain. */
  readonly #playing = new Map<AudioBufferSourceNode, GainNode>();
  #context: AudioContext | null = null;
  #volume = 1;

  /** @param resume - starts a context, at a gesture of the user where the browser wants one. */
  constructor(clock: Clock, resume: (context: AudioContext) => Promise<void>) {
    this.#clock = clock;
    this.#resume = resume;
  }

  play(name: SoundName, looped: boolean): PlayingSound {
    const context = (this.#context ??= new AudioContext());
    const source = new AudioBufferSourceNode(context, { buffer: this.#period(context, name), loop: looped });
    const gain = new GainNode(context, { gain: this.#volume });
    source.connect(gain).connect(context.destination);
    this.#playing.set(source, gain);
    source.addEventListener('ended', () => this.#ended(source));
    const askedAt = this.#clock.now();
    // Without permission for sound, the first gesture may be late: in time for a loop, not for a short sound.
    this.#resume(context).then(
      () => {
        if (!this.#playing.has(source)) return;
        if (looped || this.#clock.now() - askedAt <= STALE_MS) source.start();
        else this.#ended(source);
      },
      () => this.#ended(source),
    );
    return { stop: () => this.#stop(context, source, gain) };
  }

  setVolume(volume: number): void {
    this.#volume = volume;
    for (const { context, gain } of this.#playing.values()) gain.setTargetAtTime(volume, context.currentTime, FADE_S);
  }

  #stop(context: AudioContext, source: AudioBufferSourceNode, gain: GainNode): void {
    if (!this.#playing.has(source)) return;
    gain.gain.setTargetAtTime(0, context.currentTime, FADE_S);
    try {
      source.stop(context.currentTime + 5 * FADE_S);
    } catch {
      // The source never started.
      this.#ended(source);
    }
    this.#playing.delete(source);
  }

  /** Suspends an engine that plays nothing, which costs power, and on phones the loudspeaker. */
  #ended(source: AudioBufferSourceNode): void {
    this.#playing.delete(source);
    source.disconnect();
    if (this.#playing.size === 0) void this.#context?.suspend();
  }

  #period(context: AudioContext, name: SoundName): AudioBuffer {
    const known = this.#periods.get(name);
    if (known) return known;
    const samples = renderCadence(CADENCES[name], context.sampleRate);
    const buffer = new AudioBuffer({ length: samples.length, sampleRate: context.sampleRate });
    buffer.copyToChannel(samples, 0);
    this.#periods.set(name, buffer);
    return buffer;
  }
}
