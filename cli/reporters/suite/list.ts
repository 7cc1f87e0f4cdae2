import { spanText } from '../../../sim/scenario/format/duration.ts';
import type { CaseResult } from '../../../sim/scenario/run/run-scenario.ts';
import type { Output } from '../reporter.ts';
import { nameOf, type SuiteReporter } from './suite-reporter.ts';

/** A line a case, the failures with what was expected and the command that runs them again. */
export function listReporter({ out, err }: Output): SuiteReporter {
  const isLive = err.isTTY === true;
  const progress = (text: string) => {
    if (isLive) err.write(`\r\u001B[2K${text}`);
  };
  return {
    began: (total) => progress(`0 of ${total}`),
    result(result, { done, total, trace }) {
      progress('');
      out.write(lineOf(result));
      if (result.failure) out.write(failureLines(result, trace));
      progress(done < total ? `${done} of ${total}` : '');
    },
    ended({ passed, failed, skipped, wallMs, simulatedMs, proves }) {
      out.write(
        `${passed} passed, ${failed} failed, ${skipped} skipped | ${spanText(simulatedMs)} simulated in ${spanText(wallMs)} | ${proves.length} requirements shown\n`,
      );
    },
  };
}

function lineOf(result: CaseResult): string {
  const verdict = result.state === 'passed' ? ' ok  ' : ' FAIL';
  const counts = `${String(result.messages).padStart(4)} msgs ${spanText(result.simulatedMs).padStart(9)} ${spanText(result.wallMs).padStart(6)}`;
  return `${verdict} ${nameOf(result).padEnd(58)} ${counts}\n`;
}

function failureLines(result: CaseResult, trace: string | undefined): string {
  const { failure, seed } = result;
  if (!failure) return '';
  const place = failure.place ? `${failure.place.file}:${failure.place.line}:${failure.place.column}` : result.file;
  const lines = [
    place,
    failure.message,
    ...(trace === undefined ? [] : [`ringback trace ${trace}`]),
    `ringback run ${result.file} --seed ${seed}`,
  ];
  return lines.map((line) => `        ${line}\n`).join('');
}
