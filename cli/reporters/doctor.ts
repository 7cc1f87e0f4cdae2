/** The output of `ringback doctor`: a line for each check, or one JSON object. */
import type { CheckResult, CheckState } from '../doctor/check.ts';

const STATE_COLUMN = 8;
const NAME_COLUMN = 14;

/** Formats a result as one line. A warning and a failure have a second one, with what removes it. */
export function doctorLines({ name, state, text, fix }: CheckResult): string {
  const first = `${state.padEnd(STATE_COLUMN)} ${name.padEnd(NAME_COLUMN)} ${text}\n`;
  return fix === undefined ? first : `${first}${' '.repeat(STATE_COLUMN + NAME_COLUMN + 2)}fix: ${fix}\n`;
}

/** Counts the results of each state. */
export const countStates = (results: readonly CheckResult[]): Record<CheckState, number> => {
  const counts = { ok: 0, warning: 0, fail: 0, skipped: 0 };
  for (const { state } of results) counts[state] += 1;
  return counts;
};

/** Formats the last line: 8 ok, 1 warning, 1 fail, 4 skipped */
export const doctorSummary = (results: readonly CheckResult[]): string =>
  `${Object.entries(countStates(results))
    .map(([state, count]) => `${count} ${state}`)
    .join(', ')}\n`;
