/** The output of a replay: the events as a ladder, and the states of all people. */
import { spanText } from '../../sim/format/duration.ts';
import { ladderOf, lanesOf } from '../../src/trace/picture/ladder.ts';
import { callsOf } from '../../src/trace/trace-calls.ts';
import { ladderText } from '../../src/trace/picture/ladder-text.ts';
import type { Moment } from '../../sim/scenario/replay/moment.ts';
import { show } from '../../sim/scenario/format/values.ts';
import type { TraceEvent } from '../../src/trace/events.ts';
import { MACHINES } from '../../sim/scenario/trace/machines.ts';

/** The maximum number of pending events in the list. */
const MOST_PENDING = 8;

/** Formats all states at a moment, one line a device. */
export function momentLines({ at, devices, server, pending }: Moment): string {
  const names = [...Object.keys(devices), 'server'];
  const width = Math.max(...names.map((name) => name.length));
  const line = (name: string, values: Readonly<Record<string, unknown>>) => {
    const present = Object.entries(values).filter(([, value]) => !isNothing(value));
    return `  ${name.padEnd(width)}  ${present.map(([path, value]) => `${path} ${show(value)}`).join(', ') || 'nothing yet'}`;
  };
  return [
    `at ${spanText(at)}`,
    ...Object.entries(devices).map(([name, values]) => line(name, values)),
    line('server', server),
    ...(pending ? [`  ${pendingText(pending)}`] : []),
    '',
  ].join('\n');
}

/** States that only say that nothing has happened are left out. */
const isNothing = (value: unknown): boolean =>
  value === 0 ||
  value === '' ||
  value === 'none' ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

function pendingText(pending: readonly number[]): string {
  if (pending.length === 0) return 'nothing is due';
  const first = pending.slice(0, MOST_PENDING).map(spanText).join(', ');
  return `due in ${first}${pending.length > MOST_PENDING ? ` and ${pending.length - MOST_PENDING} more` : ''}`;
}

/** Formats the states of all people on one line, one lane each. */
export function lanesLine({ devices }: Moment): string {
  const lanes = Object.entries(devices).map(([name, values]) => {
    const { ws, pc, sound } = values;
    const peer = pc === 'none' ? '' : `, peer ${show(pc)}`;
    const plays = sound === 'none' ? '' : `, plays ${show(sound)}`;
    return `${name} ${show(values['call.state'] ?? 'no call')}${peer}${ws === 'open' ? '' : ', no channel'}${plays}`;
  });
  return `            [ ${lanes.join(' | ')} ]\n`;
}

/**
 * Formats the rows of a ladder from an event on. Its lanes are fixed at the start, so that it can be drawn in pieces.
 */
export function ladderPiece(
  trace: readonly TraceEvent[],
  { from, devices, whole }: { readonly from: number; readonly devices: readonly string[]; readonly whole: boolean },
): string {
  const calls = from === 0 ? {} : { calls: callsOf(trace) };
  const { rows } = ladderOf(trace.slice(from), MACHINES, { whole, ...calls });
  const [, , ...lines] = ladderText({ lanes: lanesOf(devices), rows }).split('\n');
  return lines.join('\n');
}

/** Formats the head of such a ladder. */
export function ladderHead(devices: readonly string[]): string {
  return ladderText({ lanes: lanesOf(devices), rows: [] });
}
