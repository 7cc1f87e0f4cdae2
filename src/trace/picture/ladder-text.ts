/** Pictures of traces in plain text: a ladder, its Mermaid form, and the progress of timers. */
import { runningSince, type TimerRun } from '../timer-runs.ts';
import type { Arrow, Ladder, Note } from './ladder.ts';
import { callText, momentText, spanText } from './words.ts';

const LANE = 26;
const MARGIN = 11;
/** The width of a progress bar, in characters. */
const PROGRESS = 30;

/** Returns a ladder for the terminal: one line for each row, time at the left, one column for each lane. */
export function ladderText({ lanes, rows }: Ladder): string {
  const columns = lanes.map((_, index) => MARGIN + 1 + index * LANE);
  const head = put(
    ' '.repeat(MARGIN),
    lanes.map((lane, index) => [columns[index] ?? 0, lane] as const),
  );
  const blank = put(
    '',
    columns.map((column) => [column, '|'] as const),
  );
  const column = (lane: string) => columns[lanes.indexOf(lane)] ?? MARGIN;
  const lines = rows.map((row) => {
    const line = put(
      momentText(row.at),
      columns.map((at) => [at, '|'] as const),
    );
    return row.kind === 'arrow' ? arrow(line, row, column) : note(line, row, column);
  });
  return `${[head, blank, ...lines].map((line) => line.trimEnd()).join('\n')}\n`;
}

function arrow(line: string, { from, to, text, lost, fate, call }: Arrow, column: (lane: string) => number): string {
  const [left, right] = [column(from), column(to)].toSorted((a, b) => a - b) as [number, number];
  const toTheRight = column(to) === right;
  const width = right - left - 1;
  const number = callText(call);
  const space = width - 8 - number.length;
  const words = ` ${text.length > space ? `${text.slice(0, Math.max(4, space - 3))}...` : text}${number} `;
  const rest = Math.max(2, width - words.length);
  const shaft = lost
    ? toTheRight
      ? `--${words}${'-'.repeat(Math.max(0, Math.floor((rest - 2) / 2)))}X`.padEnd(width)
      : `X${'-'.repeat(Math.max(0, Math.floor((rest - 2) / 2)))}${words}--`.padStart(width)
    : toTheRight
      ? `--${words}${'-'.repeat(Math.max(0, rest - 3))}>`
      : `<${'-'.repeat(Math.max(0, rest - 3))}${words}--`;
  const drawn = put(line, [[left + 1, shaft.slice(0, width)]]);
  return fate === undefined || lost ? drawn : `${drawn}   (${fate})`;
}

function note(line: string, { lane, text }: Note, column: (lane: string) => number): string {
  return lane === undefined ? put(line, [[MARGIN + 3, `== ${text} ==`]]) : put(line, [[column(lane) + 2, text]]);
}

function put(line: string, pieces: readonly (readonly [number, string])[]): string {
  let drawn = line;
  for (const [at, text] of pieces) {
    const padded = drawn.padEnd(at);
    drawn = padded.slice(0, at) + text + padded.slice(at + text.length);
  }
  return drawn;
}

/** Returns a ladder as a Mermaid sequence diagram. */
export function mermaidOf({ lanes, rows }: Ladder): string {
  const name = (lane: string) => `L${lanes.indexOf(lane)}`;
  const allLanes = lanes.length > 1 ? `${name(lanes[0] ?? '')},${name(lanes.at(-1) ?? '')}` : name(lanes[0] ?? '');
  const lines = rows.map((row) => {
    const words = `${momentText(row.at).trim()} ${forMermaid(row.text)}`;
    if (row.kind === 'arrow')
      return `  ${name(row.from)}${row.lost ? '-x' : '->>'}${name(row.to)}: ${words}${forMermaid(callText(row.call))}${row.fate === undefined || row.lost ? '' : ` (${row.fate})`}`;
    return row.lane === undefined ? `  Note over ${allLanes}: ${words}` : `  Note over ${name(row.lane)}: ${words}`;
  });
  return `${['sequenceDiagram', ...lanes.map((lane) => `  participant ${name(lane)} as ${lane}`), ...lines].join('\n')}\n`;
}

/** Escapes `;` and `#`, which have a meaning in Mermaid. */
const forMermaid = (text: string): string => text.replaceAll(/[#;]/g, (sign) => (sign === '#' ? '#35;' : '#59;'));

/** Returns timers for the terminal: one line each, with its progress. */
export function timersText(runs: readonly TimerRun[]): string {
  const names = runs.map(({ device, timer }) => `${device} ${timer}`);
  const width = Math.max(0, ...names.map((name) => name.length));
  const lines = runs.map(
    (run, at) => `${momentText(run.from)}   ${(names[at] ?? '').padEnd(width)}   [${barOf(run)}] ${howFar(run)}`,
  );
  return lines.map((line) => `${line}\n`).join('');
}

function barOf(run: TimerRun): string {
  const filled = Math.min(PROGRESS, Math.floor(((run.to - runningSince(run)) / run.length) * PROGRESS));
  return '#'.repeat(filled).padEnd(PROGRESS, '.');
}

function howFar(run: TimerRun): string {
  const { to, length, fired, end, endedBy } = run;
  if (end === 'fired') return `fired after ${spanText(length)}`;
  const times = fired.length === 0 ? '' : `fired ${fired.length === 1 ? 'once' : `${fired.length} times`}, `;
  const became = end === 'running' ? 'still running' : `stopped by ${endedBy ?? 'the end'}`;
  return `${spanText(to - runningSince(run))} of ${spanText(length)}, ${times}${became}`;
}
