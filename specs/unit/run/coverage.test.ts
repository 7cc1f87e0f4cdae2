import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { prove, quotedIds, strayIds } from '../../../tools/coverage/proof.ts';
import { reportLines } from '../../../tools/coverage/report.ts';
import { readRequirements } from '../../../tools/coverage/requirements.ts';
import type { TestResult, TestState } from '../../../tools/run/results.ts';

const REQUIREMENTS = readRequirements(
  [
    'direct_call:   # §4',
    "  DC-01: a dial: 'idle' -> dialing",
    '  DC-02: a dial fails',
    'errors:',
    '  ERR-01: an error',
  ].join('\n'),
);

const result = (title: string, state: TestState = 'passed'): TestResult => ({ file: 'a.test.ts', title, state });
const statusOf = (id: string, ...results: TestResult[]) =>
  prove(REQUIREMENTS, results).rows.find((row) => row.id === id)?.status;

describe('requirements', () => {
  test('the file has its 459 statements', () => {
    const all = readRequirements(readFileSync(new URL('../../requirements.yaml', import.meta.url), 'utf8'));
    expect(all).toHaveLength(459);
    expect(all[0]).toEqual({ id: 'LIB-01', area: 'library', statement: 'library version is reported as 1.10.20' });
  });

  test('a statement may have characters that YAML would parse', () => {
    expect(REQUIREMENTS[0]).toEqual({ id: 'DC-01', area: 'direct_call', statement: "a dial: 'idle' -> dialing" });
  });

  test.each([
    ['a:\n  DC-01: one\n  DC-01: two', 'requirements line 3: DC-01 is given twice'],
    ['a:\n  DC-1x: one', 'requirements line 2 is not understood:   DC-1x: one'],
    ['  DC-01: one', 'requirements line 1 is not understood:   DC-01: one'],
  ])('%j is refused', (text, message) => {
    expect(() => readRequirements(text)).toThrow(message);
  });
});

describe('proof', () => {
  test('a passing test that quotes an id proves it', () => {
    expect(prove(REQUIREMENTS, [result('calls > DC-01 and ERR-01: dials')])).toEqual({
      total: 3,
      proven: 2,
      rows: [
        { ...REQUIREMENTS[0], status: 'proven', by: ['calls > DC-01 and ERR-01: dials'] },
        { ...REQUIREMENTS[1], status: 'missing', by: [] },
        { ...REQUIREMENTS[2], status: 'proven', by: ['calls > DC-01 and ERR-01: dials'] },
      ],
    });
  });

  test('a failing or skipped test proves nothing', () => {
    expect(statusOf('DC-01', result('DC-01', 'failed'))).toBe('missing');
    expect(statusOf('DC-01', result('DC-01', 'skipped'))).toBe('missing');
  });

  test('a failing test removes the proof of a passing one; a skipped one does not', () => {
    expect(statusOf('DC-01', result('DC-01 here'), result('DC-01 there', 'failed'))).toBe('missing');
    expect(statusOf('DC-01', result('DC-01 here'), result('DC-01 there', 'skipped'))).toBe('proven');
  });

  test('an id is quoted only in full', () => {
    expect(statusOf('DC-01', result('DC-010, DC-01b, XDC-01, A-DC-01'))).toBe('missing');
    expect(statusOf('DC-02', result('DC-01..DC-03'))).toBe('missing');
    expect(quotedIds('(DC-01), DC-02: x > ERR-01')).toEqual(['DC-01', 'DC-02', 'ERR-01']);
  });

  test('an id that is not in the requirements is reported', () => {
    expect(strayIds(REQUIREMENTS, [result('DC-01 and DC-09 in UTF-8')])).toEqual(['DC-09']);
  });
});

describe('report', () => {
  const proof = prove(REQUIREMENTS, [result('DC-01')]);

  test('lists the rows by area, with totals', () => {
    expect(reportLines(proof, 'all')).toEqual([
      'direct_call        1 of   2 proven',
      "  proven  DC-01: a dial: 'idle' -> dialing",
      '  missing DC-02: a dial fails',
      'errors             0 of   1 proven',
      '  missing ERR-01: an error',
      'all                1 of   3 proven',
    ]);
  });

  test('lists only what is missing, or only the totals', () => {
    expect(reportLines(proof, 'missing').filter((line) => line.startsWith('  proven'))).toEqual([]);
    expect(reportLines(proof, 'missing')).toContain('  missing DC-02: a dial fails');
    expect(reportLines(proof, 'none')).toHaveLength(3);
  });
});
