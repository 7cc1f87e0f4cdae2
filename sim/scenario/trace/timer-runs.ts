/**
 * The timers of calls, read from the moves in a trace: a timer runs exactly while its states last (src/calls/machine-driver.ts),
 * so the transition table says when each began and ended. Pure.
 */
import { CALL_TABLE, type CallState, type CallTimer } from '../../../src/calls/direct-call/table.ts';
import { TIMES } from '../../../src/protocol/limits.ts';
import { type Life, livesOf } from './lives.ts';
import type { TimerLengths, TraceEvent } from './trace.ts';

/** What hosts get who set no timeouts. */
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
  /** What it takes to fire, milliseconds. */
  readonly length: number;
  /** When it fired: of one that repeats, any number of times. */
  readonly fired: readonly number[];
  /** How it ended: by firing, by its states ending, or not before the trace did. */
  readonly end: 'fired' | 'stopped' | 'running';
  /** The state that ended it; absent where the trace did. */
  readonly endedBy?: string;
}

/** From when on a run is measured: one that repeats begins anew whenever it fires. */
export const runningSince = ({ from, fired, end }: TimerRun): number =>
  end === 'fired' ? from : (fired.at(-1) ?? from);

/** A moment of a trace is told in whole milliseconds by some worlds. */
const ROUNDING_MS = 1;

interface TimerOptions {
  /** Where nothing is said: {@link DEFAULT_LENGTHS}. */
  readonly lengths?: TimerLengths | undefined;
  /** When the run ended; the last event of the trace, where it is not said. */
  readonly end?: number | undefined;
}

/** Every run of a timer in a trace, by when it began. */
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
