/** How the seconds of a call compare: the typical one, the bad ones, the worst. Pure. */

export interface SpreadFigures {
  /** Half of the seconds are at least as good. */
  readonly p50: number;
  /** 95 of 100 seconds are at least as good. */
  readonly p95: number;
  readonly worst: number;
  /** When the worst second ended, milliseconds since the call connected. */
  readonly worstAtMs: number;
}

/** Values of seconds, each rounded, so that a call of days needs no more room than one of minutes. */
export class Spread {
  readonly #better: 'high' | 'low';
  readonly #step: number;
  readonly #counts = new Map<number, number>();
  #worst: { readonly steps: number; readonly atMs: number } | null = null;
  #count = 0;

  /** @param step - values are rounded to multiples of this. */
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

  /** The value that this share of the seconds reach. */
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

  /** Without the noise of the multiplication. */
  #value(steps: number): number {
    return Number((steps * this.#step).toFixed(6));
  }
}
