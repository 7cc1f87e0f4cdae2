import { ErrorCode } from '../../../../src/protocol/errors.ts';
import { TIMES } from '../../../../src/protocol/limits.ts';
import {
  type Trace,
  type Tolerance,
  type Evidence,
  call,
  peer,
  messages,
  sent,
  received,
  requested,
  raised,
  all,
  any,
  moveSending,
  moveSounding,
  spaced,
  moveAfter,
  notified,
  SUMMARY,
  noticesOf,
  complaint,
  requests,
  moves,
  valueAt,
} from '../predicates.ts';
import { endedAs } from './results.ts';

/** Commands whose answer is not awaited. */
const ENDINGS = ['cancel', 'decline', 'end', 'timeout', 'connection_lost', 'no_answer'];

const isBefore = (trace: Trace, cmd: string, device: string, moment: number): boolean =>
  messages(trace, 'down', cmd).some(
    (message) => message.device === device && message.at <= moment && message.fate === undefined,
  );

/** The device sent this command when it moved. */
const sending =
  (cmd: string) =>
  (trace: Trace, { device, at }: { device: string; at: number }, tolerance: Tolerance): boolean =>
    messages(trace, 'up', cmd).some(
      (message) => message.device === device && Math.abs(message.at - at) <= tolerance(0),
    );

/** The device got its ring this long before it moved. */
const rangFor =
  (ms: number) =>
  (trace: Trace, { device, at }: { device: string; at: number }, tolerance: Tolerance): boolean =>
    moves(trace, 'call').some(
      (move) => move.device === device && move.to === 'ringing' && Math.abs(at - move.at - ms) <= tolerance(ms),
    );

/** The command of the device was refused or failed when it moved, and no success came before. */
const failing =
  (cmd: string) =>
  (trace: Trace, { device, at }: { device: string; at: number }, tolerance: Tolerance): boolean => {
    const replies = messages(trace, 'down', `${cmd}_ack`).filter((reply) => reply.device === device && reply.at <= at);
    const isNow = (event: { at: number }) => Math.abs(at - event.at) <= 10 + tolerance(0);
    return (
      replies.every(({ error, fate }) => error !== undefined || fate !== undefined) &&
      (replies.some(isNow) || trace.some((event) => event.kind === 'error' && event.device === device && isNow(event)))
    );
  };

/** Returns whether the call of a device does not end before this moment, and the trace continues beyond it. */
const staysUntil = (trace: Trace, device: string, from: number, until: number): boolean =>
  (trace.at(-1)?.at ?? 0) > until &&
  !moves(trace, 'call').some(
    (move) => move.device === device && move.to === 'closing' && move.at > from && move.at <= until,
  );

const hasSounded = (trace: Trace, device: string): boolean =>
  trace.some((event) => event.kind === 'sound' && event.device === device && event.what === 'play');

/** Returns whether every sound that was played before this moment was stopped by then. */
function isSilent(trace: Trace, device: string, moment: number): boolean {
  const sounds = trace.filter((event) => event.kind === 'sound' && event.device === device && event.at <= moment);
  const count = (what: 'play' | 'stop') =>
    sounds.filter((event) => event.kind === 'sound' && event.what === what).length;
  return count('play') === count('stop');
}

