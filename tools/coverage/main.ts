/**
 * `npm run coverage:spec`: lists the requirements that the last `make test` proved. It reads test results, never
 * sources.
 *
 *   -- --json       one object on standard output, and nothing else
 *   -- --missing    list only what is missing
 *   -- --summary    list only the totals
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readAllResults } from '../run/results.ts';
import { prove, strayIds } from './proof.ts';
import { reportLines } from './report.ts';
import { readRequirements } from './requirements.ts';

const NO_RESULTS = 2;

function main(): number {
  const { values } = parseArgs({
    options: { json: { type: 'boolean' }, missing: { type: 'boolean' }, summary: { type: 'boolean' } },
  });
  const results = readAllResults();
  if (!results) {
    console.error('there are no test results to read: run make test first');
    return NO_RESULTS;
  }
  const requirements = readRequirements(
    readFileSync(new URL('../../specs/requirements.yaml', import.meta.url), 'utf8'),
  );
  const proof = prove(requirements, results);
  for (const id of strayIds(requirements, results)) {
    console.error(`a test quotes ${id}, which specs/requirements.yaml does not have`);
  }
  if (values.json) {
    console.log(JSON.stringify(proof));
  } else {
    const listed = values.summary ? 'none' : values.missing ? 'missing' : 'all';
    console.log(reportLines(proof, listed).join('\n'));
  }
  return 0;
}

process.exitCode = main();
