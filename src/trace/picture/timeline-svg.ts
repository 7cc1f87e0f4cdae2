/** The states, timers and faults of a trace over time: an SVG with one row for each, on one axis. */
import type { TimerLengths, TraceEvent } from '../events.ts';
import { type Tone, toneOf, type TraceMachine, type TraceMachines } from '../machines.ts';
import { endOf, type MachineRun, machineRunsOf } from '../state-spans.ts';
import { type TimerRun, timerRunsOf } from '../timer-runs.ts';
import { fitted, PICTURE_STYLE, widthOf } from './style.ts';
import { type TimeAxis, timeAxis } from './time-axis.ts';
import { clockText, escaped, spanText } from './words.ts';

export interface PictureOptions {
  readonly title: string;
  /** Whether it contains its style. Default: true. Without it the page must have the style. */
  readonly styled?: boolean;
}

export interface TimelineOptions extends PictureOptions {
  readonly lengths?: TimerLengths | undefined;
  /** When the run ended. Default: the last event of the trace. */
  readonly end?: number | undefined;
  /** Whether a failed step ended it. */
  readonly failed?: boolean;
}

const WIDTH = 960;
const LEFT = 168;
const RIGHT = 14;
const TOP = 14;
const BAR = 20;
const ROW = 28;
const TICK_SPACE = 62;

interface Bar {
  readonly from: number;
  readonly to: number;
  readonly tone: Tone;
  readonly words: string;
  /** The text that a pointer shows. */
  readonly told: string;
  /** When it would have ended. */
  readonly until?: number;
  /** Moments within it. */
  readonly pins?: readonly number[];
}

interface Row {
  readonly name: string;
  readonly isHead: boolean;
  readonly bars: readonly Bar[];
}

/** Returns the picture. Long waits are shortened: see {@link timeAxis}. @param machines - the tables of its machines. */
export function timelineOf(trace: readonly TraceEvent[], machines: TraceMachines, options: TimelineOptions): string {
  const { title, styled = true, lengths, end = endOf(trace), failed = false } = options;
  const rows = rowsOf(trace, machines, timerRunsOf(trace, machines, { lengths, end }), end);
  const moments = rows.flatMap(({ bars }) => bars.flatMap(({ from, to, pins = [] }) => [from, to, ...pins]));
  const axis = timeAxis([...moments, end], WIDTH - LEFT - RIGHT, TICK_SPACE);
  const bottom = TOP + rows.length * ROW;
  const height = bottom + 30;
  const parts = [
    ...axis.ticks.map((at) => tick(at, axis, bottom)),
    ...rows.map((row, index) => drawRow(row, TOP + index * ROW, axis)),
    ...(failed ? [failure(end, axis, bottom)] : []),
  ];
  const told = `The states, timers and faults of ${title} over time, as the text beside it lists them.`;
  return `<svg class="picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}"><title>${escaped(title)}</title><desc>${escaped(told)}</desc>${styled ? `<style>${PICTURE_STYLE}</style><rect class="ground" width="${WIDTH}" height="${height}"/>` : ''}${parts.join('')}</svg>\n`;
}

function rowsOf(
  trace: readonly TraceEvent[],
  machines: TraceMachines,
  timers: readonly TimerRun[],
  end: number,
): Row[] {
  const devices = [...new Set(trace.flatMap((event) => ('device' in event ? [event.device] : [])))];
  const faults = lanes(faultBars(trace, end)).map((bars, at) => ({
    name: at === 0 ? 'faults' : '',
    isHead: true,
    bars,
  }));
  const runs = machineRunsOf(trace, machines, end);
  return [
    ...faults,
    ...devices.flatMap((device) => [
      ...Object.entries(machines).flatMap(([name, machine]) =>
        stateRows(
          machine,
          runs.filter((run) => run.device === device && run.machine === name),
        ),
      ),
      ...timerRows(timers.filter((run) => run.device === device)),
    ]),
  ];
}

/** Returns the rows of the runs of one machine of a device. */
function stateRows(machine: TraceMachine, runs: readonly MachineRun[]): Row[] {
  const { timelineLabel, isMain } = machine;
  const name = timelineLabel === '' ? (runs[0]?.device ?? '') : timelineLabel;
  return lanes(runs.map((run) => stateBars(machine, run))).map((bars, at) => ({
    name: at === 0 ? name : '',
    isHead: isMain,
    bars: bars.flat(),
  }));
}

/** Returns a row for each timer of a device. */
function timerRows(runs: readonly TimerRun[]): Row[] {
  return [...new Set(runs.map(({ timer }) => timer))].map((name) => ({
    name: `${name} timer`,
    isHead: false,
    bars: runs.filter(({ timer }) => timer === name).map(timerBar),
  }));
}

/** Distributes items to rows, so that items that overlap are in different rows. */
function lanes<T extends Bar | readonly Bar[]>(items: readonly T[]): T[][] {
  const rows: T[][] = [];
  const [beginning, ending] = [(item: T) => [item].flat()[0] as Bar, (item: T) => [item].flat().at(-1) as Bar];
  for (const item of items) {
    const free = rows.find((row) => row.every((other) => ending(other).to <= beginning(item).from));
    if (free) free.push(item);
    else rows.push([item]);
  }
  return rows;
}

