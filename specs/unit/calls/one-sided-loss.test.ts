import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import { CallRecord } from '../../../src/calls/direct-call/call-record.ts';
import { type CallEffects, Lifecycle } from '../../../src/calls/direct-call/lifecycle.ts';
import {
  CALL_STATES,
  type CallEventName,
  type CallRole,
  type CallState,
} from '../../../src/calls/direct-call/table.ts';
import { connected } from './support/two-people.ts';

/** Media that only one side loses, and events that would lead a call to its present state. */

/** A connected call. One side, the caller or the callee, gets a change of its connection. */
async function seenBy(side: 'caller' | 'callee') {
  const { world, alice, bob, call, rung } = await connected();
  const sides = { caller: { party: alice, call }, callee: { party: bob, call: rung } };
  const { [side]: here, [side === 'caller' ? 'callee' : 'caller']: there } = sides;
  const ice = (state: 'disconnected' | 'connected') => here.party.platform.rtc.open[0]?.ice(state, state);
  const states = () => [here.party.state(here.call), there.party.state(there.call)];
  const countOf = (party: typeof alice) =>
    party.requests('summary').map((text) => JSON.parse(text).summary_data.reconnection_count);
  return { world, here, there, ice, states, countOf };
}

describe('media that only one side loses', () => {
  it.each(['caller', 'callee'] as const)(
    'DC-35 DC-37 DC-38: the %s reconnects, plays the sound, and sends connection-lost after 30 s, which ends the other side',
    async (side) => {
      const { world, here, there, ice, states } = await seenBy(side);
      ice('disconnected');
      await world.settle();
      expect(states()).toEqual(['reconnecting', 'connected']);
      expect([here.party.sound(), there.party.sound()]).toEqual(['RECONNECTING', null]);
      expect([here.party.told().at(-1), there.party.told().at(-1)]).toEqual(['onReconnecting', 'onConnected']);
      await world.advance(29_900);
      expect(states()).toEqual(['reconnecting', 'connected']);
      await world.advance(200);
      expect([here.party.sent('connection_lost').length, there.party.sent('connection_lost').length]).toEqual([1, 0]);
      expect([here.call.endResult, there.call.endResult]).toEqual(['CONNECTION_LOST', 'CONNECTION_LOST']);
    },
  );

  it.each(['caller', 'callee'] as const)(
    'DC-39: only the %s reconnects, and only it counts the reconnection',
    async (side) => {
      const { world, here, there, ice, states, countOf } = await seenBy(side);
      ice('disconnected');
      await world.advance(5_000);
      ice('connected');
      await world.settle();
      expect(states()).toEqual(['connected', 'connected']);
      expect([here.party.told().at(-1), there.party.told().at(-1)]).toEqual(['onReconnected', 'onConnected']);
      expect(here.party.sent('connected').map(({ payload }) => payload['reconnect'])).toEqual([false, true]);
      expect(there.party.sent('connected').map(({ payload }) => payload['reconnect'])).toEqual([false]);
      await world.advance(40_000);
      expect(states()).toEqual(['connected', 'connected']);
      here.call.end();
      await world.settle();
      expect([countOf(here.party), countOf(there.party)]).toEqual([[1], [0]]);
    },
  );
});

/**
 * The events that lead to each state. The last one is raised again there. Nothing leads to idle, and a second cancel in
 * canceled is an event after the end (DC-45).
 */
const WAYS: Readonly<Record<Exclude<CallState, 'idle'>, readonly [CallRole, ...CallEventName[]]>> = {
  dialing: ['dc_caller', 'dialAcknowledged'],
  ringing: ['dc_callee', 'incomingDial'],
  accepting: ['dc_callee', 'incomingDial', 'acceptRequested'],
  established: ['dc_caller', 'dialAcknowledged', 'remoteAccepted'],
  connected: ['dc_caller', 'dialAcknowledged', 'remoteAccepted', 'peerConnected'],
  reconnecting: ['dc_caller', 'dialAcknowledged', 'remoteAccepted', 'peerConnected', 'peerLost'],
  closing: ['dc_caller', 'dialAcknowledged', 'endRequested'],
  ending: ['dc_caller', 'dialAcknowledged', 'endRequested', 'mediaClosed'],
  ended: ['dc_caller', 'dialAcknowledged', 'endRequested', 'mediaClosed', 'endNotified'],
  aborted: ['dc_caller', 'endRequested'],
  canceled: ['dc_callee', 'incomingDial', 'remoteCanceled'],
};

describe('an event that repeats in the state it led to', () => {
  it('DC-48: is tested in each state that a call can be led to', () => {
    expect(['idle', ...Object.keys(WAYS)].sort()).toEqual([...CALL_STATES].sort());
  });

  it.each(Object.entries(WAYS).filter(([state]) => state !== 'canceled'))(
    'DC-48: is logged as an error in %s, and changes nothing',
    (state, [role, ...events]) => {
      const clock = new VirtualClock();
      const errors: string[] = [];
      const performed: string[] = [];
      const lifecycle = new Lifecycle({
        role,
        record: new CallRecord(clock),
        effects: new Proxy({}, { get: (_, name) => () => performed.push(String(name)) }) as CallEffects,
        durations: { alive: () => 1_000, ring: () => 1_000, connection: () => 1_000, grace: () => 1_000 },
        moved: () => undefined,
        localUserId: () => 'alice',
        clock,
        log: { info: () => undefined, error: (text) => void errors.push(text) },
      });
      for (const event of events) lifecycle.raise(event);
      expect([lifecycle.state, errors]).toEqual([state, []]);
      const [timers, effects] = [clock.pending.length, performed.length];
      const again = events.at(-1) as CallEventName;
      lifecycle.raise(again);
      expect([lifecycle.state, clock.pending.length, performed.length]).toEqual([state, timers, effects]);
      expect(errors).toEqual([
        expect.stringMatching(new RegExp(`^call: ${again} in ${state}: (same state|not allowed)$`)),
      ]);
    },
  );
});
