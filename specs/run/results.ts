/**
 * The test results, as every runner writes them: one file a runner in the results folder, one JSON object a line, so
 * that a runner that crashes or is stopped still leaves what it had finished.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where `make test` keeps the results. */
export const RESULTS_FOLDER = '.results';

/** The environment variable that names the file a runner's reporter writes; unset, it writes nothing. */
export const RESULTS_FILE_VARIABLE = 'RINGBACK_RESULTS';

export type TestState = 'passed' | 'failed' | 'skipped';

export interface TestResult {
  readonly file: string;
  /** The whole title, the groups around the test included. */
  readonly title: string;
  readonly state: TestState;
  /** Why it was skipped, or how it failed. */
  readonly reason?: string;
  /** How it failed at first, where it passed when it was tried again. */
  readonly atFirst?: string;
  readonly ms?: number;
}

/** Adds results to a runner's file. */
export function writeResults(path: string, results: readonly TestResult[]): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, results.map((result) => `${JSON.stringify(result)}\n`).join(''));
}

const isResult = (value: unknown): value is TestResult =>
  typeof value === 'object' &&
  value !== null &&
  'file' in value &&
  typeof value.file === 'string' &&
  'title' in value &&
  typeof value.title === 'string' &&
  'state' in value &&
  (value.state === 'passed' || value.state === 'failed' || value.state === 'skipped');

/** The results in a runner's file; none where it wrote none. A line cut short by a crash is left out. */
export function readResults(path: string): TestResult[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        const value: unknown = JSON.parse(line);
        return isResult(value) ? [value] : [];
      } catch {
        return [];
      }
    });
}

/** The results of every runner in `folder`; undefined where no tests have been run. */
export function readAllResults(folder: string = RESULTS_FOLDER): TestResult[] | undefined {
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.length === 0 ? undefined : files.flatMap((name) => readResults(join(folder, name)));
}

/** Forgets the results of the last run. */
export function wipeResults(folder: string = RESULTS_FOLDER): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
