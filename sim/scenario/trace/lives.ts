/** The lives of calls and connections, from the moves in a trace. */
import { CALL_TABLE } from '../../../src/calls/direct-call/table.ts';
import { PEER_TABLE } from '../../../src/calls/peer/table.ts';
import type { StateEvent, TraceEvent } from './trace.ts';

/** A state, and the time that a machine was in it. */
export interface Stay {
  readonly state: string;
  readonly from: number;
  readonly to: number;
}

/** One call or one connection of a device, from its first move on. */
export interface Life {
  readonly device: string;
  readonly machine: StateEvent['machine'];
  readonly stays: readonly Stay[];
  /** Whether it reached a final state. */
  readonly isOver: boolean;
}

const TABLES: Readonly<Record<StateEvent['machine'], { readonly initial: string; readonly final: readonly string[] }>> =
  {
    call: CALL_TABLE,
    peer: PEER_TABLE,
  };

interface Living {
  readonly device: string;
  readonly machine: StateEvent['machine'];
  readonly moves: { readonly state: string; readonly at: number }[];
}

/** Returns the time of the last event, for traces whose end is not known. */
export const endOf = (trace: readonly TraceEvent[]): number => trace.at(-1)?.at ?? 0;

/**
 * Returns every life in a trace, ordered by its beginning. A device may have several at once: a call on hold, a
 * connection that is being replaced.
 */
export function livesOf(trace: readonly TraceEvent[], end = endOf(trace)): Life[] {
  const lives: Living[] = [];
  for (const event of trace) {
    if (event.kind !== 'state') continue;
    const { device, machine, from, to: state, at } = event;
    // A move does not name its call: it belongs to the life that was in its first state.
    const isHis = (life: Living) =>
      life.device === device && life.machine === machine && life.moves.at(-1)?.state === from;
    const living = from === TABLES[machine].initial ? undefined : lives.find(isHis);
    if (living) living.moves.push({ state, at });
    else lives.push({ device, machine, moves: [{ state, at }] });
  }
  return lives.map(({ device, machine, moves }) => ({
    device,
    machine,
    stays: moves.map(({ state, at }, index) => ({ state, from: at, to: moves[index + 1]?.at ?? end })),
    isOver: TABLES[machine].final.includes(moves.at(-1)?.state ?? ''),
  }));
}
