import { describe, expect, it } from 'vitest';
import { callEvents } from '../../../sim/exchange/events.ts';
import type { JournalEntry } from '../../../sim/exchange/delivery/journal.ts';
import { AV, createExchangeFixture } from './exchange-fixture.ts';

async function watched() {
  const fixture = createExchangeFixture();
  const [alice, bob] = [await fixture.device('alice'), await fixture.device('bob')];
  const entries: JournalEntry[] = [];
  const stop = fixture.exchange.onFrame((entry) => entries.push(entry));
  const lines = () =>
    entries.map(({ direction, device, frame }) => `${device.clientId} ${direction} ${frame.cmd}/${frame.type}`);
  return { fixture, alice, bob, entries, lines, stop };
}

describe('the journal of frames', () => {
  it('has every frame of both directions in order, until its listener is removed', async () => {
    const { fixture, alice, bob, entries, lines, stop } = await watched();
    const call_id = alice.dial('bob');
    bob.send('decline', { call_id });
    expect(lines()).toEqual([
      'alice-1 in CALL/dial',
      'bob-1 out CALL/dial',
      'alice-1 out CALL/dial_ack',
      'bob-1 in CALL/decline',
      'alice-1 out CALL/decline',
      'bob-1 out CALL/decline_ack',
    ]);
    expect(entries.map(({ at }) => at)).toEqual(entries.map(() => fixture.clock.wallTime()));
    expect(entries[1]?.frame).toEqual(bob.events[0]);
    stop();
    alice.dial('bob');
    expect(entries).toHaveLength(6);
  });

  it('has the frames by HTTP: commands, their replies, and missed signals', async () => {
    const { fixture, alice, bob, lines } = await watched();
    const call_id = alice.dial('bob');
    bob.disconnect();
    const headers = bob.headers;
    const delivery = { callee_delivery_info: { channel: 'push' }, received_type: 'push' } as const;
    const body = bob.frame('dial_rcv', { call_id, ...delivery });
    await fixture.http('POST', '/v1/action/direct_call', { headers, body });
    await fixture.http('GET', '/v1/direct_calls/missed_signal', { headers, query: { call_ids: call_id } });
    expect(lines().slice(3)).toEqual([
      'bob-1 in CALL/dial_rcv',
      'alice-1 out CALL/dial_rcv',
      'bob-1 out CALL/dial_rcv_ack',
      'bob-1 out CALL/dial',
    ]);
  });

  it('has a refused command of an ended session, and no signal to a device that is not connected', async () => {
    const { fixture, alice, bob, lines } = await watched();
    const call_id = alice.dial('bob');
    bob.disconnect();
    fixture.exchange.revokeSessions('alice');
    alice.send('cancel', { call_id });
    expect(lines().slice(3)).toEqual(['alice-1 in CALL/cancel', 'alice-1 out CALL/cancel_ack']);
    fixture.exchange.endCallsBetween('alice', 'bob');
    expect(lines().slice(5)).toEqual(['alice-1 out CALL/unknown_end']);
  });

  it('S18 continues with a listener that throws: the frames pass, and the log has the error', async () => {
    const { fixture, alice, bob, entries } = await watched();
    fixture.exchange.onFrame(() => {
      throw new Error('a broken inspector');
    });
    alice.dial('bob');
    expect([entries.length, bob.types]).toEqual([3, ['dial']]);
    expect(JSON.stringify(fixture.log)).toContain('a listener to frames failed');
  });
});

describe('the snapshots of live calls', () => {
  it('have the state of each call and of its legs, and no ended call', async () => {
    const { fixture, alice, bob } = await watched();
    const tablet = await fixture.device('bob', 'bob-2');
    const dialled = fixture.clock.wallTime();
    const call_id = alice.dial('bob');
    const ringing = { callId: call_id, state: 'ringing', since: dialled, createdAt: dialled, acceptedBy: null };
    expect(fixture.exchange.snapshots).toMatchObject([{ ...ringing, caller: 'alice', callee: 'bob' }]);
    fixture.clock.advance(2_000);
    bob.send('accept', { call_id, constraints: { audio: true, video: false }, capabilities: [] });
    tablet.disconnect();
    fixture.clock.advance(1_000);
    for (const side of [alice, bob]) side.connected(call_id);
    alice.send('hold', { call_id, is_on_hold: true, was_relayed: false });
    fixture.clock.advance(500);
    const media = dialled + 3_000;
    expect(fixture.exchange.snapshots).toEqual([
      {
        callId: call_id,
        isVideoCall: true,
        state: 'connected',
        since: media,
        createdAt: dialled,
        begunAt: media,
        caller: 'alice',
        callee: 'bob',
        acceptedBy: 'bob-1',
        legs: [
          expect.objectContaining({
            side: 'caller',
            device: { userId: 'alice', clientId: 'alice-1' },
            media: AV,
            isConnected: true,
            outcome: null,
            recording: 'none',
            onHold: true,
            mediaSince: media,
            silentMs: 500,
          }),
          expect.objectContaining({
            side: 'callee',
            media: { audio: true, video: false },
            onHold: false,
            lastSignal: 3,
          }),
          expect.objectContaining({
            device: { userId: 'bob', clientId: 'bob-2' },
            isConnected: false,
            outcome: 'other_device_accepted',
            mediaSince: null,
            silentMs: 3_500,
          }),
        ],
      },
    ]);
    bob.send('end', { call_id });
    expect(fixture.exchange.snapshots).toEqual([]);
  });
});

describe('the events of a call', () => {
  it('begin with its dial and its accept', async () => {
    const { fixture, alice, bob } = await watched();
    const kinds: string[] = [];
    fixture.exchange.subscribe(callEvents(({ kind, callId, caller }) => kinds.push(`${kind} ${callId} ${caller}`)));
    const call_id = alice.dial('bob');
    bob.accept(call_id);
    bob.send('end', { call_id });
    expect(kinds).toEqual(['ringing', 'accepted', 'ended'].map((kind) => `${kind} ${call_id} alice`));
  });
});
