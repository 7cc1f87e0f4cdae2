import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { GROUPS } from '../../../tools/mutants/groups.ts';
import { type Mutant, reportLines, scoreOf } from '../../../tools/mutants/report.ts';

const mutant = (status: string, line = 1, more: Partial<Mutant> = {}): Mutant => ({
  fileName: `${process.cwd()}/src/a.ts`,
  status,
  mutatorName: 'BooleanLiteral',
  replacement: 'true',
  location: { start: { line, column: 7 } },
  ...more,
});
const group = { name: 'a', mutate: ['src/a.ts'], tests: ['specs/a.test.ts'], floor: 90 };

describe('mutants', () => {
  test.each(GROUPS)('the files and tests of $name exist', ({ mutate, tests }) => {
    expect([...mutate, ...tests].filter((path) => globSync(path).length === 0)).toEqual([]);
  });

  test.each(['sim/exchange', 'sim/product/billing', 'sim/product/ledger'])(
    'each file of %s is in exactly one group',
    (folder) => {
      const grouped = GROUPS.flatMap(({ mutate }) => globSync([...mutate]));
      const files = globSync(`${folder}/**/*.ts`);
      expect(files).not.toEqual([]);
      expect(files.filter((file) => grouped.filter((path) => path === file).length !== 1)).toEqual([]);
    },
  );

  test('the score is the share of detected mutants; one that loops is detected, and one that does not run is not counted', () => {
    expect(scoreOf([mutant('Killed'), mutant('Timeout'), mutant('Survived'), mutant('NoCoverage')])).toBe(50);
    expect(scoreOf([mutant('Killed'), mutant('Ignored'), mutant('RuntimeError')])).toBe(100);
    expect(scoreOf([])).toBe(0);
  });

  test('the report counts by file, and names the mutants that were missed, did not run, or are excluded', () => {
    const other = `${process.cwd()}/src/longer.ts`;
    const lines = reportLines(group, [
      mutant('Killed'),
      mutant('Killed'),
      mutant('Survived', 12, { replacement: '() =>\n  undefined' }),
      mutant('RuntimeError', 5),
      mutant('Ignored', 6, { fileName: other, statusReason: 'nobody can tell' }),
      mutant('Killed', 7, { fileName: other }),
    ]);
    expect(lines).toEqual([
      '== a: at least 90 %',
      'file           found  missed  excused  broken    score',
      'src/a.ts           2       1        0       1   66.6 %',
      'src/longer.ts      1       0        1       0  100.0 %',
      'all                3       1        1       1   75.0 %',
      'Missed:',
      '  src/a.ts:12:7 BooleanLiteral () => undefined',
      'Broken:',
      '  src/a.ts:5:7 BooleanLiteral true',
      'Excused:',
      '  src/longer.ts:6:7 BooleanLiteral true: nobody can tell',
    ]);
  });
});
