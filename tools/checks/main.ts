/** `npm run check`: runs every check, prints one line for each, and exits with 1 when any failed. */
import { RESULTS_FILE_VARIABLE, writeResults } from '../run/results.ts';
import { CHECKS } from './checks.ts';

const results = process.env[RESULTS_FILE_VARIABLE];
let failed = 0;

if (results) writeResults(results, [{ event: 'total', tests: CHECKS.length }]);
for (const { name, run } of CHECKS) {
  const place = { file: 'tools/checks', title: `check > ${name}` };
  if (results) writeResults(results, [{ event: 'start', ...place }]);
  const started = performance.now();
  const { faults, looked } = run();
  const ms = Math.round(performance.now() - started);
  const passed = faults.length === 0;
  console.log(`${passed ? 'passed' : 'FAILED'}  ${name.padEnd(12)} ${looked} (${(ms / 1000).toFixed(1)} s)`);
  for (const fault of faults) console.log(`        ${fault}`);
  if (!passed) failed += 1;
  if (results) {
    const reason = passed ? {} : { reason: faults[0] ?? '', details: faults.join('\n') };
    writeResults(results, [{ ...place, state: passed ? 'passed' : 'failed', ms, ...reason }]);
  }
}

if (failed > 0) console.log(`${failed} of ${CHECKS.length} checks failed`);
process.exitCode = failed > 0 ? 1 : 0;
