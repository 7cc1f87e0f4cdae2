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

/** The move of a machine of rooms. */
const moved = (at: number, machine: 'room' | 'endpoint', from: string, to: string): TraceEvent => ({
  ...(state(at, from, to) as Extract<TraceEvent, { kind: 'state' }>),
  machine,
});
const refused = (at: number, code: number): TraceEvent => ({ at, kind: 'error', device: 'bob', code, message: '' });
const ofRoom = (payload: object) => ({ payload: { room_id: 'r-1', ...payload } });

/** The same for the requirements of rooms. */
const ROOM_PARTS: Readonly<Record<string, Parts>> = {
  'RM-05': {
    exit: message(1, 'up', 'room_exit'),
    leaving: moved(1, 'room', 'entered', 'exiting'),
    left: moved(2, 'room', 'exiting', 'idle'),
    closed: moved(1, 'endpoint', 'connected', 'closed'),
  },
  'RM-06': { event: message(5, 'down', 'room_deleted'), move: moved(6, 'room', 'entered', 'deleted') },
  'RM-11': {
    refusal: message(5, 'down', 'room_alive_ack', { error: 1_400_126 }),
    move: moved(5, 'room', 'entered', 'deleted'),
  },
  'RM-12': {
    refusal: message(5, 'down', 'room_alive_ack', { error: 1_400_121 }),
    move: moved(5, 'room', 'entered', 'idle'),
  },
  'RM-13': {
    event: message(5, 'down', 'participant_disconnected', ofRoom({ reason: 'sibling_kicked' })),
    move: moved(5, 'room', 'entered', 'idle'),
    error: refused(5, 1_800_707),
  },
  'RM-14': { event: message(5, 'down', 'participant_entered'), told: told(5, 'remoteParticipantEntered') },
  'EP-05': { move: moved(5, 'endpoint', 'established', 'connected'), sent: message(5, 'up', 'endpoint_connected') },
  'EP-08': {
    lost: moved(5, 'endpoint', 'connected', 'disconnected'),
    again: moved(5, 'endpoint', 'disconnected', 'reconnecting'),
  },
  'EP-09': {
    waits: moved(5, 'endpoint', 'disconnected', 'reconnecting'),
    offers: moved(5_505, 'endpoint', 'reconnecting', 'offering'),
  },
  'EP-15': {
    first: message(5, 'up', 'endpoint_attach', ofRoom({ endpoint_id: 'e-1' })),
    again: message(5_005, 'up', 'endpoint_attach', ofRoom({ endpoint_id: 'e-1' })),
  },
  'RM-32': { deleted: message(5, 'up', 'room_delete', ofRoom({})) },
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

const SPOILED_ROOMS: readonly (readonly [string, string, string, TraceEvent])[] = [
  ['RM-06', 'a deletion that came later', 'event', message(900, 'down', 'room_deleted')],
  ['RM-11', 'another code', 'refusal', message(5, 'down', 'room_alive_ack', { error: 1_400_121 })],
  ['RM-12', 'another code', 'refusal', message(5, 'down', 'room_alive_ack', { error: 1_400_126 })],
  [
    'RM-13',
    'another reason',
    'event',
    message(5, 'down', 'participant_disconnected', ofRoom({ reason: 'connection_lost' })),
  ],
  ['EP-08', 'a wait before it', 'again', moved(900, 'endpoint', 'disconnected', 'reconnecting')],
  ['EP-09', 'a shorter wait', 'offers', moved(4_005, 'endpoint', 'reconnecting', 'offering')],
  ['EP-09', 'a longer wait', 'offers', moved(6_505, 'endpoint', 'reconnecting', 'offering')],
  [
    'EP-15',
    'the attach of another endpoint',
    'again',
    message(5_005, 'up', 'endpoint_attach', ofRoom({ endpoint_id: 'e-2' })),
  ],
  ['RM-05', 'an endpoint that stays', 'closed', moved(1, 'endpoint', 'offering', 'established')],
];

const shows = (id: string, parts: Parts) => EVIDENCE[id]?.(Object.values(parts), () => 0);

describe('the evidence of a requirement', () => {
  it.each(Object.entries({ ...WHOLE, ...ROOM_PARTS }))(
    '%s: is shown by the complete trace, and by no part of it',
    (id, parts) => {
      expect(shows(id, parts)).toBe(true);
      for (const missing of Object.keys(parts)) {
        const { [missing]: _, ...rest } = parts;
        expect(shows(id, rest), `without ${missing}`).toBe(false);
      }
    },
  );

  it('RM-32: is not shown when the creator deletes the room', () => {
    const made = message(1, 'down', 'room_create_ack', { payload: { room: { room_id: 'r-1' } } });
    expect(shows('RM-32', { made, ...ROOM_PARTS['RM-32'] })).toBe(false);
  });

  it.each([...SPOILED, ...SPOILED_ROOMS])('%s: is not shown with %s', (id, _, part, other) => {
    expect(shows(id, { ...{ ...WHOLE, ...ROOM_PARTS }[id], [part]: other })).toBe(false);
  });
});
