/** Writes the results of Vitest to the results file, test by test. */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification } from 'vitest/node';
import { RESULTS_FILE_VARIABLE, type ResultLine, type TestResult, writeResults } from './results.ts';

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

/** The parts of an error that are read: the message with the difference, and the stack in files of the project. */
interface Thrown {
  readonly message: string;
  readonly diff?: unknown;
  readonly stacks?: readonly { readonly file: string; readonly line: number; readonly column: number }[];
}

/** Formats the message, the difference between the expected and the actual value, and the stack. */
function detailsOf({ message, diff, stacks = [] }: Thrown): string {
  const places = stacks.map(({ file, line, column }) => `at ${relative(process.cwd(), file)}:${line}:${column}`);
  return stripVTControlCharacters([message, ...(typeof diff === 'string' ? [diff] : []), ...places].join('\n'));
}

const placeOf = (test: TestCase) => ({ file: test.module.relativeModuleId, title: test.fullName });

function resultOf(test: TestCase): TestResult | undefined {
  const result = test.result();
  if (result.state === 'pending') return undefined;
  const trouble = result.errors?.map(({ message }) => firstLine(message)).join('; ');
  const reason = result.state === 'skipped' ? result.note : trouble;
  return {
    ...placeOf(test),
    state: result.state,
    ...(reason && result.state !== 'passed' ? { reason } : {}),
    ...(result.state === 'failed' ? { details: result.errors.map(detailsOf).join('\n') } : {}),
    ...(test.diagnostic()?.flaky ? { atFirst: trouble ?? '' } : {}),
    ms: Math.round(test.diagnostic()?.duration ?? 0),
  };
}

const failure = (file: string, error: SerializedError): TestResult => ({
  file,
  title: 'outside any test',
  state: 'failed',
  reason: firstLine(error.message),
  details: detailsOf(error),
});

export default class ResultsReporter implements Reporter {
  readonly #path = process.env[RESULTS_FILE_VARIABLE];
  readonly #seen = new Set<string>();
  #files = 0;
  #filesRead = 0;
  #tests = 0;

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#files = files.length;
  }

  /** Counts the tests of each file that was read, and estimates those of the other files. */
  onTestModuleCollected(module: TestModule): void {
    this.#filesRead += 1;
    this.#tests += [...module.children.allTests()].length;
    const share = this.#filesRead / Math.max(this.#files, this.#filesRead);
    const isEstimate = share < 1;
    this.#write([{ event: 'total', tests: Math.round(this.#tests / share), ...(isEstimate ? { isEstimate } : {}) }]);
  }

  onTestCaseReady(test: TestCase): void {
    this.#write([{ event: 'start', ...placeOf(test) }]);
  }

  onTestCaseResult(test: TestCase): void {
    const result = resultOf(test);
    if (!result || this.#seen.has(test.id)) return;
    this.#seen.add(test.id);
    this.#write([result]);
  }

  /** A file that cannot be read has no tests, and a skipped test may lack an end of its own. */
  onTestModuleEnd(module: TestModule): void {
    for (const test of module.children.allTests()) this.onTestCaseResult(test);
    this.#write(module.errors().map((error) => failure(module.relativeModuleId, error)));
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    this.#write(unhandled.map((error) => failure(relative(process.cwd(), error.stacks?.[0]?.file ?? 'vitest'), error)));
  }

  #write(lines: readonly ResultLine[]): void {
    if (this.#path && lines.length > 0) writeResults(this.#path, lines);
  }
}
