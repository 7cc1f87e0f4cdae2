/** A call that a node goes on with, after another node had adopted it. */
import { describe, expect, it, vi } from 'vitest';
import type { Call } from '../../../sim/exchange/calls/call.ts';
import { takeBack } from '../../../sim/exchange/calls/take-back.ts';
import type { Core } from '../../../sim/exchange/core.ts';
import { SignalLog } from '../../../sim/exchange/delivery/signal-log.ts';

const leg = (clientId: string, outcome: string | null) => ({
  ...{ device: { userId: 'bob', clientId }, outcome, lastHeardAt: 0 },
  signals: new SignalLog({ signalsPerLeg: 10, signalCharsPerLeg: 10_000 }),
});

function world(state: string) {
  const [caller, winner, loser] = [leg('alice', null), leg('phone', null), leg('laptop', 'other_device_accepted')];
  const calleeLegs = new Map([winner, loser].map((one) => [one.device.clientId, one]));
  const call = { id: 'n1.1', ack: { call_id: 'n1.1' }, state: { name: state }, caller, calleeLegs };
  const [send, again] = [vi.fn(), vi.fn()];
  const core = { clock: { now: () => 90_000 }, ids: { uuid: () => 'id' }, router: { send }, live: { again } };
  takeBack(core as unknown as Core, call as unknown as Call, 1_007);
  return { legs: [caller, winner, loser], call, send, again };
}

describe('a call that was taken back', () => {
  it('goes on after the numbers of the other node, and is written again', () => {
    const { legs, call, again } = world('connected');
    expect(legs.map(({ signals }) => signals.last)).toEqual([2_007, 2_007, 2_008]);
    expect(again.mock.calls).toEqual([[call]]);
    // The sides were heard at the other node.
    expect(legs.map(({ lastHeardAt }) => lastHeardAt)).toEqual([90_000, 90_000, 90_000]);
  });

  it('is announced to the device that another one of its user was before', () => {
    const { send } = world('accepted');
    expect(send.mock.calls).toMatchObject([
      [{ clientId: 'laptop' }, { frame: { type: 'other_device_accepted', sequence_number: 2_008 } }],
    ]);
  });

  it('that has ended stays as it is', () => {
    const { legs, send, again } = world('ended');
    expect(legs.map(({ signals }) => signals.last)).toEqual([0, 0, 0]);
    expect([send.mock.calls, again.mock.calls]).toEqual([[], []]);
  });
});
