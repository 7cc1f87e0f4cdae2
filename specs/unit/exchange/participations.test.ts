import { describe, expect, it } from 'vitest';
import { createExchangeFixture, type Device, type ExchangeFixture } from './exchange-fixture.ts';

interface Ending {
  readonly how: string;
  readonly isAccepted: boolean;
  readonly end: (fixture: ExchangeFixture, alice: Device, bob: Device, callId: string) => void;
}

const MINUTES = 60_000;

const ENDINGS: readonly Ending[] = [
  { how: 'a cancel', isAccepted: false, end: (_fixture, alice, _bob, call_id) => alice.send('cancel', { call_id }) },
  { how: 'a decline', isAccepted: false, end: (_fixture, _alice, bob, call_id) => bob.send('decline', { call_id }) },
  {
    how: 'no answer',
    isAccepted: false,
    end: (_fixture, alice, _bob, call_id) => alice.send('no_answer', { call_id }),
  },
  { how: 'the ring timeout of the exchange', isAccepted: false, end: ({ clock }) => clock.advance(6 * MINUTES) },
  { how: 'a hang-up', isAccepted: true, end: (_fixture, _alice, bob, call_id) => bob.send('end', { call_id }) },
  {
    how: 'a timeout of the set-up',
    isAccepted: true,
    end: (_fixture, alice, _bob, call_id) => alice.send('timeout', { call_id, reason: 'offering_timeout' }),
  },
  {
    how: 'a lost connection',
    isAccepted: true,
    end: (_fixture, alice, bob, call_id) => {
      for (const side of [alice, bob]) side.connected(call_id);
      alice.send('connection_lost', { call_id });
    },
  },
  { how: 'the silence of both sides', isAccepted: true, end: ({ clock }) => clock.advance(6 * MINUTES) },
  { how: 'a block', isAccepted: true, end: ({ exchange }) => exchange.endCallsBetween('bob', 'alice') },
  { how: 'the sign-out of the callee', isAccepted: true, end: ({ exchange }) => exchange.signOut('bob') },
  { how: 'the removal of the callee', isAccepted: true, end: ({ exchange }) => exchange.removeUser('bob') },
  { how: 'a loss of all calls', isAccepted: true, end: ({ exchange }) => exchange.forgetCalls() },
  {
    how: 'the host',
    isAccepted: true,
    end: ({ exchange }, alice, bob, callId) => {
      for (const side of [alice, bob]) side.connected(callId);
      exchange.endCall(callId);
    },
  },
];

describe('the calls of a user', () => {
  it.each(ENDINGS)('are empty for both users after $how', async ({ isAccepted, end }) => {
    const fixture = createExchangeFixture({ settings: { callsPerCaller: 1 } });
    const [alice, bob, carol] = [
      await fixture.device('alice'),
      await fixture.device('bob'),
      await fixture.device('carol'),
    ];
    const callId = alice.dial('bob');
    if (isAccepted) bob.accept(callId);
    expect(fixture.exchange.presenceOf('alice')).toBe(isAccepted ? 'in_call' : 'online');
    end(fixture, alice, bob, callId);
    expect([fixture.exchange.presenceOf('alice'), fixture.exchange.presenceOf('bob')]).not.toContain('in_call');
    expect(alice.send('unended_calls', {}).payload).toEqual({ calls: [] });
    // The limit of one call of a caller counts only live calls.
    alice.dial('carol');
    expect(carol.types).toContain('dial');
  });

  it('are listed with accepted calls before ringing ones, and only for the requesting device', async () => {
    const fixture = createExchangeFixture();
    const [alice, bob, carol] = [
      await fixture.device('alice'),
      await fixture.device('bob'),
      await fixture.device('carol'),
    ];
    const ringing = alice.dial('carol');
    const accepted = alice.dial('bob');
    bob.accept(accepted);
    const callsOf = (device: Device) => device.send('unended_calls', {}).payload;
    expect(callsOf(alice)).toMatchObject({ calls: [{ call_id: accepted }, { call_id: ringing }] });
    expect(callsOf(bob)).toMatchObject({ calls: [{ call_id: accepted, user_role: 'dc_callee' }] });
    expect(callsOf(carol)).toMatchObject({ calls: [{ call_id: ringing, callee_client_id: null }] });
  });
});
