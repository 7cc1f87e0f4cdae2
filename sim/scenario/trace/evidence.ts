/**
 * What a trace must show for a requirement to count as proven by it. A scenario that claims a requirement which is not
 * in this table, or whose trace does not show it, fails: nothing is proven by saying so.
 */
import { TIMES } from '../../../src/protocol/limits.ts';
import type { MessageEvent, StateEvent, TraceEvent } from './trace.ts';

type Trace = readonly TraceEvent[];
/** How far a moment may be from the one that is asked for, milliseconds: the world's. */
type Tolerance = (ms: number) => number;
type Evidence = (trace: Trace, tolerance: Tolerance) => boolean;

const isMove = (event: TraceEvent, machine: 'call' | 'peer', from: string, to: string): event is StateEvent =>
  event.kind === 'state' && event.machine === machine && event.from === from && event.to === to;

const call =
  (from: string, to: string): Evidence =>
  (trace) =>
    trace.some((event) => isMove(event, 'call', from, to));

const peer =
  (from: string, to: string): Evidence =>
  (trace) =>
    trace.some((event) => isMove(event, 'peer', from, to));

const messages = (trace: Trace, direction: 'up' | 'down', cmd: string): MessageEvent[] =>
  trace.filter(
    (event) => event.kind === 'message' && event.direction === direction && event.cmd === cmd,
  ) as MessageEvent[];

const sent =
  (cmd: string, ...keys: readonly string[]): Evidence =>
  (trace) =>
    messages(trace, 'up', cmd).some(({ payload }) => hasAll(payload, keys));

const received =
  (cmd: string, ...keys: readonly string[]): Evidence =>
  (trace) =>
    messages(trace, 'down', cmd).some(({ payload }) => hasAll(payload, keys));

/** The payload holds a value under each of these paths. */
function hasAll(payload: unknown, paths: readonly string[]): boolean {
  return paths.every((path) => {
    let at = payload;
    for (const key of path.split('.')) {
      if (typeof at !== 'object' || at === null || !(key in at)) return false;
      at = (at as Record<string, unknown>)[key];
    }
    return at !== undefined;
  });
}

const requested =
  (method: string, path: RegExp): Evidence =>
  (trace) =>
    trace.some((event) => {
      if (event.kind !== 'http' || event.direction !== 'up') return false;
      const [verb = '', where = ''] = event.request.split(' ');
      return verb === method && path.test(where);
    });

const sound =
  (name: string): Evidence =>
  (trace) =>
    trace.some((event) => event.kind === 'sound' && event.what === 'play' && event.name === name);

const raised =
  (code: number): Evidence =>
  (trace) =>
    trace.some(
      (event) => (event.kind === 'error' && event.code === code) || (event.kind === 'message' && event.error === code),
    );

const all =
  (...parts: readonly Evidence[]): Evidence =>
  (trace, tolerance) =>
    parts.every((part) => part(trace, tolerance));

const any =
  (...parts: readonly Evidence[]): Evidence =>
  (trace, tolerance) =>
    parts.some((part) => part(trace, tolerance));

/** A leg moved that way, and on that device the message went out at the same moment. */
const moveSending =
  (from: string, to: string, cmd: string, values: Readonly<Record<string, unknown>> = {}): Evidence =>
  (trace, tolerance) =>
    trace.some(
      (move) =>
        isMove(move, 'call', from, to) &&
        messages(trace, 'up', cmd).some(
          ({ device, at, payload }) =>
            device === move.device &&
            Math.abs(at - move.at) <= tolerance(0) &&
            Object.entries(values).every(
              ([key, value]) => (payload as Record<string, unknown> | null)?.[key] === value,
            ),
        ),
    );

/** Messages of one device this far apart, milliseconds. */
const spaced =
  (cmd: string, ms: number): Evidence =>
  (trace, tolerance) => {
    const times = messages(trace, 'up', cmd);
    return times.some((one) =>
      times.some((other) => other.device === one.device && Math.abs(other.at - one.at - ms) <= tolerance(ms)),
    );
  };

