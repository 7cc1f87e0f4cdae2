import { spanText } from '../../../../sim/scenario/format/duration.ts';
import { escaped } from '../../../../sim/scenario/picture/escaped.ts';
import { clockText } from '../../../../sim/scenario/picture/time-axis.ts';
import { runningSince, type TimerRun, timerRunsOf } from '../../../../sim/scenario/trace/timer-runs.ts';
import type { TraceEvent } from '../../../../sim/scenario/trace/trace.ts';

/** Renders the timers of the calls, and how close each came to firing. */
export function timersPart(trace: readonly TraceEvent[], options: Parameters<typeof timerRunsOf>[1]): string {
  const runs = timerRunsOf(trace, options);
  if (runs.length === 0) return '';
  return `<details class="more"><summary>Timers: ${runs.length}, of which ${runs.filter(({ fired }) => fired.length > 0).length} fired</summary>
<div class="scroll" tabindex="0" role="group" aria-label="timers"><table><caption>How far each timer got</caption>
<thead><tr><th scope="col">device</th><th scope="col">timer</th><th scope="col">from</th><th scope="col">to</th><th scope="col">how far</th><th scope="col">what became of it</th></tr></thead>
<tbody>${runs.map(rowOf).join('')}</tbody></table></div></details>`;
}

function rowOf(run: TimerRun): string {
  const { device, timer, from, to, length, fired, end, endedBy } = run;
  const since = runningSince(run);
  const share = Math.min(1, Math.max(0, (to - since) / length));
  const times = fired.length > 1 ? `fired ${fired.length} times` : 'fired';
  const became = [
    ...(fired.length > 0 ? [times] : []),
    ...(end === 'stopped' ? [`stopped by ${endedBy ?? 'the end'}`] : end === 'running' ? ['still running'] : []),
  ].join(', ');
  return `<tr><td>${escaped(device)}</td><td>${timer}</td><td class="num">${clockText(from)}</td><td class="num">${clockText(to)}</td><td class="far"><svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="8" rx="4"/><rect class="${end === 'fired' ? 'bad' : 'rose'}" width="${(share * 100).toFixed(1)}" height="8" rx="4"/></svg>${spanText(to - since)} of ${spanText(length)}</td><td>${escaped(became)}</td></tr>`;
}
