/** The action of `ringback explore`: draws stories or faults from seeds, plays them and saves what breaks an invariant. */
import { nodeClock } from '../../sim/server/node-ports.ts';
import { basename, join } from 'node:path';
import { explore as exploreSeeds, type Explored, scenarioText } from '../../sim/scenario/explore/explore.ts';
import { exploreScenario, type FoundFaults } from '../../sim/scenario/explore/explore-scenario.ts';
import type { ModelName } from '../../sim/scenario/explore/models.ts';
import { scenarioYaml } from '../../sim/scenario/format/write-scenario.ts';
import { freeName } from '../../sim/scenario/infer/recorded-users.ts';
import { casesOf, notRunIn } from '../../sim/scenario/run/cases.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { onInterrupt } from '../interrupt.ts';
import { processOutput } from '../process-output.ts';
import { printable } from '../reporters/printable.ts';
import { titleOf } from '../reporters/suite/suite-reporter.ts';
import { findScenarios } from '../scenarios/find-scenarios.ts';
import { NO_SCENARIO } from '../scenarios/narrow.ts';
import { makeOutputFolder, writeResult } from '../scenarios/output-files.ts';

export interface ExploreOptions {
  readonly model: ModelName;
  readonly nodes: number;
  readonly seeds: number;
  readonly first: number;
  readonly most: number;
  readonly save: string;
  readonly json?: boolean;
}

/** Draws whole stories. Returns the exit code. */
export async function explore({ model, nodes, seeds, first, most, save, json }: ExploreOptions): Promise<number> {
  const { out } = processOutput;
  makeOutputFolder(save);
  const began = nodeClock.now();
  const search = beginSearch(seeds);
  const explored = await exploreSeeds({
    model,
    nodes,
    firstSeed: first,
    seeds,
    most,
    interrupted: search.interrupted,
    played: search.played,
  });
  search.end();
  const files = keep(explored, save, model);
  if (json) out.write(`${JSON.stringify(asObject(explored, files))}\n`);
  else out.write(printable(asText(explored, files, { model, nodes, ms: nodeClock.now() - began })));
  if (search.interrupted()) return EXIT.interrupted;
  return explored.found.length > 0 ? EXIT.failed : EXIT.ok;
}

/** Draws faults for each case of the scenarios in files. Returns the exit code. */
export async function exploreFiles(
  files: readonly string[],
  { seeds, first, most, save, json }: ExploreOptions,
): Promise<number> {
  const { scenarios, faults } = await findScenarios(files);
  const [fault] = faults;
  if (fault) throw new CommandError(`${fault.file}:${fault.line}:${fault.column}: ${fault.message}`, EXIT.invalid);
  if (scenarios.length === 0) throw new CommandError(NO_SCENARIO, EXIT.usage);
  makeOutputFolder(save);
  const began = nodeClock.now();
  const search = beginSearch(seeds);
  const rows: FoundRow[] = [];
  const skipped: SkippedRow[] = [];
  let [events, stories] = [0, 0];
  for (const scenario of scenarios) {
    const why = notRunIn('virtual', scenario);
    if (why !== undefined) skipped.push({ scenario: scenario.scenario, why });
    for (const [at, one] of why === undefined ? casesOf(scenario).entries() : []) {
      const limits = { firstSeed: first, seeds, most: most - rows.length };
      if (limits.most <= 0 || search.interrupted()) continue;
      const explored = await exploreScenario(scenario, one, { ...limits, ...search });
      events += explored.events;
      stories += explored.seeds;
      const title = titleOf({ scenario: scenario.scenario, case: one.name });
      // Cases with similar names differ in their numbers.
      const words = `${scenario.scenario.replaceAll('/', '_').slice(0, 100)}${scenario.cases ? `-case${at + 1}` : ''}`;
      for (const found of explored.found) {
        const taken = new Set(rows.map(({ file }) => basename(file, '.yaml')));
        const name = freeName(`${words}-${found.faults === 0 ? 'without-faults' : found.seed}`, taken);
        rows.push(keepFaults(found, { title, name, folder: save }));
      }
    }
  }
  search.end();
  const counts = `${stories} stories, ${events} events, ${((nodeClock.now() - began) / 1_000).toFixed(1)} s`;
  const { out, err } = processOutput;
  if (json) out.write(`${JSON.stringify({ version: 1, stories, events, found: rows, skipped })}\n`);
  else
    out.write(`${[...skipped.map(skippedText), ...rows.map(foundText)].join('')}${counts} | ${rows.length} broken\n`);
  if (search.interrupted()) return EXIT.interrupted;
  if (rows.length > 0) return EXIT.failed;
  if (skipped.length === 0 || skipped.length < scenarios.length) return EXIT.ok;
  err.write('No story was played: every scenario was skipped.\n');
  return EXIT.incomplete;
}

