/**
 * The timers of state machines, from the moves in a trace. A timer runs exactly while its states last
 * (src/calls/machine/machine-driver.ts), so the transition table shows when each began and ended.
 */
import type { TimerLengths, TraceEvent } from './events.ts';
import { machineOf, type TraceMachines, type TraceTimer } from './machines.ts';
import { type MachineRun, machineRunsOf } from './state-spans.ts';

/** One run of a timer. */
export interface TimerRun {
  readonly device: string;
  readonly timer: string;
  readonly from: number;
  readonly to: number;
  /** The time until it fires. Milliseconds. */
  readonly length: number;
  /** When it fired. A repeating timer fires any number of times. */
  readonly fired: readonly number[];
  /** How it ended: it fired, its states ended, or the trace ended first. */
  readonly end: 'fired' | 'stopped' | 'running';
  /** The state that ended it. Absent if the trace ended first. */
  readonly endedBy?: string;
}

/** Returns the moment from which the run is measured: a repeating timer restarts whenever it fires. */
export const runningSince = ({ from, fired, end }: TimerRun): number =>
  end === 'fired' ? from : (fired.at(-1) ?? from);

/** Some worlds report moments in whole milliseconds. */
const ROUNDING_MS = 1;

export interface TimerOptions {
  /** The lengths of this run. Default: those of the tables. */
  readonly lengths?: TimerLengths | undefined;
  /** When the run ended. Default: the last event of the trace. */
  readonly end?: number | undefined;
}

/** Returns every run of a timer in a trace, ordered by its beginning. */
export function timerRunsOf(
  trace: readonly TraceEvent[],
  machines: TraceMachines,
  { lengths = {}, end }: TimerOptions = {},
): TimerRun[] {
  return machineRunsOf(trace, machines, end)
    .flatMap((run) =>
      Object.entries(machineOf(machines, run.machine).timers).flatMap(([name, timer]) =>
        runsOf(run, name, timer, lengths[name] ?? timer.lengthMs),
      ),
    )
    .toSorted((a, b) => a.from - b.from);
}

function runsOf({ device, spans }: MachineRun, timer: string, table: TraceTimer, length: number): TimerRun[] {
  const { during, repeats } = table;
  const runs: TimerRun[] = [];
  let from: number | undefined;
  for (const [at, span] of spans.entries()) {
    if (!during.includes(span.state)) continue;
    from ??= span.from;
    const next = spans[at + 1];
    if (next && during.includes(next.state)) continue;
    const took = span.to - from + ROUNDING_MS;
    const times = repeats ? Math.floor(took / length) : Number(took >= length);
    const began = from;
    runs.push({
      device,
      timer,
      from,
      to: span.to,
      length,
      fired: Array.from({ length: times }, (_, time) => began + (time + 1) * length),
      end: !repeats && times > 0 ? 'fired' : next === undefined ? 'running' : 'stopped',
      ...(next === undefined ? {} : { endedBy: next.state }),
    });
    from = undefined;
  }
  return runs;
}
