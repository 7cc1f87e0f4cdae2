/** The start of media, and the side that lost its connection, by the observations of the exchange. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { CallEvent } from '../../../sim/exchange/calls/call-event.ts';
import { afterSetUp, createExchangeFixture, PACKED, type Device, type ExchangeFixture } from './exchange-fixture.ts';

let fixture: ExchangeFixture;
let alice: Device;
let bob: Device;
let told: CallEvent[];
beforeEach(async () => {
  fixture = createExchangeFixture();
  alice = await fixture.device('alice');
  bob = await fixture.device('bob');
  told = [];
  fixture.exchange.subscribe(afterSetUp((event) => told.push(event)));
});

const kinds = () => told.map(({ kind }) => kind);
/** A call that bob has accepted. */
function accepted(): string {
  const call_id = alice.dial('bob');
  expect(bob.accept(call_id)).toBe(0);
  return call_id;
}
const offer = (call_id: string) => expect(alice.code('offer', { call_id, sdp: PACKED })).toBe(0);
const answer = (call_id: string) => expect(bob.code('answer', { call_id, sdp: PACKED })).toBe(0);
/** A call whose offer and answer were forwarded. */
function described(): string {
  const call_id = accepted();
  offer(call_id);
  answer(call_id);
  return call_id;
}
/** Advances the time. The devices send alive each 30 s. */
function pass(seconds: number, call_id: string, devices: readonly Device[] = [alice, bob]): void {
  for (let second = 1; second <= seconds; second += 1) {
    fixture.clock.advance(1_000);
    if (second % 30 === 0) for (const device of devices) device.send('alive', { call_id });
  }
}

describe('media starts', () => {
  it.each([
    ['the callee', () => bob],
    ['the caller', () => alice],
  ])('when only %s reports it, and the call is connected once both sides report it', (_, by) => {
    const call_id = described();
    fixture.clock.advance(3_000);
    by().connected(call_id);
    expect(kinds()).toEqual(['begun']);
    const since = { at: fixture.clock.wallTime(), clock: fixture.clock.now() };
    expect(told[0]).toEqual({
      callId: call_id,
      caller: 'alice',
      callee: 'bob',
      isVideoCall: true,
      kind: 'begun',
      ...since,
    });
    expect(fixture.exchange.liveCalls).toEqual([{ callId: call_id, state: 'accepted' }]);
    expect(fixture.exchange.begunCalls).toMatchObject([{ callId: call_id, ...since, isHeld: false, isBack: true }]);
    fixture.clock.advance(2_000);
    for (const device of [alice, bob]) device.connected(call_id);
    expect(kinds()).toEqual(['begun', 'connected']);
    // The length counts from the moment at which both are connected.
    fixture.clock.advance(4_000);
    alice.code('end', { call_id });
    expect(fixture.exchange.records).toMatchObject([{ startedAt: since.at + 2_000, duration: 4_000 }]);
  });

  it('not on the report of one side while no offer and answer were forwarded', () => {
    const call_id = accepted();
    bob.connected(call_id);
    offer(call_id);
    bob.connected(call_id);
    expect([kinds(), fixture.exchange.begunCalls]).toEqual([[], []]);
    answer(call_id);
    expect(kinds()).toEqual([]);
    bob.connected(call_id);
    expect(kinds()).toEqual(['begun']);
  });

  it('75 s after the accept, when both sent descriptions and neither reports', () => {
    const call_id = accepted();
    pass(30, call_id);
    offer(call_id);
    answer(call_id);
    pass(44, call_id);
    offer(call_id);
    expect(kinds()).toEqual([]);
    pass(1, call_id);
    expect(kinds()).toEqual(['begun']);
    alice.connected(call_id);
    bob.connected(call_id);
    pass(120, call_id);
    expect(kinds()).toEqual(['begun', 'connected']);
  });

  it('at once when the descriptions come later than that', () => {
    const call_id = accepted();
    pass(90, call_id);
    offer(call_id);
    answer(call_id);
    fixture.clock.advance(0);
    expect(kinds()).toEqual(['begun']);
  });

  it('never in a call that ends before, and leaves no timer', () => {
    const before = fixture.clock.pending;
    const call_id = described();
    pass(60, call_id);
    // A repeated description starts no second timer.
    offer(call_id);
    expect(alice.code('end', { call_id })).toBe(0);
    expect(fixture.clock.pending).toBe(before);
    fixture.clock.advance(60_000);
    expect([kinds(), fixture.clock.pending]).toEqual([['ended'], before]);
    expect(told[0]).toMatchObject({ record: { startedAt: null, endResult: 'not_connected' } });
    described();
    fixture.exchange.forgetCalls();
    expect(fixture.clock.pending).toBe(before);
  });

  it('and the exchange emits a hold from then on', () => {
    const call_id = described();
    alice.send('hold', { call_id, is_on_hold: true, was_relayed: false });
    bob.connected(call_id);
    alice.send('hold', { call_id, is_on_hold: false, was_relayed: false });
    expect(kinds()).toEqual(['begun', 'held', 'resumed']);
  });

  it('and the host may end the call, with timed_out when it is not connected', () => {
    const call_id = described();
    fixture.exchange.endCall(call_id);
    expect(fixture.exchange.liveCalls).toHaveLength(1);
    bob.connected(call_id);
    fixture.exchange.endCall(call_id);
    expect([alice.told, bob.told, fixture.exchange.liveCalls]).toEqual(['timed_out', 'timed_out', []]);
    fixture.exchange.endCall(call_id);
    expect(kinds()).toEqual(['begun', 'ended']);
  });
});

