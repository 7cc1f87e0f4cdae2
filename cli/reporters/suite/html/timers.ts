import { spanText } from '../../../../sim/format/duration.ts';
import { escaped, clockText } from '../../../../src/trace/picture/words.ts';
import { runningSince, type TimerOptions, type TimerRun, timerRunsOf } from '../../../../src/trace/timer-runs.ts';
import type { TraceEvent } from '../../../../src/trace/events.ts';
import { MACHINES } from '../../../../sim/scenario/trace/machines.ts';

/** Renders the timers of the calls, and how close each came to firing. */
export function timersPart(trace: readonly TraceEvent[], options: TimerOptions): string {
  const runs = timerRunsOf(trace, MACHINES, options);
  if (runs.length === 0) return '';
  return `<details class="more"><summary>Timers: ${runs.length}, of which ${runs.filter(({ fired }) => fired.length > 0).length} fired</summary>
<div class="scroll" tabindex="0" role="group" aria-label="timers"><table><caption>Progress of each timer</caption>
<thead><tr><th scope="col">device</th><th scope="col">timer</th><th scope="col">from</th><th scope="col">to</th><th scope="col">progress</th><th scope="col">outcome</th></tr></thead>
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
