/** The page of one trace: a slider over its moments, the states of that moment, the ladder up to it, and the report. */
import { MACHINES } from '../../sim/scenario/trace/machines.ts';
import type { TraceEvent } from '../../src/trace/events.ts';
import { ladderOf } from '../../src/trace/picture/ladder.ts';
import { ladderText } from '../../src/trace/picture/ladder-text.ts';
import { timelineOf } from '../../src/trace/picture/timeline-svg.ts';
import { clockText, escaped } from '../../src/trace/picture/words.ts';
import type { KeptTrace } from '../../src/trace/read-trace.ts';
import { endOf, machineRunsOf } from '../../src/trace/state-spans.ts';
import { messagesPart } from './suite/html/messages.ts';
import { hashOf } from './suite/html/page.ts';
import { PAGE_STYLE } from './suite/html/page-style.ts';
import { timersPart } from './suite/html/timers.ts';

const STYLE = `${PAGE_STYLE}
.time{position:sticky;top:0;background:var(--page);padding:12px 0;z-index:1}.time input{width:100%}
.states{display:flex;flex-wrap:wrap;gap:6px 14px;margin:8px 0 0;padding:0;list-style:none}.ladder .later{opacity:.3}.states .elsewhen{display:none}
.ladder span{display:block;min-height:1.6em}.ladder .now{background:color-mix(in srgb,var(--rose) 16%,transparent)}`;

/** The page works without it: then every line and every state is visible. */
const SCRIPT = `
const slider = document.querySelector('#moment');
const lines = [...document.querySelectorAll('.ladder [data-at]')];
const states = [...document.querySelectorAll('.states [data-at]')];
const moments = [...new Set([...lines, ...states].map(({ dataset }) => Number(dataset.at)))].sort((a, b) => a - b);
const show = () => {
  const at = moments[slider.valueAsNumber];
  document.querySelector('#clock').textContent = (at / 1000).toFixed(3) + ' s';
  for (const line of lines) {
    line.classList.toggle('later', Number(line.dataset.at) > at);
    line.classList.toggle('now', Number(line.dataset.at) === at);
  }
  for (const { dataset, classList } of states)
    classList.toggle('elsewhen', !(Number(dataset.at) <= at && at < Number(dataset.to)));
  const now = document.querySelector('.ladder .now');
  if (now) now.scrollIntoView({ block: 'nearest' });
};
slider.max = String(moments.length - 1);
slider.value = slider.max;
slider.addEventListener('input', show);
document.querySelector('.time').hidden = moments.length === 0;
if (moments.length > 0) show();
`;

/** Returns the page of a trace as one file without external resources. */
export function tracePage({ events, run }: KeptTrace, name: string): string {
  const title = run === undefined ? name : `${run.scenario}${run.case === undefined ? '' : ` [${run.case}]`}`;
  const end = endOf(events);
  const options = { lengths: run?.timers, end };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hashOf(STYLE)}'; script-src '${hashOf(SCRIPT)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Ringback</title>
<style>${STYLE}</style>
</head>
<body>
<header><p class="brand">Ringback <span>trace</span></p><h1>${escaped(title)}</h1></header>
<main>
<div class="time" hidden><label for="moment">Moment <output id="clock" for="moment"></output></label><input type="range" id="moment" min="0" max="0" step="1">
<ul class="states">${statesOf(events, end)}</ul></div>
<section><h2>Messages</h2><pre class="ladder" tabindex="0" role="group" aria-label="ladder of messages">${ladderLines(events)}</pre></section>
<section><h2>States, timers and faults</h2><figure tabindex="0" aria-label="states, timers and faults over time">${timelineOf(events, MACHINES, { title, styled: false, ...options })}</figure>
${timersPart(events, options)}</section>
<section>${messagesPart(events)}</section>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/** Returns the states of each machine, each with the span of its time. */
const statesOf = (events: readonly TraceEvent[], end: number): string =>
  machineRunsOf(events, MACHINES, end)
    .flatMap(({ device, machine, spans }) =>
      spans.map(({ state, from, to }, at) => {
        // The last state has no end.
        const until = at === spans.length - 1 ? Infinity : to;
        const span = `${clockText(from)} to ${clockText(to)}`;
        return `<li data-at="${from}" data-to="${until}" title="${span}">${escaped(`${device} ${machine}`)} <b>${escaped(state)}</b></li>`;
      }),
    )
    .join('');

/** Returns the lines of the ladder, each with its time. */
function ladderLines(events: readonly TraceEvent[]): string {
  const ladder = ladderOf(events, MACHINES);
  const [head = '', blank = '', ...lines] = ladderText(ladder).trimEnd().split('\n');
  const rows = lines.map((line, at) => `<span data-at="${ladder.rows[at]?.at ?? 0}">${escaped(line)}</span>`);
  return `<span>${escaped(head)}</span><span>${escaped(blank)}</span>${rows.join('')}`;
}
