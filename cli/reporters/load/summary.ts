/** The summary of a load run, and its form as JSON. */
import type { DurationSummary } from '../../load/durations.ts';
import type { LoadPlan } from '../../load/generator.ts';
import { TIME_NAMES } from '../../load/metrics.ts';
import type { LoadEnd } from '../../load/run-load.ts';
import type { Tally } from '../../load/tally.ts';
import type { Verdict } from '../../load/thresholds.ts';

export interface LoadSummary {
  readonly server: string;
  readonly plan: LoadPlan;
  readonly concurrency: number;
  /** From the first moment of the run to the end of its last call, milliseconds. */
  readonly elapsedMs: number;
  readonly tally: Tally;
  readonly end: LoadEnd;
  readonly interrupted: boolean;
  readonly verdicts: readonly Verdict[];
}

/** Returns the summary for other programs. Times are milliseconds. */
export function summaryJson({ server, plan, concurrency, elapsedMs, tally, end, interrupted, verdicts }: LoadSummary) {
  const times = TIME_NAMES.map((name): [string, DurationSummary] => [name, tally.time(name).summary()]);
  return {
    version: 1,
    server,
    plan: {
      stages: plan.stages,
      mix: plan.mix,
      media: plan.media,
      holdMs: plan.holdMs,
      callTimeoutMs: plan.stepLimitMs,
      concurrency,
    },
    elapsedMs: Math.round(elapsedMs),
    interrupted,
    cutShort: end.isCutShort,
    closedPairs: end.closedPairs,
    calls: {
      due: tally.calls('calls'),
      dialled: tally.dialledCalls,
      waited: tally.waitedCalls,
      failed: tally.calls('failed'),
      peakLive: tally.peak,
      heard: heardCalls({ plan, tally }),
    },
    outcomes: tally.outcomes,
    times: Object.fromEntries(times),
    thresholds: verdicts.map(({ threshold: { text, limit }, actual, ok }) => ({ text, limit, actual, ok })),
    slotMs: tally.slotMs,
    slots: tally.slots(),
  };
}

/** Returns the calls in which both sides received the media of the other. Null without media. */
const heardCalls = ({ plan, tally }: Pick<LoadSummary, 'plan' | 'tally'>): number | null =>
  plan.media === 'none' ? null : tally.calls('completed');

/** Formats `38 of 40 calls`: those in which both sides received the media of the other. Null without media. */
export function heardText(summary: Pick<LoadSummary, 'plan' | 'tally'>): string | null {
  const heard = heardCalls(summary);
  if (heard === null) return null;
  return `${heard} of ${heard + summary.tally.calls('unheard')} calls`;
}

/** Returns the outcomes in words, like `refused 3 (dial 1400106)`, the most frequent first. */
export const outcomeWords = (tally: Tally): string[] =>
  tally.outcomes.map(({ outcome, detail, count }) => `${outcome} ${count}${detail === '' ? '' : ` (${detail})`}`);

export const failedShare = (tally: Tally): number => {
  const all = tally.calls('calls');
  return all === 0 ? 0 : tally.calls('failed') / all;
};

export const percentText = (share: number): string => `${(share * 100).toFixed(share > 0 && share < 0.001 ? 3 : 2)}%`;

/** Formats milliseconds with three digits: 0.42ms, 4.21ms, 42.1ms, 421ms, 4.21s. */
export function timeText(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1_000).toFixed(1)}s`;
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(2)}s`;
  return `${ms.toFixed(ms >= 100 ? 0 : ms >= 10 ? 1 : 2)}ms`;
}

/** Formats the value that a threshold was compared with. */
export function actualText({ threshold, actual }: Verdict): string {
  if (actual === null) return 'not measured';
  if (threshold.of === 'time') return timeText(actual);
  return threshold.of === 'share' ? percentText(actual) : String(actual);
}
