import { describe, expect, it } from 'vitest';
import type { CommandPayload, CommandType } from '../../../src/protocol/messages/commands.ts';
import { AV, CANDIDATE, CONNECTION, createExchangeFixture, PACKED, type Device } from './exchange-fixture.ts';

/**
 * Every command about a call, from every side, in every phase: the code of the answer, or the result of the call.
 * Written from the rules (§4, §6, D08, D10, D11), not from the exchange's own table.
 */
const PHASES = ['ringing', 'setup', 'connected', 'ended'] as const;
type Phase = (typeof PHASES)[number];
type Cell = number | string;

const about = (call_id: string) => ({ call_id });
const timeout = (reason: CommandPayload<'timeout'>['reason']) => (call_id: string) => ({ call_id, reason });
const LATE = 'not_connected 1400101';

/* prettier-ignore: a table */
const TABLE: readonly [CommandType, (call_id: string) => object, caller: Cell[], callee: Cell[]][] = [
  //                                                      ringing, setup, connected, ended
  [
    'accept',
    (call_id) => ({ call_id, constraints: AV, capabilities: [] }),
    [1400105, 1400105, 1400105, 1400101],
    [0, 1400101, 1400101, 1400101],
  ],
  ['cancel', about, ['canceled', LATE, 1400101, 1400101], [1400105, 1400105, 1400105, 1400101]],
  ['decline', about, [1400105, 1400105, 1400105, 1400101], ['declined', 1400101, 1400101, 1400101]],
  ['no_answer', about, ['no_answer', LATE, 1400101, 1400101], ['no_answer', 1400101, 1400101, 1400101]],
  [
    'end',
    about,
    [1400101, 'not_connected', 'completed', 1400101],
    ['not_connected', 'not_connected', 'completed', 1400101],
  ],
  // The report of media was lost, or comes later.
  [
    'end',
    (call_id) => ({ call_id, was_connected: true }),
    [1400101, 'completed', 'completed', 1400101],
    ['not_connected', 'completed', 'completed', 1400101],
  ],
  [
    'end',
    (call_id) => ({ call_id, was_connected: false }),
    [1400101, 'not_connected', 'completed', 1400101],
    ['not_connected', 'not_connected', 'completed', 1400101],
  ],
  [
    'connection_lost',
    about,
    [1400101, 1400101, 'connection_lost', 1400101],
    [1400101, 1400101, 'connection_lost', 1400101],
  ],
  [
    'timeout',
    timeout('offering_timeout'),
    [1400101, 'timed_out', 1400101, 1400101],
    [1400105, 1400105, 1400105, 1400101],
  ],
  [
    'timeout',
    timeout('answering_timeout'),
    [1400105, 1400105, 1400105, 1400101],
    [1400101, 'timed_out', 1400101, 1400101],
  ],
  [
    'timeout',
    timeout('accepting_timeout'),
    [1400105, 1400105, 1400105, 1400101],
    ['timed_out', 'timed_out', 1400101, 1400101],
  ],
  ['offer', (call_id) => ({ call_id, sdp: PACKED }), [1400101, 0, 0, 1400101], [1400105, 1400105, 1400105, 1400101]],
  ['answer', (call_id) => ({ call_id, sdp: PACKED }), [1400105, 1400105, 1400105, 1400101], [1400101, 0, 0, 1400101]],
  ['candidate', (call_id) => ({ call_id, candidate: CANDIDATE }), [1400101, 0, 0, 1400101], [1400101, 0, 0, 1400101]],
  ['remove_candidates', (call_id) => ({ call_id, candidates: [] }), [1400101, 0, 0, 1400101], [1400101, 0, 0, 1400101]],
  ['alive', about, [0, 0, 0, 1400101], [0, 0, 0, 1400101]],
  [
    'connected',
    (call_id) => ({ call_id, connection: CONNECTION, reconnect: false }),
    [1400101, 0, 0, 1400101],
    [1400101, 0, 0, 1400101],
  ],
  ['audio', (call_id) => ({ call_id, is_enabled: true }), [0, 0, 0, 1400101], [1400101, 0, 0, 1400101]],
  ['video', (call_id) => ({ call_id, is_enabled: true }), [0, 0, 0, 1400101], [1400101, 0, 0, 1400101]],
  [
    'hold',
    (call_id) => ({ call_id, is_on_hold: true, was_relayed: false }),
    [1400101, 0, 0, 1400101],
    [1400101, 0, 0, 1400101],
  ],
  [
    'recording',
    (call_id) => ({ call_id, recording_id: 'r', recording_type: 'remote_audio_only', recording_status: 'none' }),
    [1400101, 0, 0, 1400101],
    [1400101, 0, 0, 1400101],
  ],
  [
    'dial_rcv',
    (call_id) => ({ call_id, callee_delivery_info: { channel: 'push' }, received_type: 'push' }),
    [1400105, 1400105, 1400105, 1400101],
    [0, 0, 0, 1400101],
  ],
];

