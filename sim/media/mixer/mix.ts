/** The sum of the voices of a room. Each participant hears all voices but its own. */

/** The samples of 10 ms at 48 kHz, the frames of the native engine. */
export const FRAME_SAMPLES = 480;
/** The frames that wait for their turn. A later frame replaces the oldest: delay would grow otherwise. */
const MOST_WAITING = 4;

/** A voice of a room. */
export class Voice {
  readonly #waiting: Int16Array[] = [];
  #now: Int16Array | null = null;

  /** Adds the next frame that was heard. */
  hear(frame: Int16Array): void {
    this.#waiting.push(frame);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
  }

  /** Takes the next frame. Null when none has arrived in time. */
  next(): Int16Array | null {
    this.#now = this.#waiting.shift() ?? null;
    return this.#now;
  }

  /** The frame that {@link next} took. */
  get now(): Int16Array | null {
    return this.#now;
  }
}

/** Takes a frame of each voice, and returns for each the sum of the others. Sums that are too loud are cut. */
export function mixFrame(voices: readonly Voice[]): readonly Int16Array[] {
  const sum = new Int32Array(FRAME_SAMPLES);
  for (const voice of voices) {
    const frame = voice.next();
    if (!frame) continue;
    for (let at = 0; at < FRAME_SAMPLES; at += 1) sum[at] = (sum[at] ?? 0) + (frame[at] ?? 0);
  }
  return voices.map(({ now }) => {
    const others = new Int16Array(FRAME_SAMPLES);
    for (let at = 0; at < FRAME_SAMPLES; at += 1) {
      others[at] = Math.max(-32_768, Math.min(32_767, (sum[at] ?? 0) - (now?.[at] ?? 0)));
    }
    return others;
  });
}
