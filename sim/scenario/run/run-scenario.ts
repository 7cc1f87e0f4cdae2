/** Runs the cases of a scenario, each in a world of its own. */
import type { Place, Scenario, WorldName } from '../format/tree.ts';
import type { TimerLengths, TraceEvent } from '../trace/trace.ts';
import { proveClaims } from '../trace/evidence.ts';
import { casesOf, claimsOf, lengthsOf, type ScenarioCase, timersIn } from './cases.ts';
import { type Lateness, latenessText } from './lateness.ts';
import { StepFailure } from './step-failure.ts';
import { Story } from './story.ts';
import { takeStep } from './take-step.ts';
import { NotInThisWorld, type ScenarioTimers, type ScenarioWorld } from './world.ts';

export interface CaseFailure {
  /** Where the step stands; absent where no step is to blame. */
  readonly place?: Place;
  /** What was expected, and what came nearest. */
  readonly message: string;
}

/** What became of one case of a scenario. */
export interface CaseResult {
  readonly scenario: string;
  /** The case's values in words; absent where the scenario has none. */
  readonly case?: string;
  readonly file: string;
  readonly seed: number;
  /** `inconclusive` where it failed after the runner had been late: another machine may come to another verdict. */
  readonly state: 'passed' | 'failed' | 'inconclusive' | 'skipped';
  /** Why it failed; of a case without a verdict, also what was late. */
  readonly failure?: CaseFailure;
  /** What the runner did too late; also where the case passed in spite of it. */
  readonly late?: Lateness;
  /** Why the case was skipped. */
  readonly skipped?: string;
  /** How it failed before it passed: it is flaky. */
  readonly flaky?: readonly CaseFailure[];
  /** The requirements the trace shows; empty where the case failed. */
  readonly proves: readonly string[];
  readonly wallMs: number;
  readonly simulatedMs: number;
  readonly messages: number;
  /** Absent where nothing was run. */
  readonly timers?: TimerLengths;
  readonly trace: readonly TraceEvent[];
}

export interface RunOptions {
  /** In place of the scenario's own seed. */
  readonly seed?: number | undefined;
  /** Which world it is: scenarios may set other timers there. */
  readonly name: WorldName;
  readonly world: (scenario: Scenario, seed: number, timers: ScenarioTimers) => Promise<ScenarioWorld>;
  /** Lets so much time pass after the last step, milliseconds, so that the trace holds what it led to. Default none. */
  readonly afterMs?: number;
  /** Reads a monotonic clock, milliseconds. */
  readonly stopwatch: () => number;
}

/** Runs every case, one after another. Never rejects: what goes wrong is the result. */
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
  try {
    const timers = timersIn(name, scenario, one);
    lengths = lengthsOf(timers);
    world = await makeWorld(scenario, seed, timers);
    story = new Story(world, { case: one.values, timers });
    for (const [at, step] of scenario.steps.entries()) await takeStep(step, story, at + 1);
    if (afterMs > 0) await story.until(() => false, afterMs);
  } catch (error) {
    if (error instanceof NotInThisWorld) skipped = error.message;
    else failure = failureOf(error);
  }
  const simulatedMs = world?.now ?? 0;
  const leftovers = world ? await world.close().catch((error: unknown) => [String(error)]) : [];
  const trace = world?.trace ?? [];
  const { proven, unproven } = proveClaims(claimsOf(scenario, one), trace, (ms) => world?.tolerance(ms) ?? 0);
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

/** The verdict on a case: nothing is proven against it once the runner was late. */
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

/** The result of a case that was not run, and why. */
export function skippedCase(
  scenario: Scenario,
  one: ScenarioCase,
  { seed = scenario.seed, why }: { readonly seed?: number | undefined; readonly why: string },
): CaseResult {
  return { ...headOf(scenario, one, seed), ...NOTHING_HAPPENED, state: 'skipped', skipped: why, wallMs: 0 };
}

/** The result of a case whose run was lost with whoever ran it. */
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
