/** The close of `make test`: what failed, what was skipped and why, what needed a second try, and the count. */
import type { TestResult } from './results.ts';

const place = ({ file, title }: TestResult) => `  ${file}: ${title}`;

/**
 * What a stage that runs tests came to. A runner that ran none, or that ended badly though none of its tests failed, is a
 * failure of its own.
 */
export function stageResults(stage: string, results: readonly TestResult[], trouble: string | undefined): TestResult[] {
  const failure = (reason: string): TestResult => ({
    file: 'specs/run',
    title: `stage ${stage}`,
    state: 'failed',
    reason,
  });
  const hasFailed = results.some(({ state }) => state === 'failed');
  if (trouble?.startsWith('was ')) return [...results, failure(trouble)];
  if (trouble !== undefined && !hasFailed) return [...results, failure(trouble)];
  return results.every(({ state }) => state === 'skipped') ? [...results, failure('ran no tests')] : [...results];
}

/** The closing lines; the last is the count. */
export function closingLines(results: readonly TestResult[]): string[] {
  const of = (state: TestResult['state']) => results.filter((result) => result.state === state);
  const [passed, failed, skipped] = [of('passed'), of('failed'), of('skipped')];
  const again = passed.filter(({ atFirst }) => atFirst !== undefined);
  return [
    ...(failed.length > 0 ? ['Failed:'] : []),
    ...failed.map((result) => `${place(result)}${result.reason ? `\n      ${result.reason}` : ''}`),
    ...(skipped.length > 0 ? ['Skipped:'] : []),
    ...skipped.map((result) => `${place(result)}: ${result.reason || 'no reason given'}`),
    ...(again.length > 0 ? ['Passed only when tried again:'] : []),
    ...again.map((result) => `${place(result)}\n      ${result.atFirst || 'no reason given'}`),
    '',
    `${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`,
  ];
}
