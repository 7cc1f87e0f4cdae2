/** The time in which media was due in a call, and whether it arrived. Pure. */
import type { MediaState } from '../messages.ts';

/** Media counts as received when it arrived for this share of the time in which it was due. */
export const MOSTLY = 0.8;
/**
 * The time that decoders and jitter buffers need to start, milliseconds. This part of the first wait is not a fault.
 */
export const START_MS = 1_000;

export class Expectation {
  readonly #spent: Record<MediaState, number> = { due: 0, off: 0, held: 0 };
  #presentMs = 0;
  /** The wait for the first media. */
  #headMs = 0;

  /** Adds a second, with or without media. */
  add(ms: number, state: MediaState, isPresent: boolean): void {
    this.#spent[state] += ms;
    if (state !== 'due') return;
    if (isPresent) this.#presentMs += ms;
    else if (this.#presentMs === 0) this.#headMs += ms;
  }

  /** The seconds with media. */
  get presentMs(): number {
    return this.#presentMs;
  }

  /** Returns the part of the first wait that is not a fault. */
  get startMs(): number {
    return this.#presentMs === 0 ? 0 : Math.min(START_MS, this.#headMs);
  }

  get times(): { expectedMs: number; offMs: number; heldMs: number } {
    const { due, off, held } = this.#spent;
    return { expectedMs: Math.round(due), offMs: Math.round(off), heldMs: Math.round(held) };
  }

  /** Returns whether media arrived for most of the time. Null when none was due. */
  get isMet(): boolean | null {
    const { due } = this.#spent;
    return due === 0 ? null : this.#presentMs > 0 && this.#presentMs >= MOSTLY * (due - this.startMs);
  }
}
