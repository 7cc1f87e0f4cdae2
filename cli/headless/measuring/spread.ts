/** The spread of the seconds of a call: median, 95th percentile and worst. Pure. */

export interface SpreadFigures {
  /** The value that half of the seconds reach. */
  readonly p50: number;
  /** The value that 95 of 100 seconds reach. */
  readonly p95: number;
  readonly worst: number;
  /** The end of the worst second, milliseconds since the call connected. */
  readonly worstAtMs: number;
}

/** A histogram of rounded values, so that a call of days needs no more memory than one of minutes. */
export class Spread {
  readonly #better: 'high' | 'low';
  readonly #step: number;
  readonly #counts = new Map<number, number>();
  #worst: { readonly steps: number; readonly atMs: number } | null = null;
  #count = 0;

  /** @param step - the values are rounded to multiples of this. */
  constructor(better: 'high' | 'low', step: number) {
    this.#better = better;
    this.#step = step;
  }

  add(value: number | null, atMs: number): void {
    if (value === null) return;
    const steps = Math.round(value / this.#step);
    this.#counts.set(steps, (this.#counts.get(steps) ?? 0) + 1);
    this.#count += 1;
    if (!this.#worst || this.#isBetter(this.#worst.steps, steps)) this.#worst = { steps, atMs };
  }

  /** Null before the first value. */
  figures(): SpreadFigures | null {
    if (!this.#worst) return null;
    const { steps, atMs } = this.#worst;
    return { p50: this.#atLeast(0.5), p95: this.#atLeast(0.95), worst: this.#value(steps), worstAtMs: atMs };
  }

  /** Returns the value that this share of the seconds reach. */
  #atLeast(share: number): number {
    const values = [...this.#counts].toSorted(([one], [other]) => (this.#isBetter(one, other) ? -1 : 1));
    const rank = Math.ceil(share * this.#count);
    let seen = 0;
    const [steps = 0] = values.find(([, count]) => (seen += count) >= rank) ?? [];
    return this.#value(steps);
  }

  #isBetter(one: number, other: number): boolean {
    return this.#better === 'high' ? one > other : one < other;
  }

  /** Removes the rounding noise of the multiplication. */
  #value(steps: number): number {
    return Number((steps * this.#step).toFixed(6));
  }
}
