/** When media ought to have come in a call, and whether it did. Pure. */
import type { MediaState } from '../messages.ts';

/** Media has come where it did for this share of the time in which it ought to. */
export const MOSTLY = 0.8;
/** Decoders and jitter buffers take this long to begin: so much of the wait for the first media is no fault, milliseconds. */
export const START_MS = 1_000;

export class Expectation {
  readonly #spent: Record<MediaState, number> = { due: 0, off: 0, held: 0 };
  #presentMs = 0;
  /** The wait for the first media. */
  #headMs = 0;

  /** Takes a second, and whether it had media. */
  add(ms: number, state: MediaState, isPresent: boolean): void {
    this.#spent[state] += ms;
    if (state !== 'due') return;
    if (isPresent) this.#presentMs += ms;
    else if (this.#presentMs === 0) this.#headMs += ms;
  }

  /** The seconds that had media. */
  get presentMs(): number {
    return this.#presentMs;
  }

  /** The part of the wait for the first media that is no fault. */
  get startMs(): number {
    return this.#presentMs === 0 ? 0 : Math.min(START_MS, this.#headMs);
  }

  get times(): { expectedMs: number; offMs: number; heldMs: number } {
    const { due, off, held } = this.#spent;
    return { expectedMs: Math.round(due), offMs: Math.round(off), heldMs: Math.round(held) };
  }

  /** Whether media came for most of the time; null where none ought to come. */
  get isMet(): boolean | null {
    const { due } = this.#spent;
    return due === 0 ? null : this.#presentMs > 0 && this.#presentMs >= MOSTLY * (due - this.startMs);
  }
}
