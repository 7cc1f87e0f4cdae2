/**
 * The timers of calls, from the moves in a trace. A timer runs exactly while its states last
 * (src/calls/machine-driver.ts), so the transition table shows when each began and ended.
 */
import { CALL_TABLE, type CallState, type CallTimer } from '../../../src/calls/direct-call/table.ts';
import { TIMES } from '../../../src/protocol/limits.ts';
import { type Life, livesOf } from './lives.ts';
import type { TimerLengths, TraceEvent } from './trace.ts';

/** The lengths of the timers for a host that sets none. */
export const DEFAULT_LENGTHS: TimerLengths = {
  alive: TIMES.aliveIntervalMs,
  ring: TIMES.ringingTimeoutMs,
  connection: TIMES.connectionTimeoutMs,
  grace: TIMES.reconnectGraceMs,
};

/** One run of a timer. */
export interface TimerRun {
  readonly device: string;
  readonly timer: CallTimer;
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

interface TimerOptions {
  /** Default: {@link DEFAULT_LENGTHS}. */
  readonly lengths?: TimerLengths | undefined;
  /** When the run ended. Default: the last event of the trace. */
  readonly end?: number | undefined;
}

/** Returns every run of a timer in a trace, ordered by its beginning. */
export function timerRunsOf(
  trace: readonly TraceEvent[],
  { lengths = DEFAULT_LENGTHS, end }: TimerOptions = {},
): TimerRun[] {
  return livesOf(trace, end)
    .filter(({ machine }) => machine === 'call')
    .flatMap((life) => TIMERS.flatMap((timer) => runsOf(life, timer, lengths[timer])))
    .toSorted((a, b) => a.from - b.from);
}

const TIMERS = Object.keys(CALL_TABLE.timers) as CallTimer[];

function runsOf({ device, stays }: Life, timer: CallTimer, length: number): TimerRun[] {
  const { during, repeats } = CALL_TABLE.timers[timer];
  const runs: TimerRun[] = [];
  let from: number | undefined;
  for (const [at, stay] of stays.entries()) {
    if (!during.includes(stay.state as CallState)) continue;
    from ??= stay.from;
    const next = stays[at + 1];
    if (next && during.includes(next.state as CallState)) continue;
    const took = stay.to - from + ROUNDING_MS;
    const times = repeats ? Math.floor(took / length) : Number(took >= length);
    const began = from;
    runs.push({
      device,
      timer,
      from,
      to: stay.to,
      length,
      fired: Array.from({ length: times }, (_, time) => began + (time + 1) * length),
      end: !repeats && times > 0 ? 'fired' : next === undefined ? 'running' : 'stopped',
      ...(next === undefined ? {} : { endedBy: next.state }),
    });
    from = undefined;
  }
  return runs;
}
