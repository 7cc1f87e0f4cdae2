/** The lives of calls and connections, as the moves in a trace tell them. Pure. */
import { CALL_TABLE } from '../../../src/calls/direct-call/table.ts';
import { PEER_TABLE } from '../../../src/calls/peer/table.ts';
import type { StateEvent, TraceEvent } from './trace.ts';

/** How long a machine was in a state. */
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
  /** Whether it came to a final state. */
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

/** When a trace ends, where it is not known how long nothing happened after it. */
export const endOf = (trace: readonly TraceEvent[]): number => trace.at(-1)?.at ?? 0;

/** Every life in a trace, by when it began. A device may have several at once: a call on hold, a connection replaced. */
export function livesOf(trace: readonly TraceEvent[], end = endOf(trace)): Life[] {
  const lives: Living[] = [];
  for (const event of trace) {
    if (event.kind !== 'state') continue;
    const { device, machine, from, to: state, at } = event;
    // A move does not say whose it is: it is of the one that was where it came from.
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
