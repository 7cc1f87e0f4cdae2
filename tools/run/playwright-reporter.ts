/** Writes the results of Playwright to the results file, test by test. */
import { relative } from 'node:path';
// A message may carry the colours of a terminal.
import { stripVTControlCharacters as plain } from 'node:util';
import type {
  FullConfig,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult as PlaywrightResult,
} from '@playwright/test/reporter';
import { RESULTS_FILE_VARIABLE, type ResultLine, type TestState, writeResults } from './results.ts';

const firstLine = (text: string): string => plain(text).split('\n', 1)[0] ?? '';
const here = (path: string): string => relative(process.cwd(), path);

const STATES: Record<ReturnType<TestCase['outcome']>, TestState> = {
  expected: 'passed',
  unexpected: 'failed',
  flaky: 'passed',
  skipped: 'skipped',
};

const troubleOf = ({ errors }: PlaywrightResult): string =>
  errors.map(({ message }) => firstLine(message ?? '')).join('; ');

/** Formats the message with the difference, the source around it, and the stack. */
const detailsOf = ({ message, stack, snippet }: TestError): string =>
  plain([stack ?? message ?? '', ...(snippet ? [snippet] : [])].join('\n'));

const placeOf = (test: TestCase) => ({
  file: here(test.location.file),
  // The path begins with the root, the project and the file.
  title: test.titlePath().slice(3).join(' > '),
});

function skipReason(test: TestCase): string {
  const annotation = test.annotations.find(({ type }) => type === 'skip' || type === 'fixme');
  if (!annotation) return 'did not run, since an earlier test or set-up of its group failed';
  return annotation.description ?? '';
}

export default class ResultsReporter implements Reporter {
  readonly #path = process.env[RESULTS_FILE_VARIABLE];
  readonly #written = new Set<TestCase>();
  readonly #leftOut = new Map<TestCase, PlaywrightResult>();

  printsToStdio(): boolean {
    return false;
  }

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#write({ event: 'total', tests: suite.allTests().length });
  }

  onTestBegin(test: TestCase): void {
    this.#write({ event: 'start', ...placeOf(test) });
  }

  onTestEnd(test: TestCase, result: PlaywrightResult): void {
    // Playwright repeats a whole serial group, with the tests that passed or were skipped.
    if (this.#written.has(test)) return;
    const isToBeTriedAgain = test.outcome() === 'unexpected' && result.retry < test.retries;
    if (isToBeTriedAgain) return;
    if (test.outcome() === 'skipped') this.#leftOut.set(test, result);
    else this.#tell(test, result);
  }

  onEnd(): void {
    for (const [test, result] of this.#leftOut) if (!this.#written.has(test)) this.#tell(test, result);
  }

  #tell(test: TestCase, result: PlaywrightResult): void {
    this.#written.add(test);
    const state = STATES[test.outcome()];
    const errors = troubleOf(result);
    const first = test.outcome() === 'flaky' ? test.results[0] : undefined;
    const reason = { passed: '', failed: errors, skipped: skipReason(test) }[state];
    this.#write({
      ...placeOf(test),
      state,
      ...(reason ? { reason } : {}),
      ...(state === 'failed' ? { details: result.errors.map(detailsOf).join('\n') } : {}),
      ...(first ? { atFirst: troubleOf(first) } : {}),
      ms: Math.round(result.duration),
    });
  }

  /** Writes a failure outside any test: a file that cannot be loaded, a server that does not start. */
  onError(error: TestError): void {
    this.#write({
      file: error.location ? here(error.location.file) : 'specs/e2e',
      title: 'outside any test',
      state: 'failed',
      reason: firstLine(error.message ?? ''),
      details: detailsOf(error),
    });
  }

  #write(line: ResultLine): void {
    if (this.#path) writeResults(this.#path, [line]);
  }
}
