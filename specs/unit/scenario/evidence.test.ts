import { describe, expect, it } from 'vitest';
import { EVIDENCE } from '../../../sim/scenario/trace/evidence.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';

/** Evidence checks what its requirement says: a trace without one part of it shows nothing. */

type Parts = Readonly<Record<string, TraceEvent>>;

const state = (at: number, from: string, to: string, device = 'bob'): TraceEvent => ({
  at,
  kind: 'state',
  device,
  machine: 'call',
  from,
  to,
});
const told = (at: number, name: string, device = 'bob'): TraceEvent => ({ at, kind: 'told', device, name });
const message = (at: number, direction: 'up' | 'down', cmd: string, more: object = {}): TraceEvent => ({
  at,
  kind: 'message',
  device: 'bob',
  direction,
  cmd,
  payload: { call_id: 'c-1' },
  ...more,
});
const summary = (at: number, end_result: string, device = 'bob'): TraceEvent => ({
  at,
  kind: 'http',
  device,
  direction: 'up',
  request: 'POST /v1/direct_calls/c-1/summary',
  body: { summary_data: { end_result } },
});
const found = (at: number, result: string, device = 'bob'): TraceEvent => ({
  at,
  kind: 'step',
  place: 'mine.yaml:9',
  text: `expect {"${device}.call.result":"${result}"}`,
});
const hold = (at: number, is_on_hold: boolean, call_id = 'c-1') =>
  message(at, 'up', 'hold', { payload: { call_id, is_on_hold } });

/** For each requirement, the parts of a trace that shows it. */
const WHOLE: Readonly<Record<string, Parts>> = {
  'DC-02': {
    refusal: message(5, 'down', 'dial_ack', { error: 1_400_103 }),
    move: state(6, 'idle', 'closing'),
    told: told(6, 'onEnded'),
    result: found(7, 'dial_failed'),
  },
  'DC-16': {
    event: message(5, 'down', 'other_device_accepted'),
    move: state(5, 'ringing', 'closing'),
    told: told(6, 'onEnded'),
    result: found(7, 'other_device_accepted'),
  },
  'DC-17': {
    ring: state(0, 'idle', 'ringing'),
    move: state(60_000, 'ringing', 'closing'),
    told: told(60_000, 'onEnded'),
    result: summary(60_000, 'no_answer'),
  },
  'DC-24': {
    refusal: message(5, 'down', 'accept_ack', { error: 1_400_101 }),
    move: state(6, 'accepting', 'closing'),
    told: told(6, 'onEnded'),
    result: summary(6, 'accept_failed'),
  },
  'DC-35': { move: state(5, 'connected', 'reconnecting') },
  'DC-37': {
    move: state(5, 'connected', 'reconnecting'),
    sound: { at: 5, kind: 'sound', device: 'bob', what: 'play', name: 'RECONNECTING' },
  },
  'DC-36': {
    end: message(5, 'up', 'end'),
    move: state(5, 'connected', 'closing'),
    told: told(6, 'onEnded'),
    result: summary(6, 'completed'),
  },
  'DC-40': {
    end: message(5, 'up', 'end'),
    move: state(5, 'reconnecting', 'closing'),
    told: told(6, 'onEnded'),
    result: summary(6, 'completed'),
  },
  'HOLD-04': {
    hold: hold(1, true),
    refusal: { at: 2, kind: 'error', device: 'bob', code: 1_800_803, message: '' },
    end: message(3, 'up', 'end', { payload: { call_id: 'c-2' } }),
    unhold: hold(4, false),
  },
};

/** Changes that make a whole trace prove nothing: the part that replaces another. */
const SPOILED: readonly (readonly [string, string, string, TraceEvent])[] = [
  ['DC-02', 'another result', 'result', found(7, 'canceled')],
  ['DC-02', 'a dial that was taken', 'refusal', message(5, 'down', 'dial_ack')],
  ['DC-02', 'the notice of another device', 'told', told(6, 'onEnded', 'alice')],
  [
    'DC-16',
    'the event at another device',
    'event',
    { ...message(5, 'down', 'other_device_accepted'), device: 'tab' } as TraceEvent,
  ],
  ['DC-16', 'another result', 'result', found(7, 'declined')],
  ['DC-17', 'a ring that began later', 'ring', state(30_000, 'idle', 'ringing')],
  ['DC-17', 'the ring of another device', 'ring', state(0, 'idle', 'ringing', 'alice')],
  ['DC-17', 'another result', 'result', summary(60_000, 'declined')],
  ['DC-24', 'a cancelled call', 'result', summary(6, 'canceled')],
  ['DC-24', 'an accept that was taken', 'refusal', message(5, 'down', 'accept_ack')],
  ['DC-35', 'a move to another state', 'move', state(5, 'connected', 'closing')],
  ['DC-35', 'a move from another state', 'move', state(5, 'established', 'reconnecting')],
  ['DC-37', 'another sound', 'sound', { at: 5, kind: 'sound', device: 'bob', what: 'play', name: 'DIALING' }],
  [
    'DC-37',
    'the sound of another device',
    'sound',
    { at: 5, kind: 'sound', device: 'alice', what: 'play', name: 'RECONNECTING' },
  ],
  ['DC-36', 'another result', 'result', summary(6, 'connection_lost')],
  ['DC-36', 'the result of another device', 'result', summary(6, 'completed', 'alice')],
  ['DC-40', 'another result', 'result', summary(6, 'connection_lost')],
  ['DC-40', 'a call that was not reconnecting', 'move', state(5, 'connected', 'closing')],
  ['HOLD-04', 'the end of the held call itself', 'end', message(3, 'up', 'end')],
  ['HOLD-04', 'another code', 'refusal', { at: 2, kind: 'error', device: 'bob', code: 1_800_802, message: '' }],
  ['HOLD-04', 'another call that comes back', 'unhold', hold(4, false, 'c-2')],
];

const shows = (id: string, parts: Parts) => EVIDENCE[id]?.(Object.values(parts), () => 0);

describe('the evidence of a requirement', () => {
  it.each(Object.entries(WHOLE))('%s: is shown by the complete trace, and by no part of it', (id, parts) => {
    expect(shows(id, parts)).toBe(true);
    for (const missing of Object.keys(parts)) {
      const { [missing]: _, ...rest } = parts;
      expect(shows(id, rest), `without ${missing}`).toBe(false);
    }
  });

  it.each(SPOILED)('%s: is not shown with %s', (id, _, part, other) => {
    expect(shows(id, { ...WHOLE[id], [part]: other })).toBe(false);
  });
});
