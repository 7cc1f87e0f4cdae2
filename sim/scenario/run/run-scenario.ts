/** The runner: runs each case of a scenario in a separate world. */
import type { Place } from '../../format/source.ts';
import type { Scenario, Step, WorldName } from '../format/tree.ts';
import type { TimerLengths, TraceEvent } from '../../../src/trace/events.ts';
import { proveClaims } from '../trace/evidence.ts';
import { casesOf, claimsOf, lengthsOf, type ScenarioCase, scenarioInCase, timersIn } from './cases.ts';
import { type Lateness, latenessText } from './lateness.ts';
import { violationsOf } from '../invariants/aftermath.ts';
import { PromiseWorld } from '../invariants/promises.ts';
import { isCrash } from '../invariants/crash.ts';
import { endStory, signedInDevices, STORY_INVARIANTS, valuesAfter } from '../invariants/story-invariants.ts';
import { type Check, modelOf, settleModel } from '../explore/models.ts';
import { StepFailure } from './step.ts';
import { Story } from './story.ts';
import { takeStep } from './take-step.ts';
import { NotInThisWorld, type ScenarioTimers, type ScenarioWorld } from './world.ts';

export interface CaseFailure {
  /** The place of the step. Absent if no step failed. */
  readonly place?: Place;
  /** The expected value, and the nearest actual one. */
  readonly message: string;
}

/** The result of one case of a scenario. */
export interface CaseResult {
  readonly scenario: string;
  /** The name of the case, or its values in words. Absent if the scenario has no cases. */
  readonly case?: string;
  readonly file: string;
  readonly seed: number;
  /** `inconclusive`: it failed after the runner had been late. Another machine may get another verdict. */
  readonly state: 'passed' | 'failed' | 'inconclusive' | 'skipped';
  /** Why it failed. For an inconclusive case also what was late. */
  readonly failure?: CaseFailure;
  /** What the runner did too late, also for a case that passed. */
  readonly late?: Lateness;
  /** Why the case was skipped. */
  readonly skipped?: string;
  /** The failures before it passed: the case is flaky. */
  readonly flaky?: readonly CaseFailure[];
  /** The requirements that the trace shows. Empty if the case failed. */
  readonly proves: readonly string[];
  readonly wallMs: number;
  readonly simulatedMs: number;
  readonly messages: number;
  /** Absent if nothing was run. */
  readonly timers?: TimerLengths;
  readonly trace: readonly TraceEvent[];
}

export interface RunOptions {
  /** Replaces the scenario's seed. */
  readonly seed?: number | undefined;
  /** The kind of world: scenarios may set other timers there. */
  readonly name: WorldName;
  readonly world: (scenario: Scenario, seed: number, timers: ScenarioTimers) => Promise<ScenarioWorld>;
  /** Milliseconds that pass after the last step, so that the trace contains its effects. Default: none. */
  readonly afterMs?: number;
  /** Returns milliseconds of a monotonic clock. */
  readonly stopwatch: () => number;
}

/** How long the end of a case waits for the answers of its actions, in the time of the world. Milliseconds. */
const ANSWERED_MS = 5_000;
/** The same on the wall clock, where a user waits. Milliseconds. */
const ANSWERED_REAL_MS = 1_000;

