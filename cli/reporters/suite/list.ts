import { spanText } from '../../../sim/format/duration.ts';
import type { Output } from '../reporter.ts';
import { commandOf, countsOf, nameOf, shellWord, type SuiteReporter, type SuiteResult } from './suite-reporter.ts';

/**
 * The reporter that prints a line for each case, and for each failure the expected value and the command that repeats
 * it.
 */
export function listReporter({ out, err }: Output): SuiteReporter {
  const isLive = err.isTTY === true;
  let world = '';
  const progress = (text: string) => {
    if (isLive) err.write(`\r\u001B[2K${text}`);
  };
  return {
    began: (total, where) => {
      world = where;
      progress(`0 of ${total}`);
    },
    result(result, { done, total, trace }) {
      progress('');
      out.write(lineOf(result));
      if (result.failure) out.write(failureLines(result, trace, world));
      for (const { message } of result.flaky ?? []) out.write(`        at first: ${message}\n`);
      progress(done < total ? `${done} of ${total}` : '');
    },
    ended(summary) {
      const { wallMs, simulatedMs, proves } = summary;
      const times =
        world === 'virtual'
          ? `${spanText(simulatedMs)} simulated in ${spanText(wallMs)}`
          : `${world} | ${spanText(wallMs)}`;
      out.write(`${countsOf(summary)} | ${times} | ${proves.length} requirements shown\n`);
    },
  };
}

function lineOf(result: SuiteResult): string {
  if (result.skipped !== undefined) return ` skip ${nameOf(result).padEnd(58)} ${result.skipped}\n`;
  const failed = result.state === 'inconclusive' ? ' late' : ' FAIL';
  const verdict = result.failure ? failed : result.flaky ? ' flaky' : ' ok  ';
  const counts = `${String(result.messages).padStart(4)} msgs ${spanText(result.simulatedMs).padStart(9)} ${spanText(result.wallMs).padStart(6)}`;
  return `${verdict} ${nameOf(result).padEnd(58)} ${counts}\n`;
}

function failureLines(result: SuiteResult, trace: string | undefined, world: string): string {
  const { failure } = result;
  if (!failure) return '';
  const place = failure.place ? `${failure.place.file}:${failure.place.line}:${failure.place.column}` : result.file;
  const lines = [
    place,
    ...failure.message.split('\n'),
    ...(trace === undefined ? [] : [`ringback trace ${shellWord(trace)}`]),
    ...(trace === undefined || world !== 'virtual' ? [] : [`ringback replay ${shellWord(trace)}`]),
    commandOf(result, world),
  ];
  return lines.map((line) => `        ${line}\n`).join('');
}