/** The evidence for the requirements of a direct call. */
export const DIRECT_CALL: Readonly<Record<string, Evidence>> = {
  'DC-01': call('idle', 'dialing'),
  'DC-02': endedAs('idle', 'closing', 'dial_failed', failing('dial')),
  'DC-03': call('idle', 'aborted'),
  'DC-04': moveSounding('idle', 'dialing', 'DIALING'),
  'DC-05': all(call('idle', 'dialing'), spaced('alive', TIMES.aliveIntervalMs)),
  'DC-07': call('dialing', 'established'),
  'DC-08': moveSending('dialing', 'closing', 'cancel'),
  'DC-09': moveSending('dialing', 'closing', 'no_answer'),
  'DC-10': all(call('dialing', 'closing'), any(received('decline'), received('timeout'), received('no_answer'))),
  'DC-11': call('idle', 'ringing'),
  'DC-12': moveSounding('idle', 'ringing', 'RINGING'),
  'DC-13': all(call('idle', 'ringing'), spaced('alive', TIMES.aliveIntervalMs)),
  'DC-14': call('ringing', 'accepting'),
  'DC-15': moveSending('ringing', 'closing', 'decline'),
  'DC-16': endedAs('ringing', 'closing', 'other_device_accepted', (trace, { device, at }, tolerance) =>
    messages(trace, 'down', 'other_device_accepted').some(
      (message) => message.device === device && Math.abs(at - message.at) <= 10 + tolerance(0),
    ),
  ),
  'DC-18': all(call('ringing', 'canceled'), received('cancel')),
  'DC-19': call('canceled', 'closing'),
  'DC-20': moveSending('ringing', 'accepting', 'accept'),
  'DC-22': all(call('accepting', 'established'), received('accept_ack')),
  'DC-24': endedAs('accepting', 'closing', 'accept_failed', failing('accept')),
  'DC-25': moveSending('accepting', 'closing', 'timeout', { reason: 'accepting_timeout' }),
  'DC-27': all(call('accepting', 'established'), sent('audio', 'is_enabled'), sent('video', 'is_enabled')),
  'DC-29': call('established', 'connected'),
  'DC-30': moveSending('established', 'closing', 'timeout', { reason: 'offering_timeout' }),
  'DC-31': moveSending('established', 'closing', 'timeout', { reason: 'answering_timeout' }),
  'DC-34': moveSending('established', 'connected', 'connected'),
  'DC-35': call('connected', 'reconnecting'),
  'DC-36': endedAs('connected', 'closing', 'completed', sending('end')),
  'DC-37': moveSounding('connected', 'reconnecting', 'RECONNECTING'),
  'DC-38': all(
    moveAfter(['connected', 'reconnecting'], ['reconnecting', 'closing'], TIMES.reconnectGraceMs),
    moveSending('reconnecting', 'closing', 'connection_lost'),
  ),
  'DC-39': all(call('reconnecting', 'connected'), notified('onReconnected')),
  'DC-40': endedAs('reconnecting', 'closing', 'completed', sending('end')),
  'DC-42': call('closing', 'ending'),
  'DC-43': requested('POST', SUMMARY),
  'DC-45': all(call('ending', 'ended'), notified('onEnded')),
  'DC-47': all(call('aborted', 'ended'), notified('onEnded')),
  'DC-49': all(sent('unended_calls'), requested('GET', /^\/v1\/direct_calls\/missed_signal$/)),
  'DC-57': raised(ErrorCode.DIAL_CANCELED),
  'DC-06': moveAfter(['idle', 'dialing'], ['dialing', 'closing'], TIMES.ringingTimeoutMs),
  'DC-17': endedAs('ringing', 'closing', 'no_answer', rangFor(TIMES.ringingTimeoutMs)),
  'DC-21': moveAfter(['ringing', 'accepting'], ['accepting', 'closing'], TIMES.connectionTimeoutMs),
  'DC-23': (trace) =>
    moves(trace, 'call').some(
      ({ from, to, device, at }) =>
        from === 'accepting' &&
        to === 'established' &&
        isBefore(trace, 'offer', device, at) &&
        !isBefore(trace, 'accept_ack', device, at),
    ),
  'DC-26': (trace) =>
    moves(trace, 'call').some(
      ({ to, device, at }) =>
        to === 'established' &&
        moves(trace, 'peer').some((move) => move.device === device && move.from === 'idle' && move.at - at < 1_000),
    ),
  'DC-28': moveAfter(['dialing', 'established'], ['established', 'closing'], TIMES.connectionTimeoutMs),
  'DC-32': (trace) =>
    moves(trace, 'call').some(
      ({ from, to, device, at }) =>
        from === 'established' && to === 'connected' && staysUntil(trace, device, at, at + TIMES.connectionTimeoutMs),
    ),
  'DC-33': all(call('established', 'connected'), requested('POST', /^\/v1\/sdk\/logs$/)),
  'DC-41': (trace) => {
    const closed = moves(trace, 'call').find(({ to }) => to === 'closing');
    const last = trace.at(-1)?.at ?? 0;
    return (
      closed !== undefined &&
      last - closed.at > TIMES.aliveIntervalMs &&
      messages(trace, 'up', 'alive').some(({ device }) => device === closed.device) &&
      !messages(trace, 'up', 'alive').some(({ device, at }) => device === closed.device && at > closed.at)
    );
  },
  'DC-44': (trace) =>
    messages(trace, 'down', 'other_device_accepted').some(
      ({ device }) =>
        moves(trace, 'call').some((move) => move.device === device && move.to === 'ended') &&
        !requests(trace, 'POST', SUMMARY).some((request) => request.device === device),
    ),
  'DC-46': (trace) =>
    moves(trace, 'call').some(
      ({ to, device, at }) => to === 'ended' && hasSounded(trace, device) && isSilent(trace, device, at),
    ),
  'DC-50': (trace) =>
    messages(trace, 'down', 'dial').some(
      ({ device, fate }) => /copies|again/.test(fate ?? '') && noticesOf(trace, device, 'onRinging').length === 1,
    ),
  'DC-51': raised(ErrorCode.ERR_NO_PERMISSION),
  'DC-52': (trace, tolerance) => {
    const offers = messages(trace, 'up', 'offer');
    const callers = new Set(messages(trace, 'up', 'dial').map(({ device }) => device));
    return (
      peer('iceRestartOffering', 'connected')(trace, tolerance) &&
      offers.length > 1 &&
      offers.every(({ device }) => callers.has(device))
    );
  },
  'DC-54': (trace, tolerance) =>
    [...messages(trace, 'up', 'accept'), ...messages(trace, 'down', 'dial_ack')].some((taken) =>
      [...messages(trace, 'up', 'hold'), ...messages(trace, 'up', 'end')].some(
        ({ device, at, payload }) =>
          device === taken.device &&
          Math.abs(at - taken.at) <= 50 + tolerance(0) &&
          valueAt(payload, 'call_id') !== valueAt(taken.payload, 'call_id'),
      ),
    ),
  'DC-55': raised(ErrorCode.MY_USER_ID_NOT_ALLOWED),
  'DC-56': all(raised(ErrorCode.INVALID_PARAMETER_VALUE), (trace) => messages(trace, 'up', 'dial').length === 0),
  'DC-58': complaint(/^wrong response/, ErrorCode.ERR_WRONG_RESPONSE),
  'DC-59': (trace) =>
    ENDINGS.some((cmd) =>
      messages(trace, 'down', `${cmd}_ack`).some(
        ({ device, error, at }) =>
          error !== undefined &&
          !trace.some((event) => event.kind === 'error' && event.device === device && Math.abs(event.at - at) <= 10),
      ),
    ),
  'DC-60': complaint(/^the (summary was|statistics were) not sent/),
};
