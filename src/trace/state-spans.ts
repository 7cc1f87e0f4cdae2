/** The runs of state machines, from the moves in a trace. */
import type { TraceEvent } from './events.ts';
import { machineOf, type TraceMachines } from './machines.ts';

/** A state, and the time that a machine was in it. */
interface StateSpan {
  readonly state: string;
  readonly from: number;
  readonly to: number;
}

/** One run of a machine of a device, for example one call or one connection, from its first move on. */
export interface MachineRun {
  readonly device: string;
  readonly machine: string;
  readonly spans: readonly StateSpan[];
  /** Whether it reached a final state. */
  readonly isOver: boolean;
}

interface OpenRun {
  readonly device: string;
  readonly machine: string;
  readonly moves: { readonly state: string; readonly at: number }[];
}

/** Returns the time of the last event, for traces whose end is not known. */
export const endOf = (trace: readonly TraceEvent[]): number => trace.at(-1)?.at ?? 0;

/**
 * Returns every run of a machine in a trace, ordered by its beginning. A device may have several at once: a call on
 * hold, a connection that is being replaced.
 */
export function machineRunsOf(trace: readonly TraceEvent[], machines: TraceMachines, end = endOf(trace)): MachineRun[] {
  const runs: OpenRun[] = [];
  for (const event of trace) {
    if (event.kind !== 'state') continue;
    const { device, machine, from, to: state, at } = event;
    // A move does not name its call: it belongs to the run that was in its first state.
    const isMoved = (run: OpenRun) =>
      run.device === device && run.machine === machine && run.moves.at(-1)?.state === from;
    const moved = from === machineOf(machines, machine).initial ? undefined : runs.find(isMoved);
    if (moved) moved.moves.push({ state, at });
    else runs.push({ device, machine, moves: [{ state, at }] });
  }
  return runs.map(({ device, machine, moves }) => ({
    device,
    machine,
    spans: moves.map(({ state, at }, index) => ({ state, from: at, to: moves[index + 1]?.at ?? end })),
    isOver: machineOf(machines, machine).final.includes(moves.at(-1)?.state ?? ''),
  }));
}
