/** The summary of a load run on a terminal. */
import { TIME_NAMES } from '../../load/metrics.ts';
import {
  actualText,
  failedShare,
  heardText,
  type LoadSummary,
  outcomeWords,
  percentText,
  timeText,
} from './summary.ts';

const COLUMNS = ['p50', 'p90', 'p95', 'p99', 'p99.9', 'max'] as const;
const NAME_WIDTH = 21;
const WIDTH = 9;

/** Returns the advice for calls that waited for a free pair. */
const waitedLines = ({ waitedCalls, dialledCalls }: LoadSummary['tally']): string[] =>
  waitedCalls === 0
    ? []
    : [
        `waited    ${waitedCalls} of ${dialledCalls} calls, as no two users were free: raise --concurrency, unless the server was slow`,
      ];

export function summaryText(summary: LoadSummary): string {
  const { tally, elapsedMs, end, interrupted, verdicts } = summary;
  const heard = heardText(summary);
  const seconds = elapsedMs / 1_000;
  const rate = seconds === 0 ? 0 : tally.dialledCalls / seconds;
  const lines = [
    ...(interrupted ? ['Interrupted: the live calls were ended early.'] : []),
    ...(end.isCutShort ? ['The server closed every channel: the run ended early.'] : []),
    `calls     ${tally.dialledCalls} in ${seconds.toFixed(1)}s (${rate.toFixed(1)} a second), ${tally.peak} live at most`,
    `failed    ${tally.calls('failed')} (${percentText(failedShare(tally))})`,
    ...waitedLines(tally),
    ...(heard === null ? [] : [`heard     in ${heard}`]),
    `outcomes  ${outcomeWords(tally).join(', ') || 'none'}`,
    ...(end.closedPairs > 0 && !end.isCutShort
      ? [`channels  of ${end.closedPairs} pairs were closed by the server`]
      : []),
    '',
    `${''.padEnd(NAME_WIDTH)}${[...COLUMNS, 'count'].map((name) => name.padStart(WIDTH)).join('')}`,
    ...TIME_NAMES.map((name) => {
      const times = tally.time(name).summary();
      const cells = COLUMNS.map((column) => (times.count === 0 ? '-' : timeText(times[column])));
      return `${name.padEnd(NAME_WIDTH)}${[...cells, String(times.count)].map((cell) => cell.padStart(WIDTH)).join('')}`;
    }),
    '',
    ...verdicts.map(
      (verdict) => `${verdict.ok ? 'ok      ' : 'FAILED  '}  ${verdict.threshold.text}  (${actualText(verdict)})`,
    ),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
