import { spanText } from '../format/duration.ts';
import { runningSince, type TimerRun } from '../trace/timer-runs.ts';
import { momentText } from './ladder-rows.ts';

const BAR = 30;

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
  const filled = Math.min(BAR, Math.floor(((run.to - runningSince(run)) / run.length) * BAR));
  return '#'.repeat(filled).padEnd(BAR, '.');
}

function howFar(run: TimerRun): string {
  const { to, length, fired, end, endedBy } = run;
  if (end === 'fired') return `fired after ${spanText(length)}`;
  const times = fired.length === 0 ? '' : `fired ${fired.length === 1 ? 'once' : `${fired.length} times`}, `;
  const became = end === 'running' ? 'still running' : `stopped by ${endedBy ?? 'the end'}`;
  return `${spanText(to - runningSince(run))} of ${spanText(length)}, ${times}${became}`;
}