async function callIn(phase: Phase) {
  const fixture = createExchangeFixture();
  const alice = await fixture.device('alice');
  const bob = await fixture.device('bob', 'bob-1');
  const bob2 = await fixture.device('bob', 'bob-2');
  const id = alice.dial('bob');
  if (phase !== 'ringing') bob.accept(id);
  if (phase === 'connected') for (const device of [alice, bob]) device.connected(id);
  if (phase === 'ended') alice.code('end', { call_id: id });
  return { fixture, id, alice, bob, bob2 };
}

const send = (device: Device, type: CommandType, payload: object): number => {
  device.receive(JSON.stringify({ ...device.frame('alive', { call_id: 'x' }), cmd: groupOf(type), type, payload }));
  return device.replies.at(-1)?.error?.code ?? 0;
};
const groupOf = (type: CommandType): string => {
  if (['audio', 'video', 'recording'].includes(type)) return 'COMM';
  return ['offer', 'answer', 'candidate', 'remove_candidates', 'alive', 'connected'].includes(type) ? 'SGNL' : 'CALL';
};

const cases = TABLE.flatMap(([type, payload, caller, callee]) =>
  PHASES.flatMap((phase, at) => [
    { type, payload, phase, side: 'caller' as const, want: caller[at] ?? 0 },
    { type, payload, phase, side: 'callee' as const, want: callee[at] ?? 0 },
  ]),
);

describe('every command of every side in every phase', () => {
  it.each(cases)('$type of the $side while $phase: $want', async ({ type, payload, phase, side, want }) => {
    const { fixture, id, alice, bob, bob2 } = await callIn(phase);
    const [from, other] = side === 'caller' ? [alice, bob] : [bob, alice];
    const ended = phase === 'ended' ? 1 : 0;
    const code = send(from, type, payload(id));
    const result = fixture.exchange.records.slice(ended).map(({ endResult }) => endResult)[0];
    const got = result === undefined ? code : [result, code || ''].join(' ').trim();
    expect(got).toBe(want);
    if (result === undefined) return;
    expect(other.told).toBe(result);
    expect(bob2.told).toBe(phase === 'ringing' ? result : 'other_device_accepted');
    expect(from.told).toBe(undefined);
    expect(fixture.clock.pending).toBe(0);
  });

  it.each(cases.filter(({ side, phase }) => side === 'callee' && phase !== 'ringing'))(
    'a device that lost the call does nothing with $type while $phase',
    async ({ type, payload, phase }) => {
      const { fixture, id, alice, bob, bob2 } = await callIn(phase);
      const before = [alice, bob].map(({ events }) => events.length);
      expect(send(bob2, type, payload(id))).toBe(1400101);
      expect([alice, bob].map(({ events }) => events.length)).toEqual(before);
      expect(fixture.exchange.liveCalls.length).toBe(phase === 'ended' ? 0 : 1);
    },
  );
});
