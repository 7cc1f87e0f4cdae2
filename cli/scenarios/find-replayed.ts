/** Finds the case to replay: that of a kept trace, or one of a scenario. */
import { statSync } from 'node:fs';
import { didYouMean } from '../../sim/format/near-word.ts';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import { casesOf, type ScenarioCase } from '../../sim/scenario/run/cases.ts';
import type { TraceEvent, TraceRun } from '../../src/trace/events.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { findScenarios } from './find-scenarios.ts';
import { isNamed, NO_SCENARIO } from './narrow.ts';
import { openTrace } from './open-trace.ts';

export interface Replayable {
  readonly scenario: Scenario;
  readonly one: ScenarioCase;
  /** The seed that replaces the seed of the scenario. */
  readonly seed?: number;
  /** The events of the first run. Absent without a trace. */
  readonly kept?: readonly TraceEvent[];
}

/**
 * Finds a case by its kept trace, or by the file or the name of its scenario.
 *
 * @param which - for a scenario with several cases: the number, from 1, or the name.
 * @throws CommandError (usage, or invalid) when the case does not exist.
 */
export async function findReplayed(named: string, which: string | undefined): Promise<Replayable> {
  if (named.endsWith('.ndjson')) return ofTrace(named, which);
  const scenario = isFile(named) ? await onlyOne(named) : await embedded(named);
  if (!scenario && isFile(named)) throw usage(NO_SCENARIO);
  if (!scenario) {
    const names = (await findScenarios([])).scenarios.map((one) => one.scenario);
    throw usage(
      `There is no file and no scenario ${named}${didYouMean(named, names)}. "ringback scenarios" lists the scenarios of the package.`,
    );
  }
  return { scenario, one: chosen(scenario, which) };
}

async function ofTrace(file: string, which: string | undefined): Promise<Replayable> {
  if (which !== undefined) throw usage(`A trace has one case: leave ${which} out.`);
  const { run, events } = openTrace(file);
  if (!run) throw usage(`${file} does not name its run. Use a trace that "ringback run" has kept.`);
  if (run.world !== 'virtual')
    throw usage(`${file} is a trace of the ${run.world} world. Only runs in virtual time can be replayed.`);
  const scenario = await scenarioOf(run);
  if (!scenario) throw usage(`The scenario ${run.scenario} of ${file} is no longer at ${run.file}.`);
  const one = casesOf(scenario).find(({ name }) => name === run.case);
  if (!one) throw usage(`${scenario.file} no longer has the case "${run.case ?? ''}" of ${file}.`);
  return { scenario, one, seed: run.seed, kept: events };
}

/** Finds a scenario by its file, or by its name among those of the package when the file is gone. */
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
  const found = cases.find((one, at) => which !== undefined && isNamed(one, at, which));
  if (found) return found;
  if (!scenario.cases) throw usage(`${scenario.scenario} has no cases: leave ${which} out.`);
  const list = cases.map(({ name }, at) => `  ${at + 1}  ${name}`).join('\n');
  const names = cases.flatMap(({ name }) => name ?? []);
  const unknown = which === undefined ? '' : `There is no case ${which}${didYouMean(which, names)}. `;
  throw usage(`${unknown}Which case of ${scenario.scenario}? Name its number or its name:\n${list}`);
}

const usage = (message: string): CommandError => new CommandError(message, EXIT.usage);
