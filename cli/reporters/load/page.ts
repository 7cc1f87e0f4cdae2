/** The report of a load run: one HTML page without external resources, with charts and the figures beside them. */
import { createHash } from 'node:crypto';
import { spanText } from '../../../sim/format/duration.ts';
import { escaped } from '../../../src/trace/picture/words.ts';
import { lengthOf } from '../../load/arrivals.ts';
import { FAILURES, OUTCOMES, TIME_NAMES, TIMES_MEASURED } from '../../load/metrics.ts';
import { CALL_KINDS } from '../../load/mix.ts';
import type { Slot } from '../../load/tally.ts';
import { PAGE_STYLE } from '../suite/html/page-style.ts';
import { type Chart, chartSvg, legendOf } from './chart.ts';
import { actualText, failedShare, heardText, type LoadSummary, percentText, timeText } from './summary.ts';

const STYLE = `${PAGE_STYLE}
main>section{background:var(--ground);border:1px solid var(--line);border-radius:14px;padding:16px 18px;margin:14px 0}main h2{margin:0 0 10px}
.beside{display:grid;grid-template-columns:minmax(0,3fr) minmax(200px,1fr);gap:20px;align-items:start}.beside figure{border:0;padding:0}.beside figure>svg{width:100%}
.beside p{margin:0 0 8px;font-size:14px}.legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 18px;margin:0 0 6px;padding:0;color:var(--dim);font-size:13px}.legend li{display:flex;gap:8px;align-items:center}.legend svg{flex:none}.meter .good{fill:var(--good)}
tr.good b{color:var(--good)}td:last-child{min-width:180px}td.name{font-family:var(--mono);white-space:nowrap}.plan{color:var(--dim);margin:10px 0 0;font-size:14px}
@media(max-width:760px){.beside{grid-template-columns:1fr}}`;

