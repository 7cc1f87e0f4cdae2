/** Measures the speed of scenarios in virtual time: cases per second on one core, for all scenarios of the package. */
import { nodeClock } from '../../sim/server/node-ports.ts';
import { findScenarios } from '../../cli/scenarios/find-scenarios.ts';
import { runSuite, SUITE_DEFAULTS } from '../../cli/scenarios/run-suite.ts';
import { printTable } from './print-table.ts';

const ROUNDS = 5;
const { scenarios } = await findScenarios([]);
const options = {
  ...SUITE_DEFAULTS,
  trace: 'off',
  out: '.results/traces',
  clock: nodeClock,
  signal: new AbortController().signal,
} as const;
const rows: string[][] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  const { results, wallMs, simulatedMs } = await runSuite(scenarios, options, { ended: () => undefined });
  rows.push([
    `round ${round}`,
    String(results.length),
    `${(wallMs / 1_000).toFixed(2)} s`,
    `${((results.length / wallMs) * 1_000).toFixed(0)} a second`,
    `${(simulatedMs / wallMs).toFixed(0)} times real time`,
  ]);
}
printTable(['one core', 'cases', 'wall', 'cases', 'simulated'], rows);
