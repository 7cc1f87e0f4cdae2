/** Runs the cases of a scenario, each in a world of its own. */
import { TIMES } from '../../../src/protocol/limits.ts';
import type { Place, Scenario } from '../format/tree.ts';
import type { TraceEvent } from '../trace/trace.ts';
import { proveClaims } from '../trace/evidence.ts';
import { StepFailure } from './step-failure.ts';
import { Story } from './story.ts';
import { takeStep } from './take-step.ts';
import { fillIn, show } from './values.ts';
import type { ScenarioTimers, ScenarioWorld } from './world.ts';

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
  readonly state: 'passed' | 'failed';
  readonly failure?: CaseFailure;
  /** The requirements the trace shows; empty where the case failed. */
  readonly proves: readonly string[];
  readonly wallMs: number;
  readonly simulatedMs: number;
  readonly messages: number;
  readonly trace: readonly TraceEvent[];
}

const DEFAULT_TIMERS = { ring: `${TIMES.ringingTimeoutMs}ms`, connection: `${TIMES.connectionTimeoutMs}ms` };

export interface RunOptions {
  /** In place of the scenario's own seed. */
  readonly seed?: number | undefined;
  readonly world: (scenario: Scenario, seed: number, timers: ScenarioTimers) => Promise<ScenarioWorld>;
  /** Reads a monotonic clock, milliseconds. */
  readonly stopwatch: () => number;
}

/** The cases of a scenario: one without values where it has none. */
function casesOf(
  scenario: Scenario,
): readonly { readonly name?: string; readonly values: Readonly<Record<string, unknown>> }[] {
  if (!scenario.cases) return [{ values: {} }];
  return scenario.cases.map((values) => ({
    name: Object.entries(values)
      .map(([key, value]) => `${key} ${show(value)}`)
      .join(', '),
    values,
  }));
}

/** Runs every case, one after another. Never rejects: what goes wrong is the result. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const one of casesOf(scenario)) results.push(await runCase(scenario, one, options));
  return results;
}

async function runCase(
  scenario: Scenario,
  { name, values }: ReturnType<typeof casesOf>[number],
  { seed = scenario.seed, world: makeWorld, stopwatch }: RunOptions,
): Promise<CaseResult> {
  const began = stopwatch();
  let world: ScenarioWorld | undefined;
  let failure: CaseFailure | undefined;
  try {
    const timers = { ...DEFAULT_TIMERS, ...(fillIn(scenario.timers, { case: values }) as ScenarioTimers) };
    world = await makeWorld(scenario, seed, timers);
    const story = new Story(world, { case: values, timers });
    for (const step of scenario.steps) await takeStep(step, story);
  } catch (error) {
    failure = failureOf(error);
  }
  const simulatedMs = world?.now ?? 0;
  const leftovers = world ? await world.close().catch((error: unknown) => [String(error)]) : [];
  if (!failure && leftovers.length > 0) failure = { message: `left over at the end: ${leftovers.join('; ')}` };
  const trace = world?.trace ?? [];
  const { proven, unproven } = proveClaims(scenario.spec, trace);
  if (!failure && unproven.length > 0) {
    failure = { message: `the trace does not show what the scenario claims: ${unproven.join(', ')}` };
  }
  return {
    scenario: scenario.scenario,
    ...(name === undefined ? {} : { case: name }),
    file: scenario.file,
    seed,
    state: failure ? 'failed' : 'passed',
    ...(failure ? { failure } : {}),
    proves: failure ? [] : proven,
    wallMs: stopwatch() - began,
    simulatedMs,
    messages: trace.filter(({ kind }) => kind === 'message').length,
    trace,
  };
}

function failureOf(error: unknown): CaseFailure {
  if (error instanceof StepFailure) return { place: error.place, message: error.message };
  return { message: error instanceof Error ? error.message : String(error) };
}
