/** Runs test files in the order of their group: the quick ones first, so that most mutants end there. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TESTS_VARIABLE } from './groups.ts';

export const listedTests = JSON.parse(process.env[TESTS_VARIABLE] ?? '[]') as readonly string[];

export default class ListedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => listedTests.indexOf(relative(process.cwd(), moduleId));
    return files.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
