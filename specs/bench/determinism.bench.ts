/** Runs every scenario of the package repeatedly with one seed. All runs must give one hash. */
import { nodeClock } from '../../sim/server/node-ports.ts';
import { createHash } from 'node:crypto';
import { traceText } from '../../cli/scenarios/keep-trace.ts';
import { findScenarios } from '../../cli/scenarios/find-scenarios.ts';
import { runSuite, SUITE_DEFAULTS } from '../../cli/scenarios/run-suite.ts';
import { printTable } from './print-table.ts';

const RUNS = Number(process.env['RUNS'] ?? 100);
const SEED = 1;

const { scenarios } = await findScenarios([]);
const hashes = new Map<string, number>();
const began = performance.now();
let cases = 0;
for (let run = 0; run < RUNS; run += 1) {
  const { results } = await runSuite(
    scenarios,
    {
      ...SUITE_DEFAULTS,
      seed: SEED,
      trace: 'off',
      out: '.results/traces',
      clock: nodeClock,
      signal: new AbortController().signal,
    },
    { ended: () => undefined },
  );
  const hash = createHash('sha256');
  for (const result of results) hash.update(`${result.scenario} ${result.case ?? ''}\n${traceText(result)}`);
  const digest = hash.digest('hex');
  hashes.set(digest, (hashes.get(digest) ?? 0) + 1);
  cases = results.length;
}
const seconds = (performance.now() - began) / 1_000;
printTable(
  ['hash of all traces', 'runs', 'cases a run', 'wall'],
  [...hashes].map(([digest, runs]) => [digest.slice(0, 16), String(runs), String(cases), `${seconds.toFixed(0)} s`]),
);
if (hashes.size !== 1) {
  console.error(`${hashes.size} different hashes: what happens does not follow from the seed`);
  process.exitCode = 1;
}
