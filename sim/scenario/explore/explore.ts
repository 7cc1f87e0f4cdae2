/** Runs generated scenarios and searches for one that breaks an invariant. Makes it as short as possible. */
import { CallError } from '../../../src/protocol/errors.ts';
import { deviceNames } from '../format/read-scenario.ts';
import { StepFailure } from '../run/step.ts';
import { Story } from '../run/story.ts';
import { takeStep } from '../run/take-step.ts';
import { ActionImpossible } from '../run/world.ts';
import { virtualWorld } from '../virtual/virtual-world.ts';
import { drawScenario } from './draw-scenario.ts';
import { violationsOf, type Violation } from './invariants.ts';
import { PromiseWorld } from './promises.ts';
import type { Scenario, Step } from '../format/tree.ts';
import { scenarioYaml } from '../format/write-scenario.ts';

/** After this time every limit of a call is over: ringing, connecting, silence, grace. Milliseconds. */
const AFTERWARDS_MS = 200_000;
/** The time in which a call ends on both sides when one hangs up. Milliseconds. */
const PARTING_MS = 10_000;

export interface Played {
  readonly violations: readonly Violation[];
  /** Steps that were refused and so had no effect. */
  readonly refused: ReadonlySet<Step>;
  readonly events: number;
  /** The moves of the call machine that occurred, `from -> to`. */
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
export async function play(scenario: Scenario): Promise<Played> {
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
  await world.until(() => false, AFTERWARDS_MS);
  const devices = deviceNames(scenario.actors).filter((name) => world.read(`${name}.user`) !== undefined);
  const [caller = '', ...callees] = devices.filter((name) => world.read(`${name}.calls`) !== 0);
  if ((caller === 'alice') !== callees.length > 0) {
    violations.push({
      id: 'I9',
      message: `of the two sides only ${[caller, ...callees].join(' and ')} still has the call`,
    });
  }
  // The caller ends a call that is still live.
  if (caller !== '') void world.act(caller, 'end', {});
  await world.until(() => false, PARTING_MS);
  const seen = new Map<string, unknown>();
  for (const path of devices.flatMap((device) =>
    ['sound', 'call.result', 'call.duration', 'call.startedAt', 'call.endedAt'].map((what) => `${device}.${what}`),
  ))
    seen.set(path, world.read(path));
  seen.set('server.calls', world.read('server.calls'));
  const trace = [...world.trace];
  const leftovers = await world.close();
  violations.push(
    ...violationsOf({ trace, devices, promises: world.promises, leftovers, read: (path) => seen.get(path) }),
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
  /** Stops after this many broken invariants. Default: 5. */
  readonly most?: number;
  readonly played?: (done: number) => void;
  readonly interrupted?: () => boolean;
}

/** Runs the scenarios of `seeds` seeds. */
export async function explore({ firstSeed, seeds, most = 5, played, interrupted }: ExploreOptions): Promise<Explored> {
  const found: Found[] = [];
  const moves = new Set<string>();
  let events = 0;
  let done = 0;
  for (let seed = firstSeed; seed < firstSeed + seeds && found.length < most && !interrupted?.(); seed += 1) {
    const scenario = drawScenario(seed);
    const outcome = await play(scenario);
    events += outcome.events;
    for (const move of outcome.moves) moves.add(move);
    const [violation] = outcome.violations;
    if (violation) {
      const stillBreaks = async (steps: readonly Step[]) =>
        (await play({ ...scenario, steps })).violations.some(({ id }) => id === violation.id);
      const steps = await shrink(scenario.steps, stillBreaks);
      found.push({ seed, violation, scenario: { ...scenario, steps }, drawnSteps: scenario.steps.length });
    }
    done += 1;
    played?.(done);
  }
  return { seeds: done, events, moves: [...moves].toSorted(), found };
}

/** The wait in which the invariant was broken. */
const AFTERWARDS: Step = { verb: 'wait', wait: '200s', place: { file: 'found', line: 1, column: 1 } };

/** Returns a found scenario as the text of a scenario file. */
export function scenarioText(found: Scenario, { id, message }: Violation): string {
  return scenarioYaml({ ...found, about: `${id} is broken: ${message}`, steps: [...found.steps, AFTERWARDS] });
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
