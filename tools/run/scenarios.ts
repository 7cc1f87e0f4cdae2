/** Runs every scenario of the package twice, as a stage of `make test`. Each case is a test. */
import { nodeClock } from '../../sim/server/node-ports.ts';
import { readFileSync } from 'node:fs';
import { findScenarios } from '../../cli/scenarios/find-scenarios.ts';
import { runSuite, SUITE_DEFAULTS } from '../../cli/scenarios/run-suite.ts';
import { processOutput } from '../../cli/process-output.ts';
import { listReporter } from '../../cli/reporters/suite/list.ts';
import { nameOf, type SuiteReporter } from '../../cli/reporters/suite/suite-reporter.ts';
import type { CaseResult } from '../../sim/scenario/run/run-scenario.ts';
import { explore } from '../../sim/scenario/explore/explore.ts';
import type { ModelName } from '../../sim/scenario/explore/models.ts';
import { gapsOf, readFaultCatalogue } from './scenario-coverage.ts';
import { RESULTS_FILE_VARIABLE, type ResultLine, type TestResult, writeResults } from './results.ts';

/** The number of stories per run. `ringback explore --seeds 50000` draws more. */
const SEEDS = 1_000;
/** The number of stories of rooms per run: a story of a room takes several times as long. */
const ROOM_SEEDS = 200;
/** The number of stories per test, so that a slow machine shows progress. */
const SEEDS_OF_A_TEST = 100;

/** The tests of this file that are no case of a scenario. */
const OTHER_TESTS = 6 + (SEEDS + ROOM_SEEDS) / SEEDS_OF_A_TEST;

const path = process.env[RESULTS_FILE_VARIABLE];
const write = (lines: readonly ResultLine[]) => {
  if (path) writeResults(path, lines);
};

const resultOf = ({ file, failure, proves, wallMs, ...result }: CaseResult): TestResult => ({
  file,
  // The trace proves these requirements, like the title of any test.
  title: [...proves, nameOf(result)].join(' '),
  state: failure ? 'failed' : 'passed',
  ...(failure ? { reason: failure.message } : {}),
  ms: Math.round(wallMs),
});

/** Prints the cases like `ringback run`, and writes each result when it is known. */
const list = listReporter(processOutput);
const reporter: SuiteReporter = {
  began(total, world) {
    write([{ event: 'total', tests: total + OTHER_TESTS }]);
    list.began?.(total, world);
  },
  result(result, at) {
    write([resultOf(result)]);
    list.result?.(result, at);
  },
  ended: (summary) => list.ended(summary),
};

const { scenarios, faults } = await findScenarios([]);
const outcome = await runSuite(
  scenarios,
  {
    ...SUITE_DEFAULTS,
    checkDeterminism: true,
    trace: 'retain-on-failure',
    out: '.results/traces',
    clock: nodeClock,
    signal: new AbortController().signal,
  },
  reporter,
);

const results: TestResult[] = [
  ...faults.map(({ file, line, column, message }): TestResult => ({
    file,
    title: `${line}:${column}`,
    state: 'failed',
    reason: message,
  })),
  {
    file: 'fixtures/scenarios',
    title: 'two runs with one seed leave the same traces, byte by byte',
    state: outcome.unsteady.length === 0 ? 'passed' : 'failed',
    ...(outcome.unsteady.length === 0 ? {} : { reason: outcome.unsteady.join(', ') }),
  },
];
results.push({
  file: 'fixtures/scenarios',
  title: 'scenarios were found and run',
  state: outcome.passed > 0 ? 'passed' : 'failed',
  ...(outcome.passed > 0 ? {} : { reason: 'there is no scenario' }),
});

const gaps = gapsOf(
  scenarios,
  outcome.results.filter(({ state }) => state === 'passed'),
  readFaultCatalogue(readFileSync(new URL('../../specs/faults.yaml', import.meta.url), 'utf8')),
);
const allShown = (title: string, missing: readonly string[]): TestResult => ({
  file: 'fixtures/scenarios',
  title,
  state: missing.length === 0 ? 'passed' : 'failed',
  ...(missing.length === 0 ? {} : { reason: missing.join(', ') }),
});
results.push(
  allShown('RT-09 RT-10 RT-11 RT-12 every type of message goes over the wire in some scenario', gaps.messages),
  allShown('ENT-26 calls end in every way there is', gaps.results),
  allShown('every fault of specs/faults.yaml is injected by some scenario', gaps.faults),
  allShown('no scenario is tagged with a fault that is not there', gaps.strayFaults),
);

write(results);

let events = 0;
const drawn = (model: ModelName, seeds: number) =>
  Array.from({ length: seeds / SEEDS_OF_A_TEST }, (_, at) => ({ model, firstSeed: 1 + at * SEEDS_OF_A_TEST }));
for (const { model, firstSeed } of [...drawn('direct', SEEDS), ...drawn('room', ROOM_SEEDS)]) {
  const explored = await explore({ model, firstSeed, seeds: SEEDS_OF_A_TEST });
  events += explored.events;
  const reason = explored.found.map(({ seed, violation }) => `seed ${seed}: ${violation.id} ${violation.message}`);
  const result: TestResult = {
    file: 'sim/scenario/explore',
    title: `the ${model} stories drawn from seed ${firstSeed} to ${firstSeed + SEEDS_OF_A_TEST - 1} break no invariant`,
    state: reason.length === 0 ? 'passed' : 'failed',
    ...(reason.length === 0 ? {} : { reason: reason.join('; ') }),
  };
  write([result]);
  results.push(result);
}
const broken = results.filter(({ file, state }) => file === 'sim/scenario/explore' && state === 'failed').length;
console.log(
  `${SEEDS + ROOM_SEEDS} drawn stories, ${events} events, ${broken === 0 ? 'no invariant broken' : `${broken} tests failed`}`,
);

process.exitCode = outcome.failed > 0 || results.some(({ state }) => state === 'failed') ? 1 : 0;
