import { CADENCES } from '../../media/cadences.ts';
import { renderCadence } from '../../media/render-cadence.ts';
import type { Clock } from '../clock.ts';
import { resume } from './after-gesture.ts';
import type { PlayingSound, SoundName } from '../sounds.ts';

/** A sound that plays once and could not start within this belongs to the past. */
const STALE_MS = 1_000;
/** Time constant of a fade to another loudness or to a stop, seconds; without it either is a click. */
const FADE_S = 0.01;

/**
 * Plays the synthesised sounds. A period is rendered once and looped by the audio engine, which keeps its cadence also
 * while the timers of a page in the background are slowed down.
 */
export class Synthesiser {
  readonly #clock: Clock;
  readonly #periods = new Map<SoundName, AudioBuffer>();
  /** What plays, and what says how loud. */
  readonly #playing = new Map<AudioBufferSourceNode, GainNode>();
  #context: AudioContext | null = null;
  #volume = 1;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  play(name: SoundName, looped: boolean): PlayingSound {
    const context = (this.#context ??= new AudioContext());
    const source = new AudioBufferSourceNode(context, { buffer: this.#period(context, name), loop: looped });
    const gain = new GainNode(context, { gain: this.#volume });
    source.connect(gain).connect(context.destination);
    this.#playing.set(source, gain);
    source.addEventListener('ended', () => this.#ended(source));
    const askedAt = this.#clock.now();
    // Where sound is not allowed yet the first gesture may come late: in time for a loop, not for a short sound.
    resume(context).then(
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
      // It never started.
      this.#ended(source);
    }
    this.#playing.delete(source);
  }

  /** An engine that plays nothing is put to rest: it costs power, and on telephones the loudspeaker. */
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