/** A broken story, as it is printed. */
interface FoundRow {
  readonly title: string;
  readonly id: string;
  readonly message: string;
  readonly seed: number;
  readonly drawnFaults: number;
  readonly faults: number;
  readonly file: string;
}

/** A scenario that does not run in virtual time, with the reason of its file. */
interface SkippedRow {
  readonly scenario: string;
  readonly why: string;
}

/** Writes a story as the scenario of this name. */
function keepFaults(
  { seed, violation, scenario, drawnFaults, faults }: FoundFaults,
  { title, name, folder }: { readonly title: string; readonly name: string; readonly folder: string },
): FoundRow {
  const file = join(folder, `${name}.yaml`);
  writeResult(file, scenarioYaml({ ...scenario, scenario: `found/${name}` }));
  return { title, ...violation, seed, drawnFaults, faults, file };
}

function foundText({ title, id, message, seed, drawnFaults, faults, file }: FoundRow): string {
  const by =
    faults === 0 ? 'without any fault' : `by the faults of seed ${seed}, ${shortened(drawnFaults, faults, 'fault')}`;
  return printable(
    `${title}: ${id} is broken ${by}: ${message}\n    ringback run ${file} --trace on   plays it and keeps the trace\n`,
  );
}

/** Returns how many of the drawn parts are needed: `4 faults, of which 1 is needed`. */
function shortened(drawn: number, needed: number, what: string): string {
  const all = `${drawn} ${what}${drawn === 1 ? '' : 's'}`;
  return drawn === needed ? all : `${all}, of which ${needed} ${needed === 1 ? 'is' : 'are'} needed`;
}

const skippedText = ({ scenario, why }: SkippedRow): string => printable(`${scenario}: skipped, ${why}\n`);

/** A search: it shows its progress at a terminal, and ends at Ctrl-C. */
function beginSearch(seeds: number) {
  const { err } = processOutput;
  let isInterrupted = false;
  const undo = onInterrupt((count) => {
    isInterrupted = true;
    if (count > 1) process.exit(EXIT.interrupted);
  });
  return {
    interrupted: () => isInterrupted,
    played(done: number) {
      if (err.isTTY && done % 20 === 0) err.write(`\r\u001B[2K${done} of ${seeds}`);
    },
    end() {
      undo();
      if (err.isTTY) err.write('\r\u001B[2K');
    },
  };
}

function keep({ found }: Explored, folder: string, model: ModelName): string[] {
  return found.map(({ seed, scenario, violation }) => {
    const file = join(folder, `${violation.id}-${seed}.yaml`);
    writeResult(file, scenarioText(scenario, violation, model));
    return file;
  });
}

function asText(
  { seeds, events, moves, found }: Explored,
  files: readonly string[],
  { model, nodes, ms }: { readonly model: ModelName; readonly nodes: number; readonly ms: number },
): string {
  const kind = `${model === 'direct' ? '' : ` --model ${model}`}${nodes === 1 ? '' : ` --nodes ${nodes}`}`;
  const lines = found.flatMap(({ seed, violation, scenario, drawnSteps }, at) => [
    `${violation.id} is broken by seed ${seed}, ${shortened(drawnSteps, scenario.steps.length, 'step')}: ${violation.message}`,
    `    ringback explore${kind} --first ${seed} --seeds 1         searches again with this seed`,
    `    ringback run ${files[at] ?? ''} --trace on   plays it and keeps the trace for ringback trace`,
  ]);
  const counts = `${seeds} seeds, ${events} events, ${moves.length} kinds of moves, ${(ms / 1_000).toFixed(1)} s`;
  return `${[...lines, `${counts} | ${found.length} broken`].join('\n')}\n`;
}

const asObject = ({ found, ...explored }: Explored, files: readonly string[]) => ({
  version: 1,
  ...explored,
  found: found.map(({ seed, violation, scenario, drawnSteps }, at) => ({
    seed,
    ...violation,
    drawnSteps,
    steps: scenario.steps.length,
    file: files[at],
  })),
});
