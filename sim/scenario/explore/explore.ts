/** Runs generated scenarios and searches for one that breaks an invariant. Makes it as short as possible. */
import { CallError } from '../../../src/protocol/errors.ts';
import { spanText } from '../../format/duration.ts';
import { deviceNames } from '../format/read-scenario.ts';
import { StepFailure } from '../run/step.ts';
import { Story } from '../run/story.ts';
import { takeStep } from '../run/take-step.ts';
import { ActionImpossible } from '../run/world.ts';
import { virtualWorld } from '../virtual/virtual-world.ts';
import type { Violation } from '../invariants/aftermath.ts';
import { CALL_MODEL } from './call-model.ts';
import { clusterModel } from './cluster-model.ts';
import { PLACE } from './draw.ts';
import type { Model } from './model.ts';
import { PromiseWorld } from '../invariants/promises.ts';
import { ROOM_MODEL, roomClusterModel } from './room-model.ts';
import type { Scenario, Step } from '../format/tree.ts';
import { scenarioYaml } from '../format/write-scenario.ts';

/** The kinds of stories, by the word of `--model`. */
export const MODELS = { direct: CALL_MODEL, room: ROOM_MODEL } as const satisfies Readonly<Record<string, Model>>;
export type ModelName = keyof typeof MODELS;

const CLUSTER_MODELS: Readonly<Record<ModelName, (nodes: number) => Model>> = {
  direct: clusterModel,
  room: roomClusterModel,
};

/** Returns the stories of a kind, at an exchange with this number of nodes. */
const modelOf = (name: ModelName, nodes = 1): Model => (nodes > 1 ? CLUSTER_MODELS[name](nodes) : MODELS[name]);

export interface Played {
  readonly violations: readonly Violation[];
  /** Steps that were refused and so had no effect. */
  readonly refused: ReadonlySet<Step>;
  readonly events: number;
  /** The moves of the state machines that occurred, `call from -> to`. */
  readonly moves: readonly string[];
}

/**
 * Returns whether the error is more than a refusal. A refusal has a code. An action that cannot be tried is no fault
 * of the library.
 */
export function isCrash(error: unknown): boolean {
  if (!(error instanceof StepFailure)) return true;
  const { cause } = error;
  if (cause === undefined || cause instanceof ActionImpossible) return false;
  return !(cause instanceof CallError);
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
  story.faults.clearAll();
  const devices = deviceNames(scenario.actors).filter((name) => world.read(`${name}.user`) !== undefined);
  violations.push(...(await model.settle(world, devices)));
  const paths = devices.flatMap((device) => model.values.map((what) => `${device}.${what}`));
  const seen = new Map([...paths, ...model.serverValues].map((path) => [path, world.read(path)]));
  const trace = [...world.trace];
  const leftovers = await world.close();
  violations.push(
    ...model.check({ trace, devices, promises: world.promises, leftovers, read: (path) => seen.get(path) }),
  );
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

/** Returns a found scenario as the text of a scenario file. It ends with the wait in which the invariant was broken. */
export function scenarioText(found: Scenario, { id, message }: Violation, name: ModelName = 'direct'): string {
  const wait: Step = { verb: 'wait', wait: spanText(MODELS[name].afterwardsMs), place: PLACE };
  return scenarioYaml({ ...found, about: `${id} is broken: ${message}`, steps: [...found.steps, wait] });
}

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
