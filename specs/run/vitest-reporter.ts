/** Writes what vitest found to the results file, test by test. */
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import { RESULTS_FILE_VARIABLE, type TestResult, writeResults } from './results.ts';

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

function resultOf(test: TestCase): TestResult | undefined {
  const result = test.result();
  if (result.state === 'pending') return undefined;
  const trouble = result.errors?.map(({ message }) => firstLine(message)).join('; ');
  const reason = result.state === 'skipped' ? result.note : trouble;
  return {
    file: test.module.relativeModuleId,
    title: test.fullName,
    state: result.state,
    ...(reason && result.state !== 'passed' ? { reason } : {}),
    ...(test.diagnostic()?.flaky ? { atFirst: trouble ?? '' } : {}),
    ms: Math.round(test.diagnostic()?.duration ?? 0),
  };
}

const failure = (file: string, error: SerializedError): TestResult => ({
  file,
  title: 'outside any test',
  state: 'failed',
  reason: firstLine(error.message),
});

export default class ResultsReporter implements Reporter {
  readonly #path = process.env[RESULTS_FILE_VARIABLE];
  readonly #seen = new Set<string>();

  onTestCaseResult(test: TestCase): void {
    const result = resultOf(test);
    if (!result || this.#seen.has(test.id)) return;
    this.#seen.add(test.id);
    this.#write([result]);
  }

  /** A file that cannot be read has no tests, and a test may have been skipped without a word. */
  onTestModuleEnd(module: TestModule): void {
    for (const test of module.children.allTests()) this.onTestCaseResult(test);
    this.#write(module.errors().map((error) => failure(module.relativeModuleId, error)));
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    this.#write(unhandled.map((error) => failure(relative(process.cwd(), error.stacks?.[0]?.file ?? 'vitest'), error)));
  }

  #write(results: readonly TestResult[]): void {
    if (this.#path && results.length > 0) writeResults(this.#path, results);
  }
}
