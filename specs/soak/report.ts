/** The report of soak runs: a page without external resources, with charts; or JSON. */
import { createHash } from 'node:crypto';
import { type Chart, chartSvg, legendOf, type Line } from '../../cli/reporters/load/chart.ts';
import { PAGE_STYLE } from '../../cli/reporters/suite/html/page-style.ts';
import { spanText } from '../../sim/format/duration.ts';
import { escaped } from '../../src/trace/picture/words.ts';
import { holds, type SoakPoint, type SoakResult } from './soak-run.ts';

const STYLE = `${PAGE_STYLE}
main>section{background:var(--ground);border:1px solid var(--line);border-radius:14px;padding:16px 18px;margin:14px 0}main h2{margin:0 0 10px}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 18px;margin:0 0 6px;padding:0;color:var(--dim);font-size:13px}.legend li{display:flex;gap:8px;align-items:center}.legend svg{flex:none}
tr.good b{color:var(--good)}figure{margin:12px 0;max-width:760px}figure>svg{width:100%}figcaption{color:var(--dim);font-size:13px}`;

/** The most values of a line of a chart. */
const MOST_VALUES = 600;
const TONES: readonly Line['tone'][] = ['way', 'rose', 'good', 'trouble', 'bad'];

export function reportPage(results: readonly SoakResult[]): string {
  const failed = results.filter((result) => !holds(result)).length;
  const title =
    failed === 0 ? `${results.length} soak runs hold` : `${failed} of ${results.length} soak runs do not hold`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Ringback</title>
<style>${STYLE}</style>
</head>
<body>
<header><p class="brand">Ringback <span>soak</span></p><h1${failed > 0 ? ' class="bad"' : ''}>${escaped(title)}</h1></header>
<main>
${results.map(section).join('\n')}
</main>
</body>
</html>
`;
}

export const reportJson = (results: readonly SoakResult[]): string =>
  `${JSON.stringify(
    results.map((result) => ({
      ...result,
      holds: holds(result),
      figures: Object.fromEntries(result.figures),
      charts: Object.fromEntries([...result.charts].map(([name, lines]) => [name, Object.fromEntries(lines)])),
    })),
    null,
    2,
  )}\n`;

function section(result: SoakResult): string {
  const { id, about, conditions, figures, isShort, elapsedMs, isInterrupted, seed } = result;
  const rows = conditions.map(
    ({ ok, text, measured }) =>
      `<tr class="${ok ? 'good' : 'bad'}"><td><b>${ok ? 'holds' : 'does not hold'}</b></td><td>${escaped(text)}</td><td>${escaped(measured)}</td></tr>`,
  );
  const values = figures.map(([name, value]) => `<tr><td>${escaped(name)}</td><td>${escaped(value)}</td></tr>`);
  const form = `${isShort ? 'Short' : 'Long'} form, ${spanText(Math.round(elapsedMs / 100) * 100)}, seed ${seed}.`;
  return `<section><h2>${id}: ${escaped(about)}</h2><p class="hint">${form}${isInterrupted ? ' Ctrl-C ended the load early.' : ''}</p>
<div class="scroll"><table><thead><tr><th>verdict</th><th>condition</th><th>measured</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>
${[...result.charts].map(([name, lines]) => figure(name, lines)).join('\n')}
<div class="scroll"><table><thead><tr><th>figure</th><th>value</th></tr></thead><tbody>${values.join('')}</tbody></table></div></section>`;
}

function figure(name: string, lines: ReadonlyMap<string, readonly SoakPoint[]>): string {
  const end = Math.max(1, ...[...lines.values()].flat().map(({ at }) => at));
  const slots = Math.min(MOST_VALUES, Math.max(2, ...[...lines.values()].map(({ length }) => length)));
  const slotMs = end / (slots - 1);
  const chart: Chart = {
    label: `${name} over the time of the run`,
    slotMs,
    format: (value) => String(Number(value.toFixed(2))),
    lines: [...lines].map(([line, points], at) => ({
      name: line,
      tone: TONES[at % TONES.length] ?? 'way',
      values: inSlots(points, slots, slotMs),
    })),
  };
  return `<figure><figcaption>${escaped(name)}</figcaption>${legendOf(chart)}${chartSvg(chart)}</figure>`;
}

/** Returns the largest value of each slot, null in a slot without one. */
function inSlots(points: readonly SoakPoint[], slots: number, slotMs: number): (number | null)[] {
  const values = Array.from({ length: slots }, (): number | null => null);
  for (const { at, value } of points) {
    const slot = Math.min(slots - 1, Math.round(at / slotMs));
    values[slot] = Math.max(values[slot] ?? value, value);
  }
  return values;
}