/** The second move comes this long after the first on the same device. */
const moveAfter =
  (first: readonly [string, string], second: readonly [string, string], ms: number): Evidence =>
  (trace, tolerance) =>
    trace.some(
      (one) =>
        isMove(one, 'call', ...first) &&
        trace.some(
          (other) =>
            isMove(other, 'call', ...second) &&
            other.device === one.device &&
            Math.abs(other.at - one.at - ms) <= tolerance(ms),
        ),
    );

const told =
  (name: string): Evidence =>
  (trace) =>
    trace.some((event) => event.kind === 'told' && event.name === name);

const SUMMARY = /^\/v1\/direct_calls\/[^/]+\/summary$/;

/** The requirements that a trace can show, by id. */
export const EVIDENCE: Readonly<Record<string, Evidence>> = {
  'DC-01': call('idle', 'dialing'),
  'DC-02': all(call('idle', 'closing'), told('onEnded')),
  'DC-03': call('idle', 'aborted'),
  'DC-04': all(call('idle', 'dialing'), sound('DIALING')),
  'DC-05': all(call('idle', 'dialing'), spaced('alive', TIMES.aliveIntervalMs)),
  'DC-07': call('dialing', 'established'),
  'DC-08': moveSending('dialing', 'closing', 'cancel'),
  'DC-09': moveSending('dialing', 'closing', 'no_answer'),
  'DC-10': all(call('dialing', 'closing'), any(received('decline'), received('timeout'), received('no_answer'))),
  'DC-11': call('idle', 'ringing'),
  'DC-12': all(call('idle', 'ringing'), sound('RINGING')),
  'DC-13': all(call('idle', 'ringing'), spaced('alive', TIMES.aliveIntervalMs)),
  'DC-14': call('ringing', 'accepting'),
  'DC-15': moveSending('ringing', 'closing', 'decline'),
  'DC-16': all(call('ringing', 'closing'), received('other_device_accepted')),
  'DC-18': all(call('ringing', 'canceled'), received('cancel')),
  'DC-19': call('canceled', 'closing'),
  'DC-20': moveSending('ringing', 'accepting', 'accept'),
  'DC-22': all(call('accepting', 'established'), received('accept_ack')),
  'DC-24': call('accepting', 'closing'),
  'DC-25': moveSending('accepting', 'closing', 'timeout', { reason: 'accepting_timeout' }),
  'DC-27': all(call('accepting', 'established'), sent('audio', 'is_enabled'), sent('video', 'is_enabled')),
  'DC-29': call('established', 'connected'),
  'DC-30': moveSending('established', 'closing', 'timeout', { reason: 'offering_timeout' }),
  'DC-31': moveSending('established', 'closing', 'timeout', { reason: 'answering_timeout' }),
  'DC-34': moveSending('established', 'connected', 'connected'),
  'DC-35': call('connected', 'reconnecting'),
  'DC-36': moveSending('connected', 'closing', 'end'),
  'DC-37': all(call('connected', 'reconnecting'), sound('RECONNECTING')),
  'DC-38': all(
    moveAfter(['connected', 'reconnecting'], ['reconnecting', 'closing'], TIMES.reconnectGraceMs),
    moveSending('reconnecting', 'closing', 'connection_lost'),
  ),
  'DC-39': all(call('reconnecting', 'connected'), told('onReconnected')),
  'DC-40': moveSending('reconnecting', 'closing', 'end'),
  'DC-42': call('closing', 'ending'),
  'DC-43': requested('POST', SUMMARY),
  'DC-45': all(call('ending', 'ended'), told('onEnded')),
  'DC-47': all(call('aborted', 'ended'), told('onEnded')),
  'DC-49': all(sent('unended_calls'), requested('GET', /^\/v1\/direct_calls\/missed_signal$/)),
  'DC-57': raised(1_800_100),
  'DC-17': moveSending('ringing', 'closing', 'no_answer'),
  'PC-01': peer('idle', 'offering'),
  'PC-02': peer('idle', 'answering'),
  'PC-05': peer('offering', 'connected'),
  'PC-06': peer('offering', 'closed'),
  'PC-08': peer('answering', 'connected'),
  'PC-09': peer('answering', 'closed'),
  'PC-11': peer('connected', 'reconnecting'),
  'PC-15': peer('connected', 'closed'),
  'PC-16': peer('reconnecting', 'iceRestartAnswering'),
  'PC-17': peer('reconnecting', 'connected'),
  'PC-18': any(peer('reconnecting', 'iceRestartOffering'), peer('reconnecting', 'iceRestartAnswering')),
  'PC-20': peer('iceRestartOffering', 'connected'),
  'PC-22': peer('iceRestartAnswering', 'connected'),
  'PC-26': all(
    spaced('offer', TIMES.descriptionRetryInitialMs),
    spaced('offer', TIMES.descriptionRetryInitialMs + TIMES.descriptionRetryStepMs),
  ),
  'HOLD-01': all(sent('hold'), received('hold'), told('onUserHoldStatusChanged')),
  'REC-11': all(
    sent('recording', 'recording_status'),
    received('recording', 'recording_status'),
    told('onRemoteRecordingStatusChanged'),
  ),
  'PAY-01': sent('dial', 'callee_id', 'is_video_call', 'constraints', 'capabilities'),
  'PAY-02': received(
    'dial',
    'is_video_call',
    'call_id',
    'caller',
    'callee',
    'turn_credential',
    'constraints',
    'custom_items',
    'short_lived_token',
    'capabilities',
  ),
  'PAY-03': sent('accept', 'call_id', 'constraints', 'capabilities'),
  'PAY-04': received('accept', 'call_id', 'turn_credential', 'audio', 'video', 'capabilities'),
  'PAY-05': all(sent('offer', 'call_id', 'session'), sent('answer', 'call_id', 'session')),
  'PAY-07': sent('candidate', 'call_id', 'candidate.sdp', 'candidate.sdp_mline_index', 'candidate.sdp_mid'),
  'PAY-08': all(sent('audio', 'call_id', 'is_enabled'), sent('video', 'call_id', 'is_enabled')),
  'PAY-09': sent('hold', 'call_id', 'is_on_hold', 'was_relayed'),
  'PAY-10': sent('recording', 'call_id', 'recording_id', 'recording_type', 'recording_status'),
  'PAY-11': sent('timeout', 'call_id', 'reason'),
  'PAY-12': sent('connected', 'call_id', 'connection.connection_type', 'reconnect'),
  'PAY-14': received('hold', 'holded_by', 'is_peer_on_hold', 'is_relayed'),
  'PAY-15': all(
    received('custom_items_update', 'updated', 'custom_items'),
    received('custom_items_delete', 'deleted', 'custom_items'),
  ),
  'PAY-16': received('turn_changed', 'turn_credential', 'event_id'),
  'PAY-17': received('alive_ack', 'alive_at'),
  'RT-04': raised(1_800_204),
  'HTTP-25': requested('POST', /^\/v1\/action\/direct_call$/),
  'HTTP-26': requested('GET', /^\/v1\/direct_calls\/missed_signal$/),
  'HTTP-27': all(
    requested('PUT', /^\/v1\/direct_calls\/[^/]+\/custom_items$/),
    requested('DELETE', /^\/v1\/direct_calls\/[^/]+\/custom_items$/),
  ),
  'HTTP-28': requested('POST', SUMMARY),
};

/** What of the claims the trace shows. */
export function proveClaims(
  claims: readonly string[],
  trace: Trace,
  tolerance: Tolerance,
): { proven: string[]; unproven: string[] } {
  const shown = (id: string) => EVIDENCE[id]?.(trace, tolerance) ?? false;
  return { proven: claims.filter(shown), unproven: claims.filter((id) => !shown(id)) };
}
