/**
 * What a trace says of causes: what each device did and heard, in order, and nothing of when. Two worlds that play one
 * story may differ in times, in ids, in how many ways ICE tries; they may not differ in this.
 */
import type { TraceEvent } from './trace.ts';

/**
 * The lanes of a device: what it did, what it was answered, and what it heard of others. Within a lane one thing leads to
 * the next; how lanes interleave is a matter of milliseconds.
 */
const LANES = ['did', 'was answered', 'heard'] as const;
type Lane = (typeof LANES)[number];
/** Events in words, by device and lane. */
export type CausalTrace = ReadonlyMap<string, Readonly<Record<Lane, readonly string[]>>>;

/** How many there are, and between which others they come, is the engine's and the clock's. */
const BY_CHANCE = new Set([
  'candidate',
  'remove_candidates',
  'alive',
  'alive_ack',
  'candidate_ack',
  'heartbeat',
  'heartbeat_ack',
]);
/** What is sent about a call and is no part of it. */
const LOGS = /\/(stats|logs?|debug_logs?)(\/|$)/;

/** Reads the causes of a trace. A message about a call that was sent again, since its answer came late, counts once. */
export function causalTrace(trace: readonly TraceEvent[]): CausalTrace {
  const devices = new Map<string, Record<Lane, string[]>>();
  const newest = new Map<string, string>();
  for (const event of trace) {
    const words = wordsOf(event);
    if (!words || !('device' in event) || isSentAgain(event, words, newest)) continue;
    const lanes = devices.get(event.device) ?? { did: [], 'was answered': [], heard: [] };
    devices.set(event.device, lanes);
    lanes[laneOf(event)].push(words);
  }
  return devices;
}

/**
 * Whether a message says the same of the same call as the newest of its name at this device. How long a sender waits before it
 * sends again is a matter of time. A message that does not name its call begins something new each time.
 *
 * @param newest - what the newest message of each name said, which this keeps up to date.
 */
function isSentAgain(event: TraceEvent, words: string, newest: Map<string, string>): boolean {
  if (event.kind !== 'message' || event.fate !== undefined) return false;
  const { payload } = event;
  if (typeof payload !== 'object' || payload === null || !('call_id' in payload)) return false;
  const key = `${event.device} ${event.direction} ${words}`;
  const text = JSON.stringify(payload);
  const isAgain = newest.get(key) === text;
  newest.set(key, text);
  return isAgain;
}

function laneOf(event: TraceEvent): Lane {
  if (event.kind !== 'message' || event.direction === 'up') return 'did';
  return event.cmd.endsWith('_ack') ? 'was answered' : 'heard';
}

/** An event in words; undefined where chance has its hand in it. */
function wordsOf(event: TraceEvent): string | undefined {
  switch (event.kind) {
    case 'message':
      if (BY_CHANCE.has(event.cmd)) return undefined;
      return `${event.direction === 'up' ? 'sends' : 'hears'} ${event.cmd}${event.error === undefined ? '' : ` (${event.error})`}${event.fate === 'dropped' ? ', which is lost' : ''}`;
    case 'http':
      if (event.direction === 'down' || LOGS.test(event.request)) return undefined;
      return `asks ${event.request.replaceAll(/\/[\w-]{8,}(?=\/)/g, '/:id')}${resultIn(event.body)}`;
    case 'state':
      return `${event.machine}: ${event.from} -> ${event.to}`;
    case 'told':
      return `is told ${event.name}`;
    case 'socket':
      return `channel ${event.what === 'open' ? 'opens' : 'closes'}`;
    case 'sound':
      return `${event.what}s ${event.name}`;
    default:
      return undefined;
  }
}

/** How the call ended, where a request tells it. */
const resultIn = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'end_result' in body ? ` ${String(body.end_result)}` : '';

/** The first difference in a lane of a device. */
export interface CausalDifference {
  readonly device: string;
  readonly lane: Lane;
  /** Where it is, from 0. */
  readonly at: number;
  readonly one: readonly string[];
  readonly other: readonly string[];
}

/** The first difference of each lane of each device. Empty where both traces say the same. */
export function causalDifferences(one: CausalTrace, other: CausalTrace): CausalDifference[] {
  const devices = [...new Set([...one.keys(), ...other.keys()])].toSorted();
  return devices.flatMap((device) =>
    LANES.flatMap((lane) => {
      const [a, b] = [one.get(device)?.[lane] ?? [], other.get(device)?.[lane] ?? []];
      const at = Array.from({ length: Math.max(a.length, b.length) }, (_, n) => n).find((n) => a[n] !== b[n]);
      return at === undefined ? [] : [{ device, lane, at, one: a, other: b }];
    }),
  );
}

/** Events shown before and after a difference. */
const BEFORE = 3;
const AFTER = 2;

/** A difference for people, with what stands around it in either world. */
export function differenceText(
  { device, lane, at, one, other }: CausalDifference,
  names: readonly [string, string],
): string {
  const around = (events: readonly string[]) =>
    [
      ...events.slice(Math.max(0, at - BEFORE), at),
      `[${events[at] ?? 'nothing more'}]`,
      ...events.slice(at + 1, at + 1 + AFTER),
    ].join('; ');
  return [
    `${device} ${lane} something else from event ${at + 1} on`,
    `  ${names[0]}: ${around(one)}`,
    `  ${names[1]}: ${around(other)}`,
  ].join('\n');
}
