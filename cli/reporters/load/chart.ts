/** A line chart as an SVG without external resources. Its colors are those of the page. */
import { escaped } from '../../../src/trace/picture/words.ts';

/** A line. A null is a gap. */
export interface Line {
  readonly name: string;
  readonly tone: 'rose' | 'way' | 'bad' | 'good' | 'trouble';
  readonly values: readonly (number | null)[];
}

export interface Chart {
  /** The description for readers who do not see the picture. */
  readonly label: string;
  readonly lines: readonly Line[];
  /** The time between two values, milliseconds. */
  readonly slotMs: number;
  readonly format: (value: number) => string;
}

const WIDTH = 720;
const HEIGHT = 220;
const LEFT = 64;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 26;
const MOST_X_MARKS = 8;
const STEPS = [1, 2, 2.5, 5, 10];
const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400];

/** Returns the smallest round number of at least `value`. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((step) => step * power >= value) ?? 10) * power;
}

export function chartSvg({ label, lines, slotMs, format }: Chart): string {
  const length = Math.max(2, ...lines.map(({ values }) => values.length));
  const top = roundUp(Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const x = (at: number) => LEFT + (at / (length - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = y(part * top).toFixed(1);
    return `<path class="grid" d="M${LEFT} ${at}H${WIDTH - RIGHT}"/><text class="num" x="${LEFT - 8}" y="${Number(at) + 4}">${escaped(format(part * top))}</text>`;
  });
  const marks = timeMarks(length, slotMs).map(
    (seconds) =>
      `<text class="dim mid" x="${x((seconds * 1_000) / slotMs).toFixed(1)}" y="${HEIGHT - 6}">${secondsText(seconds)}</text>`,
  );
  const paths = lines.map(
    ({ tone, values }, at) => `<path class="shaft ${tone}${at > 0 ? ' broken' : ''}" d="${pathOf(values, x, y)}"/>`,
  );
  return `<svg class="picture" role="img" aria-label="${escaped(label)}" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${grid.join('')}${marks.join('')}${paths.join('')}</svg>`;
}

/** Returns the legend: the sample of each line beside its name. */
export const legendOf = ({ lines }: Chart): string =>
  `<ul class="legend">${lines
    .map(
      ({ name, tone }, at) =>
        `<li><svg class="picture" viewBox="0 0 28 8" width="28" height="8" aria-hidden="true"><path class="shaft ${tone}${at > 0 ? ' broken' : ''}" d="M0 4H28"/></svg>${escaped(name)}</li>`,
    )
    .join('')}</ul>`;

/** Draws a line through the values. A single value between two gaps is a short stroke. */
function pathOf(values: Line['values'], x: (at: number) => number, y: (value: number) => number): string {
  let isDrawing = false;
  return values
    .map((value, at) => {
      if (value === null) {
        isDrawing = false;
        return '';
      }
      const step = `${isDrawing ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}${isDrawing ? '' : 'h.1'}`;
      isDrawing = true;
      return step;
    })
    .join('');
}

function timeMarks(length: number, slotMs: number): number[] {
  const last = ((length - 1) * slotMs) / 1_000;
  const step = TIME_STEPS.find((one) => last / one <= MOST_X_MARKS) ?? Math.ceil(last / MOST_X_MARKS);
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, at) => at * step);
}

function secondsText(seconds: number): string {
  if (seconds < 120) return `${seconds}s`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
