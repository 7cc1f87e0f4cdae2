/** The end of `make test`: the times, the failures, the skips with reasons, the retries, and the count. */
import { clock } from './display.ts';
import type { TestResult } from './results.ts';

/** The start and end of a stage, in milliseconds of one clock. */
export interface StageTime {
  readonly name: string;
  readonly began: number;
  readonly ended: number;
}

const place = ({ file, title }: TestResult) => `  ${file}: ${title}`;

/**
 * Returns the results of a stage with tests. A runner that ran none, or failed without a failed test, counts as a
 * failure of its
 * own.
 */
export function stageResults(stage: string, results: readonly TestResult[], trouble: string | undefined): TestResult[] {
  const failure = (reason: string): TestResult => ({
    file: 'tools/run',
    title: `stage ${stage}`,
    state: 'failed',
    reason,
  });
  const hasFailed = results.some(({ state }) => state === 'failed');
  if (trouble?.startsWith('was ')) return [...results, failure(trouble)];
  if (trouble !== undefined && !hasFailed) return [...results, failure(trouble)];
  return results.every(({ state }) => state === 'skipped') ? [...results, failure('ran no tests')] : [...results];
}

/** Returns the closing lines. The last one is the count. */
export function closingLines(results: readonly TestResult[]): string[] {
  const of = (state: TestResult['state']) => results.filter((result) => result.state === state);
  const [passed, failed, skipped] = [of('passed'), of('failed'), of('skipped')];
  const again = passed.filter(({ atFirst }) => atFirst !== undefined);
  return [
    ...(failed.length > 0 ? ['Failed:'] : []),
    ...failed.map((result) => `${place(result)}${result.reason ? `\n      ${result.reason}` : ''}`),
    ...(skipped.length > 0 ? ['Skipped:'] : []),
    ...skippedLines(skipped),
    ...(again.length > 0 ? ['Passed only when tried again:'] : []),
    ...again.map((result) => `${place(result)}\n      ${result.atFirst || 'no reason given'}`),
    '',
    `${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`,
  ];
}

/** Above this number, the tests with one reason are counted instead of listed. */
const LISTED_AT_MOST = 5;

/** Groups the skipped tests by reason: lists each one, or their number when there are many. */
function skippedLines(skipped: readonly TestResult[]): string[] {
  const byReason = new Map<string, TestResult[]>();
  for (const result of skipped) {
    const reason = result.reason || 'no reason given';
    byReason.set(reason, [...(byReason.get(reason) ?? []), result]);
  }
  return [...byReason].flatMap(([reason, tests]) =>
    tests.length > LISTED_AT_MOST
      ? [`  ${tests.length} tests in ${new Set(tests.map(({ file }) => file)).size} files: ${reason}`]
      : tests.map((result) => `${place(result)}: ${reason}`),
  );
}

/** Formats a line for each stage in the order of their starts: start, end, duration, and the parallel stages. */
export function timeLines(times: readonly StageTime[]): string[] {
  const stages = times.toSorted((one, other) => one.began - other.began);
  const start = stages[0]?.began ?? 0;
  const end = Math.max(start, ...stages.map(({ ended }) => ended));
  const width = Math.max(0, ...stages.map(({ name }) => name.length));
  return [
    'Times:',
    ...stages.map((stage) => {
      const { name, began, ended } = stage;
      const beside = stages.filter((other) => other !== stage && other.began < ended && began < other.ended);
      const span = `${clock(began - start)} to ${clock(ended - start)}  ${((ended - began) / 1000).toFixed(1).padStart(6)} s`;
      const names = beside.map((other) => other.name).join(', ');
      return `  ${name.padEnd(width)}  ${span}${names ? `  beside ${names}` : ''}`;
    }),
    `  ${'all'.padEnd(width)}  ${clock(0)} to ${clock(end - start)}  ${((end - start) / 1000).toFixed(1).padStart(6)} s`,
    '',
  ];
}
