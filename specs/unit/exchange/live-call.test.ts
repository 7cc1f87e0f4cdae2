/** The stored form of a live call, its reader, and the record of an abandoned call. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { endRecordOf } from '../../../sim/exchange/calls/abandoned-call.ts';
import { liveCall, type LiveCall, lengthOf, momentOf } from '../../../sim/exchange/calls/live-call.ts';
import { aLiveCall } from '../../contract/store/store.contract.ts';

const since = { at: 1_767_225_605_000, clock: 5_012 };
const CONNECTED = { name: 'connected', since, callee: 'bob-1' } as const;

describe('a stored call', () => {
  const whole = aLiveCall('alice', 'bob', { state: CONNECTED, webhook: { url: 'https://host.test/' } });
  const [leg] = whole.legs;
  const reads = (call: unknown) => v.safeParse(liveCall, call).success;

  it('is equal after it was written and read', () => {
    for (const state of [CONNECTED, { ...CONNECTED, name: 'accepted' as const }, { name: 'ringing' as const, since }]) {
      const written: LiveCall = {
        ...whole,
        state,
        legs: whole.legs.map((one) => ({
          ...one,
          connectedAt: since,
          outcome: 'other_device_accepted',
          request: 'r',
          session: 's',
          lost: since,
        })),
      };
      expect(v.parse(liveCall, JSON.parse(JSON.stringify(written)))).toEqual(written);
    }
    expect(v.parse(liveCall, whole)).toEqual(whole);
  });

  it.each(Object.keys(whole))('is not read without its %s', (field) => {
    expect(reads({ ...whole, [field]: undefined })).toBe(false);
  });

  it.each(Object.keys(leg ?? {}))('is not read without the %s of a leg', (field) => {
    expect(reads({ ...whole, legs: [{ ...leg, [field]: undefined }] })).toBe(false);
  });

  it('is not read where a value is out of its range', () => {
    const withLeg = (more: object) => reads({ ...whole, legs: [{ ...leg, ...more }] });
    expect([withLeg({ clientId: 'x' }), withLeg({ clientId: 'x'.repeat(128) })]).toEqual([true, true]);
    expect([withLeg({ clientId: '' }), withLeg({ clientId: 'x'.repeat(129) })]).toEqual([false, false]);
    expect([withLeg({ side: 'other' }), withLeg({ firstSignal: 1.5 }), withLeg({ lastSignal: 1.5 })]).toEqual([
      false,
      false,
      false,
    ]);
    expect([withLeg({ lost: { at: 1 } }), withLeg({ lost: { clock: 1 } })]).toEqual([false, false]);
    expect(reads({ ...whole, createdAt: Number.POSITIVE_INFINITY })).toBe(false);
    for (const name of ['ringing', 'accepted', 'connected']) {
      expect(reads({ ...whole, state: { name, callee: 'bob-1' } })).toBe(false);
    }
    for (const name of ['accepted', 'connected']) expect(reads({ ...whole, state: { name, since } })).toBe(false);
    expect(reads({ ...whole, state: { ...CONNECTED, name: 'ended' } })).toBe(false);
  });
});

describe('the record of a call that its exchange abandoned', () => {
  const seen = { at: since.at + 90_000, clock: since.clock + 30_000.4 };
  const recordOf = (state: LiveCall['state']) => {
    const body = aLiveCall('alice', 'bob', { state });
    return { body, record: endRecordOf({ callId: body.callId, body, signals: [], seen }) };
  };

  it('has as its length the time until it was last seen, by the monotonic clock', () => {
    const { body, record } = recordOf(CONNECTED);
    expect(record).toEqual({
      callId: body.callId,
      isVideoCall: true,
      customItems: body.customItems,
      itemsAffectedAt: body.itemsAffectedAt,
      participants: [body.callerUser, body.calleeUser],
      createdAt: body.createdAt,
      startedAt: since.at,
      endedAt: seen.at,
      endedBy: null,
      duration: 30_000,
      endResult: 'connection_lost',
    });
  });

  it('has no length where the call was not connected', () => {
    const ringing = recordOf({ name: 'ringing', since }).record;
    expect(ringing).toMatchObject({ startedAt: null, duration: 0, endResult: 'no_answer' });
    const accepted = recordOf({ name: 'accepted', since, callee: 'bob-1' }).record;
    expect(accepted).toMatchObject({ startedAt: null, duration: 0, endResult: 'connection_lost' });
  });

  it('I8 F48: ends no sooner than its length after its start, also when the clock was set back', () => {
    const body = aLiveCall('alice', 'bob', { state: CONNECTED });
    const ended = (state: LiveCall['state']) =>
      endRecordOf({ callId: 'c', body: { ...body, state }, signals: [], seen: { ...seen, at: 5 } })?.endedAt;
    expect(ended(CONNECTED)).toBe(since.at + 30_000);
    expect(ended({ name: 'ringing', since })).toBe(body.createdAt);
  });

  it('is not created from unreadable data', () => {
    expect(endRecordOf({ callId: 'c', body: { callId: 'c' }, signals: [], seen })).toBeUndefined();
  });
});

describe('a moment', () => {
  it('is the present time of both clocks, and a length is whole milliseconds of the monotonic one, never below 0', () => {
    expect(momentOf({ wallTime: () => 7, now: () => 3 })).toEqual({ at: 7, clock: 3 });
    const lengths = [
      [1, 3.6],
      [1, 1],
      [3, 1],
    ].map(([from, to]) => lengthOf({ at: 100, clock: from ?? 0 }, { at: 0, clock: to ?? 0 }));
    expect(lengths).toEqual([3, 0, 0]);
  });
});