/** Returns the bars of a run. The final state is not drawn. */
function stateBars(machine: TraceMachine, { device, spans, isOver }: MachineRun): Bar[] {
  const label = machine.timelineLabel === '' ? '' : `${machine.timelineLabel} `;
  return (isOver ? spans.slice(0, -1) : spans).map(({ state, from, to }) => ({
    from,
    to,
    tone: toneOf(machine, state),
    words: state,
    told: `${device} ${label}${state}: ${clockText(from)} to ${clockText(to)}`,
  }));
}

function timerBar({ device, timer, from, to, length, fired, end, endedBy }: TimerRun): Bar {
  const ended = end === 'running' ? 'still running' : end === 'fired' ? 'fired' : 'stopped';
  const count = fired.length > 1 ? `fired ${fired.length} times` : fired.length === 1 ? 'fired' : ended;
  const words =
    end === 'fired' ? `fired after ${spanText(length)}` : `${spanText(to - from)} of ${spanText(length)}, ${count}`;
  return {
    from,
    to,
    tone: end === 'fired' ? 'bad' : 'rose',
    words,
    told: `${device} ${timer} timer: ${clockText(from)} to ${clockText(to)}, ${words}${endedBy === undefined ? '' : `, ended by ${endedBy}`}`,
    ...(fired.length > 0 ? {} : { until: from + length }),
    pins: fired,
  };
}

function faultBars(trace: readonly TraceEvent[], end: number): Bar[] {
  const bars: Bar[] = [];
  const open = new Map<string, number>();
  const close = (what: string, to: number) => {
    const from = open.get(what);
    if (from === undefined) return;
    open.delete(what);
    bars.push({
      from,
      to,
      tone: 'trouble',
      words: what,
      told: `fault ${what}: ${clockText(from)} to ${clockText(to)}`,
    });
  };
  for (const event of trace) {
    if (event.kind !== 'fault') continue;
    if (event.on) open.set(event.what, event.at);
    else close(event.what, event.at);
  }
  for (const what of [...open.keys()]) close(what, end);
  return bars.toSorted((a, b) => a.from - b.from);
}

function drawRow({ name, isHead, bars }: Row, y: number, { x }: TimeAxis): string {
  const left = (at: number) => LEFT + x(at);
  const middle = y + ROW / 2;
  const label = `<text class="end ${isHead ? 'strong' : 'dim small'}" x="${LEFT - 12}" y="${middle + 4}">${escaped(fitted(name, LEFT - 20))}</text>`;
  const drawn = bars.map(({ from, to, tone, words, told, until, pins = [] }, index) => {
    const [start, width] = [left(from), Math.max(2, left(to) - left(from))];
    const next = bars[index + 1];
    const isInside = widthOf(words) <= width - 8;
    // The label of a timer may be behind it, up to the next bar.
    const behind = (next ? left(next.from) : WIDTH - RIGHT) - start - width - 12;
    const isBehind = !isInside && !isHead && widthOf(words) <= behind;
    const shown = isInside || isBehind ? words : width > 40 ? fitted(words, width - 10) : '';
    const ghost =
      until === undefined || isBehind || left(until) <= start + width + 4
        ? ''
        : `<path class="ghost" d="M${px(start + width)} ${middle}H${px(Math.min(left(until), WIDTH - RIGHT))}"/>`;
    const height = isHead ? BAR : BAR - 4;
    return `<g class="${tone}"><title>${escaped(told)}</title><rect class="bar" x="${px(start)}" y="${middle - height / 2}" width="${px(width)}" height="${height}" rx="4"/>${ghost}${pins.map((at) => `<circle class="pin" cx="${px(left(at))}" cy="${middle}" r="3.5"/>`).join('')}${shown === '' ? '' : `<text class="small" x="${px(start + (isBehind ? width : 0) + 6)}" y="${middle + 4}">${escaped(shown)}</text>`}</g>`;
  });
  return label + drawn.join('');
}

const tick = (at: number, { x }: TimeAxis, bottom: number): string =>
  `<path class="grid" d="M${px(LEFT + x(at))} ${TOP - 6}V${bottom + 4}"/><text class="dim small ${x(at) > WIDTH - LEFT - RIGHT - 30 ? 'end' : 'mid'}" x="${px(LEFT + x(at))}" y="${bottom + 18}">${clockText(at)}</text>`;

const failure = (at: number, { x }: TimeAxis, bottom: number): string =>
  `<g class="bad"><title>the step failed at ${clockText(at)}</title><path class="shaft" d="M${px(LEFT + x(at))} ${TOP - 6}V${bottom + 4}"/><circle class="pin" cx="${px(LEFT + x(at))}" cy="${TOP - 7}" r="4.5"/></g>`;

const px = (value: number): string => String(Math.round(value * 10) / 10);
