/** A histogram of durations with high dynamic range: three significant digits from a microsecond to an hour. */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

const MICROSECONDS = 1_000;
const HIGHEST = 3_600_000 * MICROSECONDS;

/** The summary of durations, milliseconds. */
export interface DurationSummary {
  readonly count: number;
  readonly min: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly 'p99.9': number;
  readonly max: number;
}

export class Durations {
  readonly #histogram: RecordableHistogram = createHistogram({ lowest: 1, highest: HIGHEST, figures: 3 });

  get count(): number {
    return this.#histogram.count;
  }

  /** Records milliseconds. A longer time than an hour counts as an hour, a shorter one than a microsecond as one. */
  record(ms: number): void {
    this.#histogram.record(Math.min(HIGHEST, Math.max(1, Math.round(ms * MICROSECONDS))));
  }

  /** Returns the milliseconds that this percentage of the durations does not exceed. 0 without durations. */
  percentile(percent: number): number {
    return this.count === 0 ? 0 : this.#histogram.percentile(percent) / MICROSECONDS;
  }

  get min(): number {
    return this.count === 0 ? 0 : this.#histogram.min / MICROSECONDS;
  }

  get mean(): number {
    return this.count === 0 ? 0 : this.#histogram.mean / MICROSECONDS;
  }

  get max(): number {
    return this.count === 0 ? 0 : this.#histogram.max / MICROSECONDS;
  }

  summary(): DurationSummary {
    const of = (percent: number) => this.percentile(percent);
    const { count, min, mean, max } = this;
    return { count, min, mean, p50: of(50), p90: of(90), p95: of(95), p99: of(99), 'p99.9': of(99.9), max };
  }
}
