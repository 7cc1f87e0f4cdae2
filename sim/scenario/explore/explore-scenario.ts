/**
 * Searches for faults that break a scenario of a user. It keeps the steps, draws faults between them, and plays the
 * story to its end. A step that the faults prevent is no failure: a `never` and the invariants decide.
 */
import { CallError } from '../../../src/protocol/errors.ts';
import { spanText } from '../../format/duration.ts';
import { hasRooms } from '../format/needs.ts';
import { deviceNames } from '../format/read-scenario.ts';
import type { Scenario, Step } from '../format/tree.ts';
import { type ScenarioCase, scenarioInCase, timersIn } from '../run/cases.ts';
import { StepFailure, type StepOf } from '../run/step.ts';
import { Story } from '../run/story.ts';
import { takeStep } from '../run/take-step.ts';
import { virtualWorld } from '../virtual/virtual-world.ts';
import { type Violation, violationsOf } from '../invariants/aftermath.ts';
import { isCrash } from '../invariants/crash.ts';
import { drawFrom, PLACE } from './draw.ts';
import { drawCallFault, LASTING } from './draw-call.ts';
import { drawRoomFault } from './draw-room.ts';
import { shrink } from './explore.ts';
import { PromiseWorld } from '../invariants/promises.ts';
import { endStory, signedInDevices, STORY_INVARIANTS, valuesAfter } from '../invariants/story-invariants.ts';

/** The most faults of a story. */
const MOST_FAULTS = 4;
type FaultStep = StepOf<'fault'>;
/** A fault before a step of the scenario: 0 is the first one. */
interface PlacedFault {
  readonly before: number;
  readonly step: FaultStep;
}

export interface FoundFaults {
  /** The seed of the faults. */
  readonly seed: number;
  readonly violation: Violation;
  /** The scenario with the fewest faults that break the same. It repeats the story. */
  readonly scenario: Scenario;
  readonly drawnFaults: number;
  readonly faults: number;
}

export interface ExploredScenario {
  readonly seeds: number;
  readonly events: number;
  readonly found: readonly FoundFaults[];
}

export interface FaultSearch {
  readonly firstSeed: number;
  readonly seeds: number;
  /** Stops after this many broken stories. */
  readonly most: number;
  readonly played?: (done: number) => void;
  readonly interrupted?: () => boolean;
}

/** Plays a case with the faults of each seed. A case that breaks without faults is found once, without a search. */
export async function exploreScenario(
  scenario: Scenario,
  one: ScenarioCase,
  { firstSeed, seeds, most, played, interrupted }: FaultSearch,
): Promise<ExploredScenario> {
  const plain = await play(scenario, one, []);
  const [already] = plain.violations;
  if (already) {
    const found = { seed: scenario.seed, violation: already, drawnFaults: 0, faults: 0 };
    return { seeds: 0, events: plain.events, found: [{ ...found, scenario: written(scenario, one, already, plain) }] };
  }
  const found: FoundFaults[] = [];
  let [events, done] = [plain.events, 0];
  for (let seed = firstSeed; seed < firstSeed + seeds && found.length < most && !interrupted?.(); seed += 1) {
    const drawn = drawFaults(scenario, seed);
    const outcome = await play(scenario, one, drawn);
    events += outcome.events;
    const [violation] = outcome.violations;
    if (violation) {
      const breaks = async (faults: readonly PlacedFault[]) => isBroken(await play(scenario, one, faults), violation);
      const faults = await shrink(drawn, breaks);
      const shortest = await play(scenario, one, faults);
      const text = written(scenario, one, shortest.violations.find(isSame(violation)) ?? violation, shortest);
      found.push({ seed, violation, scenario: text, drawnFaults: drawn.length, faults: faults.length });
    }
    done += 1;
    played?.(done);
  }
  return { seeds: done, events, found };
}

const isSame = (one: Violation) => (other: Violation) => one.id === other.id;
const isBroken = ({ violations }: Played, violation: Violation) => violations.some(isSame(violation));

/** Returns the faults of a seed, in the order of their steps. */
function drawFaults(scenario: Scenario, seed: number): PlacedFault[] {
  const draw = drawFrom(seed);
  const devices = deviceNames(scenario.actors).filter((name) => !scenario.actors[name]?.devices);
  const drawFault = hasRooms(scenario) ? drawRoomFault : drawCallFault;
  return Array.from({ length: 1 + Math.floor(draw.random() * MOST_FAULTS) }, (): PlacedFault => {
    const before = Math.floor(draw.random() * (scenario.steps.length + 1));
    const fault = drawFault(draw, devices);
    return { before, step: { verb: 'fault', fault, until: draw.pick(LASTING), place: PLACE } };
  }).toSorted((one, other) => one.before - other.before);
}

