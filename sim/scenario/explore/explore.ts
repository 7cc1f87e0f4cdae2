/** Runs generated scenarios and searches for one that breaks an invariant. Makes it as short as possible. */
import { Story } from '../run/story.ts';
import { takeStep } from '../run/take-step.ts';
import { virtualWorld } from '../virtual/virtual-world.ts';
import type { Violation } from '../invariants/aftermath.ts';
import { isCrash } from '../invariants/crash.ts';
import { CALL_MODEL } from './call-model.ts';
import type { Model } from './model.ts';
import { type ModelName, modelOf, settleModel } from './models.ts';
import { PromiseWorld } from '../invariants/promises.ts';
import type { Scenario, Step } from '../format/tree.ts';
import { scenarioYaml } from '../format/write-scenario.ts';

export interface Played {
  readonly violations: readonly Violation[];
  /** Steps that were refused and so had no effect. */
  readonly refused: ReadonlySet<Step>;
  readonly events: number;
  /** The moves of the state machines that occurred, `call from -> to`. */
  readonly moves: readonly string[];
}

/** Runs a scenario to its end, clears all faults, lets time pass, and checks the invariants. */
export async function play(scenario: Scenario, model: Model = CALL_MODEL): Promise<Played> {
  const world = new PromiseWorld(await virtualWorld(scenario, scenario.seed, {}));
  const story = new Story(world, {});
  const refused = new Set<Step>();
  const violations: Violation[] = [];
  for (const [at, step] of scenario.steps.entries()) {
    try {
      await takeStep(step, story, at + 1);
    } catch (error) {
      if (isCrash(error)) violations.push({ id: 'I23', message: String(error) });
      refused.add(step);
    }
  }
  const check = await settleModel(model, story, scenario, world);
  const trace = [...world.trace];
  violations.push(...check({ trace, leftovers: await world.close() }));
  return {
    violations,
    refused,
    events: trace.length,
    moves: trace.flatMap((event) => (event.kind === 'state' ? [`${event.machine} ${event.from} -> ${event.to}`] : [])),
  };
}

export interface Found {
  readonly seed: number;
  readonly violation: Violation;
  /** The shortest form of the scenario that breaks the same invariant. */
  readonly scenario: Scenario;
  /** The number of steps before it was shortened. */
  readonly drawnSteps: number;
}

export interface Explored {
  readonly seeds: number;
  readonly events: number;
  readonly moves: readonly string[];
  readonly found: readonly Found[];
}

export interface ExploreOptions {
  readonly firstSeed: number;
  readonly seeds: number;
  /** The kind of the stories. Default: direct. */
  readonly model?: ModelName;
  /** The nodes of the exchange. Default: 1. */
  readonly nodes?: number;
  /** Stops after this many broken invariants. Default: 5. */
  readonly most?: number;
  readonly played?: (done: number) => void;
  readonly interrupted?: () => boolean;
}

/** Runs the scenarios of `seeds` seeds. */
export async function explore({
  firstSeed,
  seeds,
  model: name = 'direct',
  nodes = 1,
  most = 5,
  played,
  interrupted,
}: ExploreOptions): Promise<Explored> {
  const model = modelOf(name, nodes);
  const found: Found[] = [];
  const moves = new Set<string>();
  let events = 0;
  let done = 0;
  for (let seed = firstSeed; seed < firstSeed + seeds && found.length < most && !interrupted?.(); seed += 1) {
    const scenario = model.draw(seed);
    const outcome = await play(scenario, model);
    events += outcome.events;
    for (const move of outcome.moves) moves.add(move);
    const [violation] = outcome.violations;
    if (violation) {
      const stillBreaks = async (steps: readonly Step[]) =>
        (await play({ ...scenario, steps }, model)).violations.some(({ id }) => id === violation.id);
      const steps = await shrink(scenario.steps, stillBreaks);
      found.push({ seed, violation, scenario: { ...scenario, steps }, drawnSteps: scenario.steps.length });
    }
    done += 1;
    played?.(done);
  }
  return { seeds: done, events, moves: [...moves].toSorted(), found };
}

/** Returns a found scenario as the text of a scenario file. Its run checks the invariants of its kind. */
export const scenarioText = (found: Scenario, { id, message }: Violation, name: ModelName = 'direct'): string =>
  scenarioYaml({ ...found, about: `${id} is broken: ${message}`, invariants: name });

/**
 * Returns the shortest part of a list that still breaks what the whole list breaks. It removes halves first, then
 * ever smaller pieces, at last single items.
 * @param breaks - returns whether a shorter list still does.
 */
export async function shrink<T>(
  items: readonly T[],
  breaks: (items: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = items;
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length;) {
      const shorter = [...kept.slice(0, at), ...kept.slice(at + size)];
      if (shorter.length > 0 && (await breaks(shorter))) kept = shorter;
      else at += size;
    }
  }
  return kept;
}
