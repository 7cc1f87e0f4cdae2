/**
 * The causal order of a trace: what each device did and received, in order, without times. Two worlds that run one
 * story may differ in times, in ids and in the attempts of ICE. They must not differ in this.
 */
import { ErrorCode } from '../protocol/errors.ts';
import type { TraceEvent } from './events.ts';

/**
 * The lanes of a device: its actions, the answers to it, and the messages of others. Within a lane events are ordered
 * by cause; the order between lanes depends on milliseconds.
 */
const LANES = ['did', 'was answered', 'heard'] as const;
type Lane = (typeof LANES)[number];
/** Events in words, by device and lane. */
export type CausalTrace = ReadonlyMap<string, Readonly<Record<Lane, readonly string[]>>>;

/** Messages whose number and order depend on the engine and the clock. */
const BY_CHANCE = new Set([
  'candidate',
  'remove_candidates',
  'alive',
  'alive_ack',
  'candidate_ack',
  'heartbeat',
  'heartbeat_ack',
]);
/** The answers to media states. They say nothing that the state does not, unless they refuse it. */
const OF_MEDIA = new Set(['audio_ack', 'video_ack']);
/** No refusal, and that of a media state that crosses the end of its call. */
const BY_TIME = new Set<number | undefined>([undefined, ErrorCode.ERR_INVALID_CALL_STATUS]);
const KINDS = ['audio', 'video'] as const;
/** Requests about a call that are no part of it. */
const LOGS = /\/(stats|logs?|debug_logs?)(\/|$)/;

/**
 * Returns the causal order of a trace. A message about a call that was repeated because its answer was late counts
 * once. A media state that the dial, the accept or an earlier state has named does not count: when it is sent, and
 * whether the call ends before, is a matter of time.
 */
export function causalTrace(trace: readonly TraceEvent[]): CausalTrace {
  const devices = new Map<string, Record<Lane, string[]>>();
  const newest = new Map<string, string>();
  const isKnown = knownMedia();
  for (const event of trace) {
    const words = wordsOf(event);
    if (isKnown(event) || !words || !('device' in event) || isSentAgain(event, words, newest)) continue;
    const lanes = devices.get(event.device) ?? { did: [], 'was answered': [], heard: [] };
    devices.set(event.device, lanes);
    lanes[laneOf(event)].push(words);
  }
  return devices;
}

/**
 * Returns whether a message equals the newest of its name at this device, for the same call. How long a sender waits
 * before it repeats a message is a matter of time. A message without a call id is always new.
 * @param newest - the newest message of each name. This function updates it.
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

/** The parts of a message that name the sound and the picture of its sender. */
interface Naming {
  readonly call_id?: string;
  readonly constraints?: unknown;
  readonly is_enabled?: boolean;
}

/** Returns a function that gets each event of a trace, and returns whether it is a media state that is known already. */
function knownMedia(): (event: TraceEvent) => boolean {
  const known = new Map<string, unknown>();
  const dialled = new Map<string, unknown>();
  return (event) => {
    if (event.kind !== 'message' || typeof event.payload !== 'object' || event.payload === null) return false;
    const { device, direction, cmd, payload } = event;
    const { call_id = '', constraints, is_enabled }: Naming = payload;
    const keyOf = (kind: string, from = direction) => `${device} ${from} ${call_id} ${kind}`;
    const name = (on: unknown, from = direction) => {
      for (const kind of KINDS) known.set(keyOf(kind, from), (on as Record<string, unknown> | undefined)?.[kind]);
    };
    if (cmd === 'dial' && direction === 'up') dialled.set(device, constraints);
    // The dial has no id of its call yet.
    else if (cmd === 'dial_ack') name(dialled.get(device), 'up');
    else if (cmd === 'dial' || cmd === 'accept') name(constraints ?? payload);
    else if ((cmd === 'audio' || cmd === 'video') && is_enabled !== undefined) {
      const isKnown = known.get(keyOf(cmd)) === is_enabled && event.fate === undefined;
      known.set(keyOf(cmd), is_enabled);
      return isKnown;
    }
    return false;
  };
}

function laneOf(event: TraceEvent): Lane {
  if (event.kind !== 'message' || event.direction === 'up') return 'did';
  return event.cmd.endsWith('_ack') ? 'was answered' : 'heard';
}

/** Returns an event in words. Undefined if it depends on chance. */
function wordsOf(event: TraceEvent): string | undefined {
  switch (event.kind) {
    case 'message':
      if (BY_CHANCE.has(event.cmd) || (OF_MEDIA.has(event.cmd) && BY_TIME.has(event.error))) return undefined;
      return `${event.direction === 'up' ? 'sends' : 'hears'} ${event.cmd}${event.error === undefined ? '' : ` (${event.error})`}${event.fate === 'dropped' ? ', which is lost' : ''}`;
    case 'http':
      if (event.direction === 'down' || LOGS.test(event.request)) return undefined;
      return `asks ${event.request.replaceAll(/\/[\w-]{8,}(?=\/)/g, '/:id')}${resultIn(event.body)}`;
    case 'state':
      return `${event.machine}: ${event.from} -> ${event.to}`;
    case 'told':
      return `gets ${event.name}`;
    case 'socket':
      return `channel ${event.what === 'open' ? 'opens' : 'closes'}`;
    case 'sound':
      return `${event.what}s ${event.name}`;
    default:
      return undefined;
  }
}

/** Returns the result of the call in a request. Empty if it has none. */
const resultIn = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'end_result' in body ? ` ${String(body.end_result)}` : '';

/** The first difference in a lane of a device. */
export interface CausalDifference {
  readonly device: string;
  readonly lane: Lane;
  /** The index of the event, from 0. */
  readonly at: number;
  readonly one: readonly string[];
  readonly other: readonly string[];
}

/** Returns the first difference of each lane of each device. Empty if both traces agree. */
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

/** The number of events shown before and after a difference. */
const BEFORE = 3;
const AFTER = 2;

/** Returns a difference as text, with the events around it in both worlds. */
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
