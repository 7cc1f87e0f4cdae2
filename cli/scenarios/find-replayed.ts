/** What is to be replayed: the case of a kept trace, or one of a scenario. */
import { statSync } from 'node:fs';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import { casesOf, type ScenarioCase } from '../../sim/scenario/run/cases.ts';
import type { TraceEvent, TraceRun } from '../../sim/scenario/trace/trace.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { findScenarios } from './find-scenarios.ts';
import { openTrace } from './open-trace.ts';

export interface Replayable {
  readonly scenario: Scenario;
  readonly one: ScenarioCase;
  /** In place of the scenario's own. */
  readonly seed?: number;
  /** What happened the first time; absent where no trace was named. */
  readonly kept?: readonly TraceEvent[];
}

/**
 * Finds a case by a trace that was kept of it, or by the file or the name of its scenario.
 *
 * @param which - of several cases: the number, from 1, or the name.
 * @throws CommandError (usage, or invalid) where there is no such case.
 */
export async function findReplayed(named: string, which: string | undefined): Promise<Replayable> {
  if (named.endsWith('.ndjson')) return ofTrace(named, which);
  const scenario = isFile(named) ? await onlyOne(named) : await embedded(named);
  if (!scenario)
    throw usage(`There is no file and no scenario ${named}; ringback scenarios lists those that come with it.`);
  return { scenario, one: chosen(scenario, which) };
}

async function ofTrace(file: string, which: string | undefined): Promise<Replayable> {
  if (which !== undefined) throw usage(`A trace is of one case: ${which} is too much.`);
  const { run, events } = openTrace(file);
  if (!run) throw usage(`${file} does not say which run it is of: ringback run keeps traces that do.`);
  if (run.world !== 'virtual')
    throw usage(`${file} is of a run in the ${run.world} world: only what was run in virtual time happens twice.`);
  const scenario = await scenarioOf(run);
  if (!scenario) throw usage(`The scenario ${run.scenario} of ${file} is not at ${run.file} any more.`);
  const one = casesOf(scenario).find(({ name }) => name === run.case);
  if (!one) throw usage(`${scenario.file} has no case "${run.case ?? ''}" any more, which ${file} is of.`);
  return { scenario, one, seed: run.seed, kept: events };
}

/** By its file where it is still there, else by its name among those that come with the package. */
async function scenarioOf({ file, scenario }: TraceRun): Promise<Scenario | undefined> {
  const there = isFile(file) ? await onlyOne(file) : undefined;
  return there?.scenario === scenario ? there : embedded(scenario);
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

async function onlyOne(file: string): Promise<Scenario | undefined> {
  const { scenarios, faults } = await findScenarios([file]);
  const [fault] = faults;
  if (fault) throw new CommandError(`${fault.file}:${fault.line}:${fault.column}: ${fault.message}`, EXIT.invalid);
  return scenarios[0];
}

const embedded = async (name: string): Promise<Scenario | undefined> =>
  (await findScenarios([])).scenarios.find(({ scenario }) => scenario === name);

function chosen(scenario: Scenario, which: string | undefined): ScenarioCase {
  const cases = casesOf(scenario);
  const [only] = cases;
  if (which === undefined && only && cases.length === 1) return only;
  const found = cases.find(({ name }, at) => name === which || String(at + 1) === which);
  if (found) return found;
  if (!scenario.cases) throw usage(`${scenario.scenario} has no cases: leave ${which} out.`);
  const list = cases.map(({ name }, at) => `  ${at + 1}  ${name}`).join('\n');
  throw usage(`Which case of ${scenario.scenario}? By its number, or its name:\n${list}`);
}

const usage = (message: string): CommandError => new CommandError(message, EXIT.usage);