interface Played {
  readonly violations: readonly Violation[];
  readonly events: number;
  /** The steps with the faults. A step that failed is written as it happened. */
  readonly steps: readonly Step[];
}

async function play(scenario: Scenario, one: ScenarioCase, faults: readonly PlacedFault[]): Promise<Played> {
  const told = scenarioInCase(scenario, one);
  const timers = timersIn('virtual', scenario, one);
  const world = new PromiseWorld(await virtualWorld(told, scenario.seed, timers));
  const story = new Story(world, { case: one.values, timers });
  const refused = story.refusals.permitAll();
  const steps = withFaults(told.steps, faults);
  const happened: Step[] = [];
  const violations: Violation[] = [];
  for (const [at, step] of steps.entries()) {
    const began = world.now;
    try {
      await takeStep(step, story, at + 1);
      happened.push(step);
    } catch (error) {
      const broken = brokenBy(error, steps);
      if (broken) violations.push(broken);
      happened.push(...(broken ? [step] : asHappened(step, error, world.now - began)));
      if (broken) break;
    }
  }
  story.faults.clearAll();
  const devices = signedInDevices(scenario, world);
  if (violations.length === 0) violations.push(...(await settle(story, devices, steps)));
  const read = valuesAfter(world, devices);
  const trace = [...world.trace];
  const leftovers = await world.close();
  const after = { trace, devices, promises: world.promises, leftovers, read };
  // A story that a `never` has ended is not over: its calls are live.
  if (violations.length === 0) violations.push(...violationsOf(after, STORY_INVARIANTS));
  // The action whose refusal came later.
  const asRefused = (step: Step): Step => (refused.has(step) ? ({ ...step, waits: false } as Step) : step);
  return { violations, events: trace.length, steps: happened.map(asRefused) };
}

const withFaults = (steps: readonly Step[], faults: readonly PlacedFault[]): Step[] =>
  [...steps, undefined].flatMap((step, at) => [
    ...faults.filter(({ before }) => before === at).map((fault) => fault.step),
    ...(step ? [step] : []),
  ]);

/** Returns the `never` or the crash that an error reports. Undefined for a step that the faults prevented. */
function brokenBy(error: unknown, steps: readonly Step[]): Violation | undefined {
  if (error instanceof StepFailure && steps.some(({ verb, place }) => verb === 'never' && place === error.place))
    return { id: 'never', message: `${error.place.file}:${error.place.line}: ${error.message}` };
  return isCrash(error) ? { id: 'I23', message: String(error) } : undefined;
}

/** Returns a step that failed as one that passes in the same story: a refusal with its code, an `expect` as a wait. */
function asHappened(step: Step, error: unknown, elapsedMs: number): Step[] {
  const waited: Step[] = elapsedMs > 0 ? [{ verb: 'wait', wait: spanText(elapsedMs), place: step.place }] : [];
  if (step.verb !== 'do' || !(error instanceof StepFailure)) return waited;
  const { fails: _, ...others } = step;
  if (error.cause instanceof CallError) return [{ ...others, fails: error.cause.code }];
  // It had no effect, or succeeded against the expectation.
  return error.cause === undefined ? [{ ...others, idle: true }] : waited;
}

/** Ends the story. Returns the `never` that was broken meanwhile. */
async function settle(story: Story, devices: readonly string[], steps: readonly Step[]): Promise<Violation[]> {
  try {
    await endStory(story, devices);
    return [];
  } catch (error) {
    const broken = brokenBy(error, steps);
    if (!broken) throw error;
    return [broken];
  }
}

/** Returns the story as a scenario of one case, whose run checks the invariants too. */
function written(scenario: Scenario, one: ScenarioCase, { id, message }: Violation, { steps }: Played): Scenario {
  return {
    ...scenario,
    about: `${id === 'never' ? '' : `${id} is broken: `}${message}`,
    // The faults may hide what the scenario shows.
    spec: [],
    tags: [...new Set([...scenario.tags, 'found'])],
    ...(scenario.cases ? { cases: [one.values] } : {}),
    invariants: true,
    steps,
  };
}
