import type { EndResult } from '../../../../src/protocol/enumerations.ts';
import type { StateEvent } from '../../../../src/trace/events.ts';
import {
  type Evidence,
  moves,
  requests,
  SUMMARY,
  type Tolerance,
  noticesOf,
  type Trace,
  valueAt,
} from '../predicates.ts';

/** A further condition on the device that moved. */
type Beside = (trace: Trace, move: StateEvent, tolerance: Tolerance) => boolean;

/**
 * Returns evidence that the call of one device made this move, that its host got onEnded, and that it ended with this
 * result. All events must be of that device.
 */
export const endedAs =
  (from: string, to: string, result: EndResult, beside: Beside = () => true): Evidence =>
  (trace, tolerance) =>
    moves(trace, 'call').some(
      (move) =>
        move.from === from &&
        move.to === to &&
        noticesOf(trace, move.device, 'onEnded').some(({ at }) => at >= move.at) &&
        hasResult(trace, move, result) &&
        beside(trace, move, tolerance),
    );

/**
 * Returns whether the call has this result: in the summary, or without one, in a step of the scenario for the device.
 */
function hasResult(trace: Trace, { device, at }: StateEvent, result: EndResult): boolean {
  const [summary] = requests(trace, 'POST', SUMMARY).filter((request) => request.device === device && request.at >= at);
  if (summary) return valueAt(summary.body, 'summary_data.end_result') === result;
  return trace.some(
    (event) =>
      event.kind === 'step' &&
      event.at >= at &&
      event.text.includes(`"${device}.call.result":${JSON.stringify(result)}`),
  );
}
