import { spanText } from '../../../sim/format/duration.ts';
import { createPaint, type Paint } from '../paint.ts';
import { printable } from '../printable.ts';
import type { Output } from '../reporter.ts';
import { commandOf, countsOf, nameOf, shellWord, type SuiteReporter, type SuiteResult } from './suite-reporter.ts';

/**
 * The reporter that prints a line for each case, and for each failure the expected value and the command that repeats
 * it. At the end of a run with several cases it repeats the failures.
 */
export function listReporter({ out, err }: Output, _folder = '', environment = process.env): SuiteReporter {
  const isLive = err.isTTY === true;
  const paint = createPaint(out.isTTY === true, environment);
  /** The failed cases, as they were printed. */
  const failures: string[] = [];
  let world = '';
  let cases = 0;
  let isLastFailed = false;
  const progress = (text: string) => {
    if (isLive) err.write(`\r\u001B[2K${text}`);
  };
  return {
    began: (total, where) => {
      world = where;
      cases = total;
      progress(`0 of ${total}`);
    },
    result(result, { done, total, trace }) {
      progress('');
      const below = result.failure ? failureLines(result, trace, world, paint) : traceLine(trace, paint);
      const text = `${lineOf(result, paint)}${below}`;
      out.write(text);
      if (result.failure) failures.push(text);
      isLastFailed = result.failure !== undefined;
      for (const { message } of result.flaky ?? []) out.write(`        at first: ${printable(message)}\n`);
      progress(done < total ? `${done} of ${total}` : '');
    },
    ended(summary) {
      const { wallMs, simulatedMs, proves } = summary;
      // A single failure that is already above the counts is not repeated.
      if (failures.length > 0 && cases > 1 && !(failures.length === 1 && isLastFailed))
        out.write(`\nnot passed:\n${failures.join('')}\n`);
      const times =
        world === 'virtual'
          ? `${spanText(simulatedMs)} simulated in ${spanText(wallMs)}`
          : `${world} | ${spanText(wallMs)}`;
      const shown = proves.length === 0 ? '' : ` | ${proves.length} requirements shown`;
      const counts = countsOf(summary);
      const tone = failures.length > 0 ? paint.bad : summary.left ? paint.fair : paint.good;
      out.write(`${tone(counts)} | ${times}${shown}\n`);
    },
  };
}

function lineOf(result: SuiteResult, paint: Paint): string {
  const name = printable(nameOf(result)).padEnd(58);
  if (result.skipped !== undefined) return `${paint.dim(` skip ${name} ${printable(result.skipped)}`)}\n`;
  const counts = `${String(result.messages).padStart(4)} msgs ${spanText(result.simulatedMs).padStart(9)} ${spanText(result.wallMs).padStart(6)}`;
  return `${verdictOf(result, paint)} ${name} ${paint.dim(counts)}\n`;
}

function verdictOf({ state, failure, flaky }: SuiteResult, paint: Paint): string {
  if (failure) return state === 'inconclusive' ? paint.fair(' late') : paint.bad(' FAIL');
  return flaky ? paint.fair(' flaky') : paint.good(' ok  ');
}

/** Returns the line below a case whose trace was kept although it did not fail: the command that shows the trace. */
const traceLine = (trace: string | undefined, paint: Paint): string =>
  trace === undefined ? '' : `        ${paint.dim(printable(`ringback trace ${shellWord(trace)}`))}\n`;

/** Returns the lines below a failed case: its place, the reason, and the commands that show and repeat it. */
function failureLines(result: SuiteResult, trace: string | undefined, world: string, paint: Paint): string {
  const { failure } = result;
  if (!failure) return '';
  const place = failure.place ? `${failure.place.file}:${failure.place.line}:${failure.place.column}` : result.file;
  const commands = [
    ...(trace === undefined ? [] : [`ringback trace ${shellWord(trace)}`]),
    ...(trace === undefined || world !== 'virtual' ? [] : [`ringback replay ${shellWord(trace)}`]),
    commandOf(result, world),
  ];
  const lines = [place, ...failure.message.split('\n')].map(printable);
  const repeats = commands.map((command) => paint.dim(printable(command)));
  return [...lines, ...repeats].map((line) => `        ${line}\n`).join('');
}
