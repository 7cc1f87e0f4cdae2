import { differenceOf } from '../format/difference.ts';
import { ladderOf } from '../../../src/trace/picture/ladder.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { traceLine } from '../trace/masked-trace.ts';
import { MACHINES } from '../trace/machines.ts';

/** The first difference between a run and its stored trace. */
export interface Difference {
  /** The number of the event, from 1. */
  readonly event: number;
  /** The event in the trace and the event in the run, in words. */
  readonly message: string;
}

/**
 * Returns the first event that differs from the stored trace.
 * @param isOver - whether the run is over: only then must the trace be at its end too.
 */
export function differenceFrom(
  kept: readonly TraceEvent[],
  now: readonly TraceEvent[],
  isOver: boolean,
): Difference | undefined {
  const count = isOver ? Math.max(kept.length, now.length) : Math.min(kept.length, now.length);
  for (let at = 0; at < count; at += 1) {
    const [then, today] = [kept[at], now[at]];
    const message = differenceBetween(then, today);
    if (message !== undefined) return { event: at + 1, message };
  }
  return undefined;
}

function differenceBetween(then: TraceEvent | undefined, now: TraceEvent | undefined): string | undefined {
  const [former, present] = [comparable(then), comparable(now)];
  const difference = differenceOf(former, present);
  if (difference === undefined) return undefined;
  const [was, is] = [then && eventText(then), now && eventText(now)];
  if (was === is) return `${was}: ${difference}`;
  return `it was ${was ?? 'the end'}; now it is ${is ?? 'the end'}`;
}

/** Returns the event as a file has it, without the place of its step in the scenario. */
function comparable(event: TraceEvent | undefined): unknown {
  if (!event) return undefined;
  const { place: _, ...rest } = JSON.parse(traceLine(event)) as Record<string, unknown>;
  return rest;
}

/** Returns an event in a few words: `2.531 s, alice to exchange: offer`. */
function eventText(event: TraceEvent): string {
  const when = `${(event.at / 1_000).toFixed(3)} s`;
  const [row] = ladderOf([event], MACHINES, { whole: true }).rows;
  if (!row) return `${when}, ${event.kind}`;
  const who = row.kind === 'arrow' ? `${row.from} to ${row.to}` : row.lane;
  return `${when}, ${who === undefined ? '' : `${who}: `}${row.text}`;
}
