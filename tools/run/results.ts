/**
 * The test results in the form that every runner writes: one file a stage in the results folder, one JSON object a line. A
 * runner that crashes or is stopped still leaves what it had finished. The same lines tell `make test` how far a stage
 * has come.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the results of `make test`. */
export const RESULTS_FOLDER = '.results';

/** The environment variable that names the file a runner's reporter writes; unset, it writes nothing. */
export const RESULTS_FILE_VARIABLE = 'RINGBACK_RESULTS';

export type TestState = 'passed' | 'failed' | 'skipped';

/** The end of a test. */
export interface TestResult {
  readonly file: string;
  /** The whole title, with the groups around the test. */
  readonly title: string;
  readonly state: TestState;
  /** The reason of a skip or a failure, in one line. */
  readonly reason?: string;
  /** The complete failure: the message, the difference and the stack. */
  readonly details?: string;
  /** The failure of the first try, when a later one passed. */
  readonly atFirst?: string;
  readonly ms?: number;
}

/** The start of a test, so that a test that hangs can be named. */
export interface TestStart {
  readonly event: 'start';
  readonly file: string;
  readonly title: string;
}

/** The number of tests of a stage, as far as its runner knows. */
export interface TestTotal {
  readonly event: 'total';
  readonly tests: number;
  /** True while the runner has not read every file, so that the number is an estimate. */
  readonly isEstimate?: true;
}

export type ResultLine = TestResult | TestStart | TestTotal;

/** Appends lines to the file of a stage. */
export function writeResults(path: string, lines: readonly ResultLine[]): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Parses one line of the file of a stage. Undefined for a line that a crash cut short, or another content. */
export function readResultLine(line: string): ResultLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return isTotal(value) || isStart(value) || isResult(value) ? value : undefined;
}

const hasPlace = (value: unknown): value is { file: string; title: string } =>
  typeof value === 'object' &&
  value !== null &&
  'file' in value &&
  typeof value.file === 'string' &&
  'title' in value &&
  typeof value.title === 'string';

const isResult = (value: unknown): value is TestResult =>
  hasPlace(value) &&
  'state' in value &&
  (value.state === 'passed' || value.state === 'failed' || value.state === 'skipped');

const isStart = (value: unknown): value is TestStart => hasPlace(value) && 'event' in value && value.event === 'start';

const isTotal = (value: unknown): value is TestTotal =>
  typeof value === 'object' &&
  value !== null &&
  'event' in value &&
  value.event === 'total' &&
  'tests' in value &&
  typeof value.tests === 'number';

/** Reads the results in the file of a stage. None when its runner wrote none. */
export function readResults(path: string): TestResult[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .map(readResultLine)
    .filter((line): line is TestResult => line !== undefined && 'state' in line);
}

/** Reads the results of every stage in `folder`. Undefined before the first run. */
export function readAllResults(folder: string = RESULTS_FOLDER): TestResult[] | undefined {
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.length === 0 ? undefined : files.flatMap((name) => readResults(join(folder, name)));
}

/** Deletes the results of the last run, and creates an empty folder. */
export function wipeResults(folder: string = RESULTS_FOLDER): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
