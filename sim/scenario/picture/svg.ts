import { type Ladder, type LadderRow, momentText } from './ladder-rows.ts';

const LANE = 220;
const LEFT = 96;
const TOP = 54;
const ROW = 24;

/** A ladder as a picture of its own: an SVG without scripts or outside files, light and dark. */
export function svgOf(ladder: Ladder, title: string): string {
  const { lanes, rows } = ladder;
  const x = (lane: string) => LEFT + 60 + lanes.indexOf(lane) * LANE;
  const width = LEFT + 60 + Math.max(0, lanes.length - 1) * LANE + 220;
  const height = TOP + rows.length * ROW + 30;
  const heads = lanes.map(
    (lane) =>
      `<line class="lane" x1="${x(lane)}" y1="${TOP - 14}" x2="${x(lane)}" y2="${height - 16}"/><text class="head" x="${x(lane)}" y="${TOP - 24}">${escaped(lane)}</text>`,
  );
  const drawn = rows.map((row, index) => drawRow(row, TOP + index * ROW, x, width));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<rect class="ground" width="${width}" height="${height}"/>
${heads.join('\n')}
${drawn.join('\n')}
</svg>
`;
}

function drawRow(row: LadderRow, y: number, x: (lane: string) => number, width: number): string {
  const time = `<text class="time" x="${LEFT - 12}" y="${y + 4}">${momentText(row.at).trim()}</text>`;
  if (row.kind === 'note') {
    if (row.lane === undefined) {
      return `${time}<rect class="fault" x="${LEFT}" y="${y - 10}" width="${width - LEFT - 12}" height="18" rx="4"/><text class="faultText" x="${LEFT + 10}" y="${y + 4}">${escaped(row.text)}</text>`;
    }
    return `${time}<circle class="dot" cx="${x(row.lane)}" cy="${y}" r="3.5"/><text class="note" x="${x(row.lane) + 10}" y="${y + 4}">${escaped(row.text)}</text>`;
  }
  const [from, to] = [x(row.from), x(row.to)];
  const forward = to > from ? 1 : -1;
  const end = row.lost ? (from + to) / 2 : to - forward * 2;
  const tip = row.lost
    ? `<path class="lost" d="M${end - 5} ${y - 5}L${end + 5} ${y + 5}M${end - 5} ${y + 5}L${end + 5} ${y - 5}"/>`
    : `<path class="tip" d="M${end} ${y}l${-forward * 8} -4v8z"/>`;
  const words = row.fate === undefined || row.lost ? row.text : `${row.text} (${row.fate})`;
  return `${time}<line class="${row.lost ? 'shaft gone' : 'shaft'}" x1="${from}" y1="${y}" x2="${end}" y2="${y}"/>${tip}<text class="message" x="${(from + to) / 2}" y="${y - 4}">${escaped(words)}</text>`;
}

const STYLE = `
svg{font:12px ui-sans-serif,system-ui,sans-serif;--ink:#241a2b;--dim:#6b6072;--ground:#fff;--line:#d8d0dc;--go:#1f5fbf;--bad:#b3261e;--amber:#ffedc2}
@media(prefers-color-scheme:dark){svg{--ink:#f2ecf5;--dim:#b3a8ba;--ground:#1a141f;--line:#3f3547;--go:#8ab8ff;--bad:#ff9b93;--amber:#4a3a10}}
.ground{fill:var(--ground)}.lane{stroke:var(--line)}.head{fill:var(--ink);font-weight:600;text-anchor:middle}
.time{fill:var(--dim);text-anchor:end;font-variant-numeric:tabular-nums}.shaft{stroke:var(--go);stroke-width:1.4}.gone{stroke:var(--bad);stroke-dasharray:4 3}
.tip{fill:var(--go)}.lost{stroke:var(--bad);stroke-width:2;fill:none}.message{fill:var(--ink);text-anchor:middle}.note{fill:var(--dim)}.dot{fill:var(--dim)}
.fault{fill:var(--amber)}.faultText{fill:var(--ink);font-weight:600}`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