export function loadReportPage(summary: LoadSummary): string {
  const { tally, verdicts } = summary;
  const missed = verdicts.filter(({ ok }) => !ok).length;
  const isBad = missed > 0 || summary.end.isCutShort || (verdicts.length === 0 && tally.calls('failed') > 0);
  const title = headline(summary, missed);
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
<header>
<p class="brand">Ringback <span>load on ${escaped(summary.server)}</span></p>
<h1${isBad ? ' class="bad"' : ''}>${escaped(title)}</h1>
${notices(summary)}
${tiles(summary)}
<p class="plan">${escaped(planText(summary))}</p>
</header>
<main>
${thresholdsPart(summary)}
${chartsPart(summary)}
${timesPart(summary)}
${outcomesPart(summary)}
</main>
</body>
</html>
`;
}

function headline({ tally, verdicts }: LoadSummary, missed: number): string {
  if (missed > 0) return `${missed} of ${verdicts.length} thresholds ${missed === 1 ? 'does' : 'do'} not hold`;
  const failed = tally.calls('failed');
  const calls = `${tally.calls('calls')} calls`;
  return failed === 0 ? `${calls}, none failed` : `${failed} of ${calls} failed`;
}

function notices({ interrupted, end, tally }: LoadSummary): string {
  const { waitedCalls, dialledCalls } = tally;
  const lines = [
    ...(waitedCalls > 0
      ? [
          `${waitedCalls} of ${dialledCalls} calls waited, as no two users were free. Raise --concurrency, unless the server was slow.`,
        ]
      : []),
    ...(interrupted ? ['Ctrl-C ended the run early. The live calls were ended, and do not count as failed.'] : []),
    ...(end.isCutShort ? ['The server closed every channel: the run ended early.'] : []),
    ...(end.closedPairs > 0 && !end.isCutShort
      ? [`The server closed the channels of ${end.closedPairs} pairs of users.`]
      : []),
  ];
  return lines.map((line) => `<p class="notice" role="note">${line}</p>`).join('');
}

function tiles(summary: LoadSummary): string {
  const { tally, elapsedMs } = summary;
  const heard = heardText(summary);
  const ring = tally.time('dial-to-ring');
  const failed = tally.calls('failed');
  const shown: readonly (readonly [name: string, value: string, tone: string])[] = [
    ['calls dialled', String(tally.dialledCalls), ''],
    ['failed', `${failed} (${percentText(failedShare(tally))})`, failed > 0 ? 'bad' : 'good'],
    ...(heard === null ? [] : [['heard', heard, ''] as const]),
    ['most live at once', String(tally.peak), ''],
    ['dial to ring, p50', ring.count === 0 ? 'none' : timeText(ring.percentile(50)), ''],
    ['dial to ring, p99', ring.count === 0 ? 'none' : timeText(ring.percentile(99)), ''],
    ['time', spanText(Math.round(elapsedMs / 100) * 100), ''],
  ];
  return `<dl class="tiles">${shown.map(([name, value, tone]) => `<div class="tile ${tone}"><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>`;
}

function planText({ plan, concurrency }: LoadSummary): string {
  const stages = plan.stages.flatMap(({ forMs, toRate }, at) => {
    const from = plan.stages[at - 1]?.toRate ?? 0;
    // A stage without length is a jump.
    if (forMs === 0) return [];
    return from === toRate
      ? [`${toRate} calls/s for ${spanText(forMs)}`]
      : [`${from} to ${toRate} calls/s in ${spanText(forMs)}`];
  });
  const mix = CALL_KINDS.filter((kind) => plan.mix[kind] > 0).map((kind) => `${kind} ${plan.mix[kind]}`);
  return `Plan: ${stages.join(', then ')}, ${spanText(lengthOf(plan.stages))} in all; at most ${concurrency} calls at a time, each connected for ${spanText(plan.holdMs)}; mix ${mix.join(', ')}.`;
}

function thresholdsPart({ verdicts }: LoadSummary): string {
  if (verdicts.length === 0) return '';
  const rows = verdicts.map(
    (verdict) =>
      `<tr class="${verdict.ok ? 'good' : 'bad'}"><td><b>${verdict.ok ? 'holds' : 'does not hold'}</b></td><td class="name">${escaped(verdict.threshold.text)}</td><td class="num">${actualText(verdict)}</td></tr>`,
  );
  return `<section><h2>Thresholds</h2><div class="scroll"><table><thead><tr><th>verdict</th><th>threshold</th><th>measured</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`;
}

function chartsPart({ tally }: LoadSummary): string {
  const slots = tally.slots();
  if (slots.length === 0) return '';
  const { slotMs } = tally;
  const perSecond = (count: number) => (count * 1_000) / slotMs;
  const rates: Chart = {
    label: 'Calls dialled, ended and failed a second, over the time of the run',
    slotMs,
    format: (value) => `${Number(value.toFixed(2))}/s`,
    lines: [
      { name: 'dialled', tone: 'way', values: slots.map(({ dialled }) => perSecond(dialled)) },
      { name: 'ended as planned', tone: 'good', values: slots.map(({ ended }) => perSecond(ended)) },
      { name: 'failed', tone: 'bad', values: slots.map(({ failed }) => perSecond(failed)) },
    ],
  };
  const times: Chart = {
    label: 'The 50th and 99th percentile of the time from dial to ring, over the time of the run',
    slotMs,
    format: timeText,
    lines: [
      { name: 'p50', tone: 'way', values: slots.map(({ p50 }) => p50) },
      { name: 'p99', tone: 'rose', values: slots.map(({ p99 }) => p99) },
    ],
  };
  const live: Chart = {
    label: 'Live calls over the time of the run',
    slotMs,
    format: (value) => String(Number(value.toFixed(2))),
    lines: [{ name: 'live calls', tone: 'way', values: slots.map((slot) => slot.live) }],
  };
  return [
    figure('Calls a second', rates, rateText(slots, perSecond)),
    figure('Dial to ring', times, worstText(slots)),
    figure('Live calls', live, `At most ${tally.peak} calls were live at once.`),
  ].join('\n');
}

const figure = (title: string, chart: Chart, text: string): string =>
  `<section><h2>${title}</h2><div class="beside"><figure>${legendOf(chart)}${chartSvg(chart)}</figure><div><p>${text}</p><p class="hint">Each point is ${spanText(chart.slotMs)}.</p></div></div></section>`;

function rateText(slots: readonly Slot[], perSecond: (count: number) => number): string {
  const peak = slots.reduce((most, { dialled }) => Math.max(most, dialled), 0);
  const failing = slots.filter(({ failed }) => failed > 0);
  const failures =
    failing.length === 0
      ? 'No call failed.'
      : `Calls failed from ${spanText(failing[0]?.at ?? 0)} to ${spanText(failing.at(-1)?.at ?? 0)} of the run.`;
  return `At most ${Number(perSecond(peak).toFixed(1))} calls a second were dialled. ${failures}`;
}

function worstText(slots: readonly Slot[]): string {
  const [worst] = slots.filter(({ p99 }) => p99 !== null).toSorted((a, b) => (b.p99 ?? 0) - (a.p99 ?? 0));
  if (!worst) return 'No callee rang.';
  return `The slowest point is ${spanText(worst.at)} into the run: p50 ${timeText(worst.p50 ?? 0)}, p99 ${timeText(worst.p99 ?? 0)}. The time counts from the moment when the dial was due.`;
}

function timesPart({ tally }: LoadSummary): string {
  const rows = TIME_NAMES.map((name) => {
    const { count, p50, p90, p95, p99, 'p99.9': p999, max } = tally.time(name).summary();
    const cells = [p50, p90, p95, p99, p999, max].map((ms) => (count === 0 ? 'none' : timeText(ms)));
    return `<tr><td class="name">${name}</td>${[...cells, String(count)].map((cell) => `<td class="num">${cell}</td>`).join('')}<td>${TIMES_MEASURED[name]}</td></tr>`;
  });
  const heads = ['time', 'p50', 'p90', 'p95', 'p99', 'p99.9', 'max', 'count', 'spans'];
  return `<section><h2>Times</h2><div class="scroll"><table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`;
}

function outcomesPart({ tally }: LoadSummary): string {
  const all = Math.max(1, tally.calls('calls'));
  const rows = tally.outcomes.map(({ outcome, detail, count }) => {
    const isFailure = FAILURES.some((failure) => failure === outcome);
    const share = ((count / all) * 100).toFixed(2);
    return `<tr class="${isFailure ? 'bad' : ''}"><td><b>${outcome}</b>${detail === '' ? '' : ` ${escaped(detail)}`}</td><td class="far"><svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="8"/><rect class="${isFailure ? 'bad' : 'good'}" width="${share}" height="8"/></svg>${count} (${percentText(count / all)})</td><td>${OUTCOMES[outcome]}</td></tr>`;
  });
  const body = rows.length === 0 ? '<tr><td colspan="3">No call was made.</td></tr>' : rows.join('');
  return `<section><h2>Outcomes</h2><div class="scroll"><table><thead><tr><th>outcome</th><th>calls</th><th>meaning</th></tr></thead><tbody>${body}</tbody></table></div></section>`;
}