/** Runs every case, one after another. Never rejects: a failure is part of the result. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const one of casesOf(scenario)) results.push(await runCase(scenario, one, options));
  return results;
}

/** Runs one case. Never rejects. */
export async function runCase(
  scenario: Scenario,
  one: ScenarioCase,
  { seed = scenario.seed, name, world: makeWorld, afterMs = 0, stopwatch }: RunOptions,
): Promise<CaseResult> {
  const began = stopwatch();
  let world: ScenarioWorld | undefined;
  let story: Story | undefined;
  let failure: CaseFailure | undefined;
  let skipped: string | undefined;
  let lengths: TimerLengths | undefined;
  /** The check of the invariants. Undefined when they are not checked. */
  let check: Check | undefined;
  try {
    const timers = timersIn(name, scenario, one);
    lengths = lengthsOf(timers);
    const told = scenarioInCase(scenario, one);
    if (scenario.invariants && name !== 'virtual') throw new NotInThisWorld('invariants are checked in virtual time');
    const made = await makeWorld(told, seed, timers);
    const asked = scenario.invariants ? new PromiseWorld(made) : undefined;
    world = asked ?? made;
    story = new Story(world, { case: one.values, timers });
    const model = typeof told.invariants === 'string' ? modelOf(told.invariants, told.nodes) : undefined;
    for (const [at, step] of told.steps.entries()) {
      try {
        await takeStep(step, story, at + 1);
      } catch (error) {
        if (!model || !isPermitted(step, error)) throw error;
      }
    }
    if (afterMs > 0) await story.until(() => false, afterMs);
    if (asked) check = await (model ? settleModel(model, story, told, asked) : settleStory(story, told, asked));
    else await story.answered(name === 'virtual' || name === 'scaled' ? ANSWERED_MS : ANSWERED_REAL_MS);
  } catch (error) {
    if (error instanceof NotInThisWorld) skipped = error.message;
    else failure = failureOf(error);
  }
  const simulatedMs = world?.now ?? 0;
  const leftovers = world ? await world.close().catch((error: unknown) => [String(error)]) : [];
  const trace = world?.trace ?? [];
  const { proven, unproven } = proveClaims(claimsOf(scenario, one), trace, (ms) => world?.tolerance(ms) ?? 0);
  const broken = check?.({ trace, leftovers }) ?? [];
  if (broken.length > 0 && !failure)
    failure = { message: broken.map(({ id, message }) => `${id} is broken: ${message}`).join('; ') };
  if (skipped === undefined && !failure && leftovers.length > 0)
    failure = { message: `left over at the end: ${leftovers.join('; ')}` };
  if (skipped === undefined && !failure && unproven.length > 0) {
    failure = { message: `the trace does not show what the scenario claims: ${unproven.join(', ')}` };
  }
  const head = headOf(scenario, one, seed);
  const wallMs = stopwatch() - began;
  if (skipped !== undefined) return { ...head, ...NOTHING_HAPPENED, state: 'skipped', skipped, wallMs };
  const late = story?.late;
  return {
    ...head,
    ...verdictOf(failure, late),
    ...(late ? { late } : {}),
    proves: failure ? [] : proven,
    wallMs,
    simulatedMs,
    messages: trace.filter(({ kind }) => kind === 'message').length,
    ...(lengths ? { timers: lengths } : {}),
    trace,
  };
}

/**
 * Returns whether a random story goes on after this error, as in the search: an action was refused, now or by a later
 * answer. An `expect`, a `see`, a `never` and an expected refusal count.
 */
function isPermitted(step: Step, error: unknown): boolean {
  if (isCrash(error) || !(error instanceof StepFailure)) return false;
  return error.cause !== undefined || (step.verb === 'do' && step.fails === undefined);
}

/** Ends the story of a scenario. Returns the check of the invariants of any story. */
async function settleStory(story: Story, scenario: Scenario, world: PromiseWorld): Promise<Check> {
  const devices = signedInDevices(scenario, world);
  await endStory(story, devices);
  const read = valuesAfter(world, devices);
  return (left) => violationsOf({ ...left, devices, promises: world.promises, read }, STORY_INVARIANTS);
}

/** Returns the verdict on a case. A failure after the runner was late is inconclusive. */
export function verdictOf(
  failure: CaseFailure | undefined,
  late: Lateness | undefined,
): Pick<CaseResult, 'state' | 'failure'> {
  if (!failure) return { state: 'passed' };
  if (!late) return { state: 'failed', failure };
  return {
    state: 'inconclusive',
    failure: { ...failure, message: `inconclusive: ${latenessText(late)}\n${failure.message}` },
  };
}

const NOTHING_HAPPENED = { proves: [], simulatedMs: 0, messages: 0, trace: [] } as const;

const headOf = (scenario: Scenario, { name }: ScenarioCase, seed: number) => ({
  scenario: scenario.scenario,
  ...(name === undefined ? {} : { case: name }),
  file: scenario.file,
  seed,
});

/** Returns the result of a case that was not run. It includes the reason. */
export function skippedCase(
  scenario: Scenario,
  one: ScenarioCase,
  { seed = scenario.seed, why }: { readonly seed?: number | undefined; readonly why: string },
): CaseResult {
  return { ...headOf(scenario, one, seed), ...NOTHING_HAPPENED, state: 'skipped', skipped: why, wallMs: 0 };
}

/** Returns the result of a case whose runner died. */
export function lostCase(
  scenario: Scenario,
  one: ScenarioCase,
  {
    seed = scenario.seed,
    why,
    wallMs,
  }: { readonly seed?: number | undefined; readonly why: string; readonly wallMs: number },
): CaseResult {
  return { ...headOf(scenario, one, seed), ...NOTHING_HAPPENED, state: 'failed', failure: { message: why }, wallMs };
}

function failureOf(error: unknown): CaseFailure {
  if (error instanceof StepFailure) return { place: error.place, message: error.message };
  return { message: error instanceof Error ? error.message : String(error) };
}
