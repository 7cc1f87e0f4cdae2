import type { Tone } from '../machines.ts';
import { type Arrow, EXCHANGE, type Ladder, type LadderRow, type Note } from './ladder.ts';
import { fitted, PICTURE_STYLE, widthOf } from './style.ts';
import type { PictureOptions } from './timeline-svg.ts';
import { callText, clockText, escaped, spanText } from './words.ts';

/** The distances between lanes. Few lanes are farther apart. Pixels. */
const [WIDE_LANE, LANE] = [290, 224];
const LEFT = 84;
const TOP = 58;
const ROW = 26;
const BAND = 9;
/** Ids of calls, which readers do not need. */
const ID = /(?<=\/)(?=[\w-]*\d)[\w-]{12,}(?=\/|$)/;
/** A wait of at least this length gets a label between the rows. Milliseconds. */
const WAIT_MS = 1_000;

type X = (lane: string) => number;

/** A row with its position, and the wait before it. */
interface Placed {
  readonly row: LadderRow;
  readonly y: number;
  readonly wait: number;
  /** Whether its moment differs from that of the row above. */
  readonly isNews: boolean;
}

/**
 * Returns a ladder as a picture: the messages, and lanes colored by the state of their calls. An SVG without scripts
 * or external files, light and dark.
 */
export function svgOf(ladder: Ladder, { title, styled = true }: PictureOptions): string {
  const { lanes, rows } = ladder;
  const step = lanes.length > 3 ? LANE : WIDE_LANE;
  const x: X = (lane) => LEFT + 56 + lanes.indexOf(lane) * step;
  const width = LEFT + 56 + Math.max(0, lanes.length - 1) * step + 250;
  const placed = place(rows);
  const height = (placed.at(-1)?.y ?? TOP) + 34;
  const parts = [
    ...placed.map((one) => drawGround(one, width)),
    ...lanes.map((lane) => head(lane, x, height)),
    ...lanes.flatMap((lane) => bands(lane, placed, x, height)),
    ...placed.map(({ row, y }) => (row.kind === 'arrow' ? drawArrow(row, y, { x, step }) : drawNote(row, y, x, width))),
  ];
  const told = `${rows.length} rows between ${lanes.join(', ')}, as the text beside it lists them.`;
  return `<svg class="picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}"><title>${escaped(title)}</title><desc>${escaped(told)}</desc>${styled ? `<style>${PICTURE_STYLE}</style><rect class="ground" width="${width}" height="${height}"/>` : ''}${parts.join('')}</svg>\n`;
}

function place(rows: readonly LadderRow[]): Placed[] {
  let y = TOP;
  let before = 0;
  return rows.map((row, index) => {
    const wait = row.at - before;
    const isLong = wait >= WAIT_MS;
    y += index === 0 ? 0 : ROW + (isLong ? ROW : 0);
    if (index === 0 && isLong) y += ROW;
    before = row.at;
    return { row, y, wait: isLong ? wait : 0, isNews: index === 0 || wait > 0 };
  });
}

const head = (lane: string, x: X, height: number): string => {
  const width = Math.max(72, widthOf(lane) + 24);
  return `<path class="lane" d="M${x(lane)} ${TOP - 22}V${height - 14}"/><rect class="box" x="${x(lane) - width / 2}" y="10" width="${width}" height="26" rx="13"/><text class="mid strong" x="${x(lane)}" y="27">${escaped(lane)}</text>`;
};

/** Returns the lane, colored by the state of the device's call. */
function bands(lane: string, placed: readonly Placed[], x: X, height: number): string[] {
  const moves = placed.flatMap(({ row, y }) =>
    row.kind === 'note' && row.lane === lane && row.state ? [{ y, state: row.state, tone: row.tone }] : [],
  );
  return moves.map(({ y, state, tone }, index) => {
    const end = moves[index + 1]?.y ?? height - 14;
    return state.isFinal
      ? ''
      : `<rect class="band ${tone}" x="${x(lane) - BAND / 2}" y="${y}" width="${BAND}" height="${end - y}" rx="2"><title>${escaped(`${lane}: ${state.name}`)}</title></rect>`;
  });
}

/** Returns the background of a row: the moment, the wait before it, and the strip of a row for all lanes. */
function drawGround({ row, y, wait, isNews }: Placed, width: number): string {
  const time = isNews ? `<text class="num small" x="${LEFT - 10}" y="${y + 4}">${clockText(row.at)}</text>` : '';
  const pause =
    wait === 0
      ? ''
      : `<path class="grid" stroke-dasharray="2 5" d="M${LEFT} ${y - ROW}H${width - 12}"/><text class="num small" x="${LEFT - 10}" y="${y - ROW + 4}">+${spanText(wait)}</text>`;
  const strip =
    row.kind === 'note' && row.lane === undefined
      ? `<rect class="strip ${row.tone}" x="${LEFT}" y="${y - 11}" width="${width - LEFT - 12}" height="22" rx="5"/>`
      : '';
  return pause + strip + time;
}

function drawNote({ lane, text, tone, state }: Note, y: number, x: X, width: number): string {
  const left = lane === undefined ? LEFT + 56 : x(lane);
  const space = width - left - 30;
  const words = text.replaceAll(' -> ', ' → ');
  const mark = state
    ? `<rect class="band" x="${left - BAND / 2 - 2}" y="${y - 2}" width="${BAND + 4}" height="4" rx="2"/>`
    : lane === undefined
      ? ''
      : `<circle class="pin" cx="${left}" cy="${y}" r="3.5"/>`;
  const weight = state || lane === undefined ? ' strong' : '';
  return `<g class="${tone}">${titleWhere(words, space)}${mark}<text class="small words halo${weight}" x="${left + 14}" y="${y + 4}">${escaped(fitted(words, space))}</text></g>`;
}

function drawArrow(arrow: Arrow, y: number, { x, step }: { readonly x: X; readonly step: number }): string {
  const { from, to, text, lost, fate, refused, call } = arrow;
  const forward = x(to) > x(from) ? 1 : -1;
  const [start, target] = [x(from) + forward * (BAND / 2 + 1), x(to) - forward * (BAND / 2 + 1)];
  const end = lost ? (start + target) / 2 + forward * 30 : target;
  const tone: Tone = lost || refused ? 'bad' : fate === undefined ? 'way' : 'trouble';
  const tip = lost
    ? `<path class="shaft" d="M${end - 5} ${y - 5}l10 10m-10 0l10 -10"/>`
    : `<path class="pin" d="M${end} ${y}l${-forward * 8} -4.5v9z"/>`;
  const words = `${text.replace(ID, '…')}${callText(call)}${fate === undefined ? '' : ` · ${fate}`}`;
  const space = step - BAND - 16;
  // The label is at the device's end of an arrow that crosses others.
  const device = from === EXCHANGE ? to : from;
  const middle = x(device) + (Math.sign(x(EXCHANGE) - x(device)) * step) / 2;
  return `<g class="${tone}">${titleWhere(words, space)}<path class="shaft${lost ? ' broken' : ''}" d="M${start} ${y}H${end}"/>${tip}<text class="mid small halo${tone === 'way' ? '' : ' words strong'}" x="${middle}" y="${y - 5}">${escaped(fitted(words, space))}</text></g>`;
}

/** Returns a title with the full text for the pointer if only a part fits. */
const titleWhere = (text: string, space: number): string =>
  fitted(text, space) === text ? '' : `<title>${escaped(text)}</title>`;
