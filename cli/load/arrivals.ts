/** The arrivals of a run: when each call is due. They do not depend on the calls before them (an open loop). Pure. */

/** A part of the run. The rate changes evenly from that of the former stage, 0 at first. Calls a second. */
export interface Stage {
  readonly forMs: number;
  readonly toRate: number;
}

/** Returns the stages of a rate that is reached after a ramp. Without a ramp the rate jumps. */
export const stagesOf = (rate: number, forMs: number, rampMs: number): Stage[] => [
  { forMs: rampMs, toRate: rate },
  { forMs, toRate: rate },
];

/** Returns the length of the stages, milliseconds. */
export const lengthOf = (stages: readonly Stage[]): number => stages.reduce((sum, { forMs }) => sum + forMs, 0);

export const peakRateOf = (stages: readonly Stage[]): number => Math.max(0, ...stages.map(({ toRate }) => toRate));

/** Yields the moment at which each call is due, milliseconds since the begin. The calls of a rate have even distances. */
export function* arrivals(stages: readonly Stage[]): Generator<number, void> {
  let [beginMs, callsBefore, rate, at] = [0, 0, 0, 0];
  for (const { forMs, toRate } of stages) {
    const seconds = forMs / 1_000;
    const calls = ((rate + toRate) / 2) * seconds;
    const growth = seconds === 0 ? 0 : (toRate - rate) / seconds;
    // Call n is due when n and a half calls have accumulated, so that a run does not begin with a call at 0.
    for (; at + 0.5 < callsBefore + calls; at += 1) {
      const wanted = at + 0.5 - callsBefore;
      const root = Math.sqrt(Math.max(0, rate * rate + 2 * growth * wanted));
      yield beginMs + (2_000 * wanted) / (rate + root);
    }
    beginMs += forMs;
    callsBefore += calls;
    rate = toRate;
  }
}
