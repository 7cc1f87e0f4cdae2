/**
 * `npm run mutants [group ...]`: breaks the code on purpose, one place at a time, and lists the breaks that no test
 * detects.
 *
 *   -- --all               tries every mutant again, not only those of changed files
 *   -- --concurrency 2     the number of mutants tried at the same time
 *
 * Exits 1 when a group detects fewer than its floor.
 */
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { GROUPS, type MutantGroup, TESTS_VARIABLE } from './groups.ts';
import { mutateLiterals } from './literals.ts';
import { reportLines, scoreOf } from './report.ts';

const FOLDER = '.mutants';

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { all: { type: 'boolean', default: false }, concurrency: { type: 'string', default: '1' } },
  });
  const unknown = positionals.find((name) => !GROUPS.some((group) => group.name === name));
  if (unknown !== undefined) {
    console.error(`no such group: ${unknown}; there are ${GROUPS.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  const concurrency = Number(values.concurrency);
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    console.error(`--concurrency takes a whole number from 1, not ${values.concurrency}`);
    return 2;
  }
  mutateLiterals();
  let isBelow = false;
  for (const group of GROUPS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    const mutants = await run(group, { force: values.all, concurrency });
    console.log(reportLines(group, mutants).join('\n'));
    isBelow ||= scoreOf(mutants) < group.floor;
  }
  return isBelow ? 1 : 0;
}

function run({ name, mutate, tests }: MutantGroup, options: { force: boolean; concurrency: number }) {
  process.env[TESTS_VARIABLE] = JSON.stringify(tests);
  return new Stryker({
    ...options,
    configFile: 'tools/mutants/stryker.json',
    mutate: [...mutate],
    incrementalFile: `${FOLDER}/${name}.json`,
    tempDirName: `${FOLDER}/${name}`,
  }).runMutationTest();
}

process.exitCode = await main();
