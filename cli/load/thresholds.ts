/** Thresholds: conditions on the results of a run, like `dial-to-ring p99 < 10ms` or `failed < 1%`. Pure. */
import { FAILURES, TIME_NAMES, type TimeName } from './metrics.ts';

const FAILURE_NAMES = ['failed', ...FAILURES] as const;
type FailureName = (typeof FAILURE_NAMES)[number];
type Comparison = '<' | '<=' | '>' | '>=';

/** A condition on a statistic of a time, or on a number of calls or their share of all calls. */
export type Threshold = {
  readonly text: string;
  readonly comparison: Comparison;
  /** Milliseconds, calls, or a share from 0 to 1. */
  readonly limit: number;
} & (
  | { readonly of: 'time'; readonly name: TimeName; readonly stat: Statistic }
  | { readonly of: 'count' | 'share'; readonly name: FailureName | 'calls' }
);

/** A percentile from 0 to 100, without 0, or another statistic. */
export type Statistic = number | 'min' | 'mean' | 'max';

/** What thresholds are compared with. */
export interface Measured {
  time(name: TimeName): {
    readonly count: number;
    readonly mean: number;
    readonly min: number;
    readonly max: number;
  } & {
    percentile(percent: number): number;
  };
  /** Returns the calls that ended so: `failed` for any failure, `calls` for all that were due. */
  calls(name: FailureName | 'calls'): number;
}

export interface Verdict {
  readonly threshold: Threshold;
  /** Milliseconds, calls or a share. Null when no call was measured. */
  readonly actual: number | null;
  readonly ok: boolean;
}

const UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000, m: 60_000 };
const PATTERN = /^\s*([a-z-]+)\s*(?:\s([a-z]+(?:\d+(?:\.\d+)?)?)\s*)?(<=?|>=?)\s*(\d+(?:\.\d+)?)\s*(us|ms|s|m|%)?\s*$/;

/** Parses a threshold. Returns a sentence about the error for anything else. */
export function thresholdOf(text: string): Threshold | string {
  const parts = PATTERN.exec(text);
  if (!parts) return 'A threshold is like "dial-to-ring p99 < 10ms" or "failed < 1%".';
  const [, name = '', stat, sign = '<', number, unit] = parts;
  const shared = { text: text.trim().replaceAll(/\s+/g, ' '), comparison: sign as Comparison };
  const time = TIME_NAMES.find((known) => known === name);
  if (time !== undefined) {
    const statistic = statisticOf(stat);
    if (statistic === undefined)
      return `A threshold of ${time} names min, mean, max or a percentile, like ${time} p99.`;
    if (unit === undefined || unit === '%') return `The limit of ${time} is a time, like 10ms.`;
    return { ...shared, of: 'time', name: time, stat: statistic, limit: Number(number) * (UNITS[unit] as number) };
  }
  const failure = [...FAILURE_NAMES, 'calls' as const].find((known) => known === name);
  if (failure === undefined) return `The metrics are ${[...TIME_NAMES, ...FAILURE_NAMES, 'calls'].join(', ')}.`;
  if (stat !== undefined || (unit !== undefined && unit !== '%')) {
    return `A threshold of ${failure} is a number of calls or their share, like "failed < 1%".`;
  }
  if (unit === '%' && failure !== 'calls')
    return { ...shared, of: 'share', name: failure, limit: Number(number) / 100 };
  return unit === '%'
    ? 'calls is a number, like "calls > 1000".'
    : { ...shared, of: 'count', name: failure, limit: Number(number) };
}

function statisticOf(word: string | undefined): Statistic | undefined {
  if (word === 'min' || word === 'mean' || word === 'max') return word;
  const percent = Number(/^p(\d+(?:\.\d+)?)$/.exec(word ?? '')?.[1]);
  return percent > 0 && percent <= 100 ? percent : undefined;
}

/** Compares a threshold with the results. A time that was never measured does not meet its threshold. */
export function judged(threshold: Threshold, measured: Measured): Verdict {
  const actual = actualOf(threshold, measured);
  return { threshold, actual, ok: actual !== null && holds(actual, threshold) };
}

function actualOf(threshold: Threshold, measured: Measured): number | null {
  if (threshold.of === 'time') {
    const time = measured.time(threshold.name);
    if (time.count === 0) return null;
    return typeof threshold.stat === 'number' ? time.percentile(threshold.stat) : time[threshold.stat];
  }
  const count = measured.calls(threshold.name);
  if (threshold.of === 'count') return count;
  const all = measured.calls('calls');
  return all === 0 ? null : count / all;
}

function holds(actual: number, { comparison, limit }: Threshold): boolean {
  if (comparison === '<') return actual < limit;
  if (comparison === '<=') return actual <= limit;
  return comparison === '>' ? actual > limit : actual >= limit;
}
