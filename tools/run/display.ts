/**
 * The display of `make test`: one line for each stage that ends, each failure in full as it happens, and how
 * far the running stages have come. A terminal has that last line in place; elsewhere it is printed once a minute.
 */
import type { TestResult } from './results.ts';

export interface Screen {
  readonly isTerminal: boolean;
  readonly columns: number;
  write(text: string): void;
}

export interface Display {
  /** Prints lines permanently. */
  print(lines: readonly string[]): void;
  /** Shows the progress of the run. An empty text removes it. */
  progress(text: string, now: number): void;
}

const BETWEEN_LINES_MS = 60_000;
const CLEAR_LINE = '\r\u001B[K';

/** Creates the display of a run that begins at `began`, milliseconds of a monotonic clock. */
export function createDisplay(screen: Screen, began: number): Display {
  let shown = '';
  let printedAt = began;

  const inPlace = (text: string) => screen.write(`${CLEAR_LINE}${text.slice(0, screen.columns - 1)}`);

  return {
    print(lines) {
      if (lines.length === 0) return;
      const text = lines.map((line) => `${line}\n`).join('');
      screen.write(shown === '' ? text : `${CLEAR_LINE}${text}`);
      if (shown !== '') inPlace(shown);
    },
    progress(text, now) {
      if (screen.isTerminal) {
        if (text !== shown) inPlace(text);
        shown = text;
      } else if (text !== '' && now - printedAt >= BETWEEN_LINES_MS) {
        printedAt = now;
        screen.write(`${text}\n`);
      }
    },
  };
}

const indent = (text: string): string[] => text.split('\n').map((line) => `        ${line}`);

/** Formats a failure: its place, then the full output of the runner. */
export const failureLines = ({ file, title, reason, details }: TestResult): string[] => [
  `FAILED  ${file}: ${title}`,
  ...indent(details ?? reason ?? 'no reason given'),
];

/** Formats a test, for `--verbose`. */
export const testLine = ({ file, title, state, reason, ms }: TestResult): string =>
  `${state.padEnd(7)} ${file}: ${title}${ms === undefined ? '' : ` (${ms} ms)`}${state === 'skipped' ? `: ${reason ?? 'no reason given'}` : ''}`;

/** Formats minutes and seconds: ` 1:05`. */
export function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Formats `about 4 min left`, `less than a minute left`. */
export function timeLeft(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 1 ? 'less than a minute left' : `about ${minutes} min left`;
}

/** Formats an ended stage: ` passed  unit        1:18  3,712 passed, 0 failed, 2 skipped`. */
export function stageLine(name: string, ms: number, results: readonly TestResult[]): string {
  const count = (state: TestResult['state']) =>
    `${results.filter((result) => result.state === state).length.toLocaleString('en')} ${state}`;
  const hasFailed = results.some(({ state }) => state === 'failed');
  const counts = results.length === 0 ? '' : `  ${(['passed', 'failed', 'skipped'] as const).map(count).join(', ')}`;
  return `${hasFailed ? 'FAILED' : 'passed'}  ${name.padEnd(9)} ${clock(ms)}${counts}`;
}
