import { differenceOf } from '../format/difference.ts';
import { ladderOf } from '../picture/ladder-rows.ts';
import { type TraceEvent, traceLine } from '../trace/trace.ts';

/** Where a run went another way than the trace that was kept of it. */
export interface Difference {
  /** From 1. */
  readonly event: number;
  /** What the trace has there and what there is now, in words. */
  readonly message: string;
}

/**
 * The first event that is not as it was kept.
 *
 * @param isOver - whether the run is: only then must the trace be at its end too.
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

/** As it stands in a file; where a step stands in its scenario is not what happened. */
function comparable(event: TraceEvent | undefined): unknown {
  if (!event) return undefined;
  const { place: _, ...rest } = JSON.parse(traceLine(event)) as Record<string, unknown>;
  return rest;
}

/** An event in a few words: `2.531 s, alice to exchange: offer`. */
function eventText(event: TraceEvent): string {
  const when = `${(event.at / 1_000).toFixed(3)} s`;
  const [row] = ladderOf([event], { whole: true }).rows;
  if (!row) return `${when}, ${event.kind}`;
  const who = row.kind === 'arrow' ? `${row.from} to ${row.to}` : row.lane;
  return `${when}, ${who === undefined ? '' : `${who}: `}${row.text}`;
}