describe('the record of an ended call has as the side that lost the connection', () => {
  /** A connected call. Both sides have just sent a message. */
  function connected(): string {
    const call_id = accepted();
    for (const device of [alice, bob]) device.connected(call_id);
    return call_id;
  }
  const end = () => {
    const last = told.at(-1);
    return last?.kind === 'ended' ? [last.lost, last.endedBySide] : undefined;
  };

  it('neither side when both are connected, and otherwise the side that reported it', () => {
    const call_id = connected();
    pass(29, call_id);
    bob.code('connection_lost', { call_id });
    expect(end()).toEqual([null, 'callee']);
    const other = connected();
    pass(32, other, []);
    alice.code('connection_lost', { call_id: other });
    expect(end()).toEqual([null, 'caller']);
  });

  it('the side that has been silent for more than 32 s', () => {
    const call_id = connected();
    pass(33, call_id, []);
    alice.code('connection_lost', { call_id });
    expect(end()).toEqual(['callee', 'caller']);
    const other = connected();
    pass(33, other, []);
    bob.code('connection_lost', { call_id: other });
    expect(end()).toEqual(['caller', 'callee']);
  });

  it('the side whose device has no socket', () => {
    const call_id = connected();
    alice.disconnect();
    bob.code('connection_lost', { call_id });
    expect(end()).toEqual(['caller', 'callee']);
  });

  it('both sides when they fell silent within one interval of each other', () => {
    const call_id = connected();
    fixture.clock.advance(30_000);
    bob.send('alive', { call_id });
    for (const device of [alice, bob]) device.disconnect();
    fixture.clock.advance(35_000);
    expect(end()).toEqual(['both', null]);
  });

  it.each([
    ['caller', () => alice, () => bob],
    ['callee', () => bob, () => alice],
  ] as const)('the %s when that side fell silent an interval before the other', (side, one, other) => {
    const [first, second] = [one(), other()];
    const call_id = connected();
    first.disconnect();
    fixture.clock.advance(30_001);
    second.send('alive', { call_id });
    second.disconnect();
    fixture.clock.advance(34_999);
    expect(end()).toEqual([side, null]);
  });

  it('neither side in a call that was never accepted', () => {
    alice.code('cancel', { call_id: alice.dial('bob') });
    expect(end()).toEqual([null, 'caller']);
  });
});
