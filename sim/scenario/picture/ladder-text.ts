import { type Arrow, type Ladder, momentText, type Note } from './ladder-rows.ts';

const LANE = 26;
const MARGIN = 11;

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

function arrow(line: string, { from, to, text, lost, fate }: Arrow, column: (lane: string) => number): string {
  const [left, right] = [column(from), column(to)].toSorted((a, b) => a - b) as [number, number];
  const toTheRight = column(to) === right;
  const width = right - left - 1;
  const words = ` ${text.length > width - 8 ? `${text.slice(0, Math.max(4, width - 11))}...` : text} `;
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
