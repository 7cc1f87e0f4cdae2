import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AV, CONNECTION, createExchangeFixture, PACKED, type Device } from './exchange-fixture.ts';

/** The actions of two users with three devices, honest or not, in any order. `call` selects one of the calls so far. */
const act = fc.record({
  who: fc.nat(2),
  what: fc.constantFrom(
    'dial',
    'accept',
    'accept',
    'connected',
    'connected',
    'cancel',
    'decline',
    'end',
    'no_answer',
    'connection_lost',
    'accepting_timeout',
    'offering_timeout',
    'answering_timeout',
    'alive',
    'offer',
    'audio',
    'away',
    'back',
    'wait',
    'wait',
  ),
  call: fc.nat(3),
  ms: fc.constantFrom(10, 20_000, 64_999, 65_000),
});
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const ENDED = ['cancel', 'decline', 'end', 'timeout', 'connection_lost', 'no_answer', 'unknown_end'];

async function perform(devices: readonly Device[], { who, what, call, ms }: Act, calls: string[]): Promise<void> {
  const device = devices[who]!;
  if (what === 'wait') return device.fixture.clock.advance(ms);
  if (what === 'away') return device.disconnect();
  if (what === 'back') return device.connect();
  if (!isHere(device)) return;
  if (what === 'dial') {
    if (calls.length < 4) calls.push(device.dial(device.userId === 'alice' ? 'bob' : 'alice'));
    return;
  }
  const call_id = calls[call % Math.max(1, calls.length)];
  if (call_id === undefined) return;
  switch (what) {
    case 'accept':
      device.send('accept', { call_id, constraints: AV, capabilities: [] });
      return;
    case 'connected':
      device.send('connected', { call_id, connection: CONNECTION, reconnect: false });
      return;
    case 'accepting_timeout':
    case 'offering_timeout':
    case 'answering_timeout':
      device.send('timeout', { call_id, reason: what });
      return;
    case 'offer':
      device.send('offer', { call_id, sdp: PACKED });
      return;
    case 'audio':
      device.send('audio', { call_id, is_enabled: false });
      return;
    default:
      device.send(what, { call_id });
  }
}

const step = (who: number, what: Act['what']): Act => ({ who, what, call: 0, ms: 10 });
/** A call that connects: it forgets the signals of its set-up. */
const CONNECTED = [step(0, 'dial'), step(1, 'accept'), step(1, 'connected'), step(0, 'connected')];

const isHere = (device: Device) => {
  const before = device.replies.length;
  device.receive(JSON.stringify(device.frame('unended_calls', {})));
  return device.replies.length > before;
};

/** All signals of a device's leg of a call, as the exchange stores them. */
async function signalsOf(
  device: Device,
  callId: string,
): Promise<{ type: string; sequence_number: number; payload: any }[]> {
  const { body } = await device.fixture.http('GET', '/v1/direct_calls/missed_signal', {
    query: { call_ids: callId },
    headers: device.headers,
  });
  return body.signals;
}

describe('any actions of two users with three devices', () => {
  it('I3 I9 I13 each call and each leg ends once, with a result of the table, and signal numbers have no gaps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (acts) => {
        const fixture = createExchangeFixture();
        const devices = [
          await fixture.device('alice'),
          await fixture.device('bob', 'bob-1'),
          await fixture.device('bob', 'bob-2'),
        ];
        const calls: string[] = [];
        for (const one of acts) await perform(devices, one, calls);
        const seen = new Map(devices.map((device) => [device, [...device.events]]));
        fixture.clock.advance(10 * 60_000 - 1);

        // Ended calls are dropped after ten minutes, and some of these ended before the last wait.
        expect(fixture.exchange.liveCalls).toEqual([]);
        expect(fixture.clock.pending).toBe(0);
        const records = new Map(fixture.exchange.records.map((record) => [record.callId, record]));
        for (const callId of calls) {
          const record = records.get(callId);
          if (!record) continue;
          expect(record.duration).toBe(record.startedAt === null ? 0 : record.endedAt - record.startedAt);
          if (record.endResult === 'completed') expect(record.startedAt).not.toBeNull();
          if (['canceled', 'declined', 'no_answer', 'timed_out'].includes(record.endResult))
            expect(record.startedAt).toBeNull();
          let winners = 0;
          for (const device of devices) {
            const signals = await signalsOf(device, callId);
            const numbers = signals.map(({ sequence_number }) => sequence_number);
            // A connected call has forgotten the signals of its set-up, with their numbers.
            if (record.startedAt === null) expect(numbers).toEqual(numbers.map((_, at) => at + 1));
            else expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
            const endings = signals.filter(({ type }) => ENDED.includes(type) || type === 'other_device_accepted');
            expect(endings.length).toBeLessThanOrEqual(1);
            if (endings.length === 1) expect(signals.at(-1)).toBe(endings[0]);
            const [ending] = endings;
            if (ending && ending.type !== 'other_device_accepted') {
              expect(ending.payload).toMatchObject({ end_result: record.endResult, duration: record.duration });
            }
            if (signals.some(({ type }) => type === 'dial') && ending?.type !== 'other_device_accepted') winners += 1;
          }
          const caller = devices.find(({ userId }) => userId === record.participants[0].user_id)!;
          const wasAccepted = (await Promise.all(devices.map((device) => signalsOf(device, callId))))
            .flat()
            .some(({ type }) => type === 'accept');
          if (wasAccepted && record.startedAt === null && caller.userId === 'alice') expect(winners).toBe(1);
        }
        // Messages over the channel arrived in order. A device that got one again got the same number.
        for (const [device, events] of seen) {
          for (const callId of calls) {
            let last = 0;
            for (const { type, sequence_number, payload } of events) {
              if (!('call_id' in payload) || payload.call_id !== callId || type === 'snapshot') continue;
              expect(sequence_number > last || (type === 'dial' && sequence_number === 1)).toBe(true);
              last = Math.max(last, sequence_number);
            }
          }
          expect(device.closes.filter((code) => code !== 4000)).toEqual([]);
        }
      }),
      { numRuns: 300, examples: [[CONNECTED]] },
    );
  });
});
