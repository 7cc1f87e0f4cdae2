import { spanText } from '../../../format/duration.ts';
import type { EventPattern } from '../../format/tree.ts';
import { show } from '../../format/values.ts';
import { matchesPattern, patternText } from '../event-pattern.ts';
import { StepFailure, type StepOf } from '../step.ts';
import type { Story } from '../story.ts';
import type { ScenarioWorld } from '../world.ts';
import { bounded, hasBounds } from './expect.ts';

/** The times at which a pattern was seen. */
interface Occurrences {
  readonly what: string;
  /** The moment that times count from. */
  readonly from: number;
  /** Returns when it was seen, in milliseconds since `from`. */
  times(): readonly number[];
}

/** Waits for an event on the wire: at its moments, at intervals, a number of times, or once. */
export async function seeStep(step: StepOf<'see'>, story: Story): Promise<void> {
  const { world } = story;
  const isCounted = !hasBounds(step) && step.every === undefined;
  // A plain count begins with the story. A pattern with bounds counts from the previous step.
  const from = isCounted && step.since === undefined ? 0 : story.since(step.since, step.place);
  const occurrences: Occurrences = {
    what: patternText(step.see, story.scope.values),
    from,
    times: () =>
      world.trace
        .filter((event) => event.at >= from && matchesPattern(event, step.see, story.scope.values))
        .map(({ at }) => at - from),
  };
  const moments = story.scope.fill(step.at);
  const times = step.times === undefined ? undefined : Number(story.scope.fill(step.times));
  if (Array.isArray(moments))
    return seeAt(
      step,
      story,
      occurrences,
      moments.map((moment) => story.scope.span(moment, step.place)),
    );
  if (step.every !== undefined) return seeEvery(step, story, occurrences, times ?? 1);
  if (isCounted) return counted(step, story, occurrences, times);
  return bounded(
    step,
    story,
    () => occurrences.times().length >= (times ?? 1),
    () => `${occurrences.what} was seen ${occurrences.times().length} times${nearMisses(step.see, world)}`,
  );
}

async function seeAt(
  step: StepOf<'see'>,
  story: Story,
  { what, from, times }: Occurrences,
  moments: readonly number[],
): Promise<void> {
  const { world } = story;
  const last = Math.max(0, ...moments);
  await story.until(() => false, Math.max(0, from + last + world.tolerance(last) - world.now));
  const found = times();
  const isSo =
    found.length === moments.length &&
    found.every((at, index) => Math.abs(at - (moments[index] ?? 0)) <= world.tolerance(at));
  if (!isSo)
    throw new StepFailure(step.place, `${what} was expected at ${listed(moments)}; it was seen at ${listed(found)}`);
}

async function seeEvery(
  step: StepOf<'see'>,
  story: Story,
  { what, from, times }: Occurrences,
  wanted: number,
): Promise<void> {
  const { world } = story;
  const every = story.scope.span(step.every, step.place);
  const longest = every * (wanted + 1) + world.tolerance(every * wanted);
  await story.until(() => times().length >= wanted, Math.max(0, from + longest - world.now));
  const found = times().slice(0, wanted);
  const isEven = found.every(
    (at, index) => index === 0 || Math.abs(at - (found[index - 1] ?? 0) - every) <= world.tolerance(every),
  );
  if (found.length === wanted && isEven) return;
  throw new StepFailure(
    step.place,
    `${what} was expected ${wanted} times, every ${spanText(every)}; it was seen at ${listed(found)}`,
  );
}

async function counted(
  step: StepOf<'see'>,
  story: Story,
  { what, times }: Occurrences,
  wanted: number | undefined,
): Promise<void> {
  const { world } = story;
  // The last event may still be in transit.
  if (
    await story.until(() => (wanted === undefined ? times().length > 0 : times().length === wanted), world.tolerance(0))
  )
    return;
  const found = times().length;
  const often = wanted === undefined ? 'at least once' : `${wanted} times`;
  throw new StepFailure(
    step.place,
    `${what} was expected ${often}; it was seen ${found} times${nearMisses(step.see, world)}`,
  );
}

const listed = (moments: readonly number[]): string => moments.map(spanText).join(', ') || 'no time';

/** The most characters of the values of a message in a failure. */
const MOST_SHOWN = 200;

/** Returns the last few messages of the same device, for a failure. Those of the same type with their values. */
export function nearMisses(pattern: EventPattern, world: Pick<ScenarioWorld, 'trace'>): string {
  const device = pattern.from ?? pattern.to;
  const direction = pattern.from === undefined ? 'down' : 'up';
  const near = world.trace.flatMap((event) =>
    event.kind === 'message' && event.direction === direction && (device === undefined || event.device === device)
      ? [`${event.cmd} ${spanText(event.at)}${event.cmd === pattern.cmd ? carried(event.payload, pattern.with) : ''}`]
      : [],
  );
  return near.length === 0 ? '' : ` (there was ${near.slice(-6).join(', ')})`;
}

/** Returns the values of a message at the keys that were wanted. */
function carried(payload: unknown, wanted: EventPattern['with']): string {
  if (wanted === undefined) return '';
  const values = (payload ?? {}) as Readonly<Record<string, unknown>>;
  const found = Object.keys(wanted).filter((key) => Object.hasOwn(values, key));
  if (found.length === 0) return ` without ${Object.keys(wanted).join(', ')}`;
  return ` with ${show(Object.fromEntries(found.map((key) => [key, values[key]]))).slice(0, MOST_SHOWN)}`;
}
