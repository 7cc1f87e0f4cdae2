/** A client of a man that sends false reports: it saves no coins. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Ledger } from '../../../sim/product/ledger/ledger.ts';
import { DAY_MS } from '../../../sim/product/rules.ts';
import { PACKED, type Device } from '../exchange/exchange-fixture.ts';
import { audit } from './support/audit.ts';
import { databasesOf, EVERY } from './support/databases.ts';
import { openStage, type Stage } from './support/stage.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

describe.each(EVERY)('a modified client, billed in %s', (kind) => {
  const databases = databasesOf(kind);
  let stage: Stage;
  let kai: Device;
  let mei: Device;
  let yun: Device;
  beforeEach(async (context) => {
    databases.skipIfMissing(context);
    stage = await openStage(await databases.make());
    [kai, mei, yun] = [
      await stage.fixture.device('kai'),
      await stage.fixture.device('mei'),
      await stage.fixture.device('yun'),
    ];
  });
  afterEach(() => databases.close());

  const aDial = (callee_id: string, isVideo: boolean) => ({
    callee_id,
    is_video_call: isVideo,
    constraints: { audio: true, video: isVideo },
    capabilities: [],
  });

  /** Dials, and waits for the answer of the product: the id of the call, or the code of the refusal. */
  async function dial(from: Device, to: string, isVideo = true): Promise<string | number> {
    const frame = from.frame('dial', aDial(to, isVideo));
    from.receive(JSON.stringify(frame));
    const answered = () => from.replies.find(({ request_id }) => request_id === frame.request_id);
    const reply = await vi.waitUntil(answered, { interval: 1, timeout: 10_000 });
    return reply.error ? reply.error.code : (reply.payload as { call_id: string }).call_id;
  }

  /** A call of kai that mei has accepted, with an offer and an answer forwarded. */
  async function described(): Promise<string> {
    const call_id = String(await dial(kai, 'mei'));
    expect(mei.accept(call_id)).toBe(0);
    expect(kai.code('offer', { call_id, sdp: PACKED })).toBe(0);
    expect(mei.code('answer', { call_id, sdp: PACKED })).toBe(0);
    return call_id;
  }

  /** A call in which both report that they are connected. */
  async function connected(): Promise<string> {
    const call_id = await described();
    for (const device of [kai, mei]) expect(device.connected(call_id)).toBe(0);
    await stage.product.settled();
    return call_id;
  }

  const advance = (seconds: number, call_id: string, alive: readonly Device[] = [kai, mei]) =>
    stage.advance(
      seconds,
      alive.map((device) => [device, call_id] as const),
    );
  const say = async (device: Device, type: 'end' | 'cancel' | 'decline' | 'connection_lost', call_id: string) => {
    expect(device.code(type, { call_id })).toBe(0);
    await stage.product.settled();
  };
  const held = (man = 'kai') => stage.ledger.balance(`held:${man}`);
  /** The coins that kai has paid. */
  const paid = async (had: number) => had - (await stage.coins('kai')) - (await held());
  const records = () => stage.fixture.exchange.records;

  describe('that never reports connected', () => {
    it('pays from the report of the other side on, and the history has no start of the call', async () => {
      await stage.give('kai', 100);
      const call_id = await described();
      await advance(5, call_id);
      mei.connected(call_id);
      await stage.product.settled();
      await advance(9, call_id);
      expect(await paid(100)).toBe(0);
      await advance(1, call_id);
      expect(await paid(100)).toBe(20);
      await advance(60, call_id);
      expect([await paid(100), await stage.settling('mei')]).toEqual([40, 1_600]);
      await say(kai, 'end', call_id);
      expect([await paid(100), await audit(stage.database)]).toEqual([40, []]);
      expect(records()).toMatchObject([{ startedAt: null, duration: 0, endResult: 'not_connected' }]);
    });

    it('pays from 75 s after the accept on, when the other side does not report it either', async () => {
      await stage.give('kai', 100);
      const call_id = await described();
      await advance(84, call_id);
      expect(await paid(100)).toBe(0);
      await advance(1, call_id);
      expect(await paid(100)).toBe(20);
    });

    it('loses its call when it cannot pay', async () => {
      await stage.give('kai', 20);
      const call_id = await described();
      mei.connected(call_id);
      await advance(99, call_id);
      expect(mei.told).toBeUndefined();
      await advance(1, call_id);
      expect([kai.told, mei.told]).toEqual(['timed_out', 'timed_out']);
    });
  });

  it('costs nothing when media of an honest call never connects, and its coins are released', async () => {
    await stage.give('kai', 100);
    let call_id = '';
    for (const device of [kai, mei]) {
      call_id = await described();
      expect(await held()).toBe(20);
      await advance(60, call_id);
      await say(device, 'end', call_id);
      expect([await stage.coins('kai'), await held()]).toEqual([100, 0]);
    }
    // Only she reports that she is connected, before any description: there can be no media.
    call_id = String(await dial(kai, 'mei'));
    mei.accept(call_id);
    mei.connected(call_id);
    await advance(60, call_id);
    await say(kai, 'end', call_id);
    expect([await stage.coins('kai'), await held(), await stage.settling('mei')]).toEqual([100, 0, 0]);
  });

  describe('that loses its connection on purpose', () => {
    it('pays the minute although it reports that the connection was lost', async () => {
      await stage.give('kai', 100);
      const call_id = await connected();
      await advance(75, call_id);
      await say(kai, 'connection_lost', call_id);
      expect([await paid(100), await stage.settling('mei')]).toEqual([40, 1_600]);
      expect(records()).toMatchObject([{ endResult: 'connection_lost' }]);
    });

    it('pays the minute when its page was killed, detected by the other side or by the exchange', async () => {
      await stage.give('kai', 200);
      const first = await connected();
      await advance(75, first);
      kai.disconnect();
      await advance(30, first, [mei]);
      await say(mei, 'connection_lost', first);
      expect(await paid(200)).toBe(40);

      await kai.connect();
      const second = await connected();
      await advance(60, second);
      kai.disconnect();
      await advance(66, second, [mei]);
      expect(mei.told).toBe('connection_lost');
      expect(await paid(200)).toBe(40 + 40);
    });

    it('gets the minute back when the woman reports the loss or leaves first, twice a day with the same woman', async () => {
      await stage.give('kai', 500);
      /** The cost in coins of a call of 75 s that ends so. */
      const cost = async (lose: (call_id: string) => Promise<unknown>) => {
        const before = await stage.coins('kai');
        const call_id = await connected();
        await advance(75, call_id);
        await lose(call_id);
        await stage.product.settled();
        return before - (await stage.coins('kai'));
      };
      const hers = (call_id: string) => say(mei, 'connection_lost', call_id);
      const hersGone = async (call_id: string) => {
        mei.disconnect();
        await say(kai, 'connection_lost', call_id);
        await mei.connect();
      };
      expect([await cost(hers), await cost(hersGone), await cost(hers), await cost(hersGone)]).toEqual([
        20, 20, 40, 40,
      ]);
      stage.clock.advance(DAY_MS);
      // Their sessions have expired by then.
      [kai, mei] = [await stage.fixture.device('kai', 'kai-2'), await stage.fixture.device('mei', 'mei-2')];
      expect(await cost(hers)).toBe(20);
      expect(await audit(stage.database)).toEqual([]);
    });

    it('gets the minute back when both sides fall silent at once', async () => {
      await stage.give('kai', 100);
      const call_id = await connected();
      await advance(75, call_id);
      for (const device of [kai, mei]) device.disconnect();
      await advance(66, call_id, []);
      // Two minutes were charged at that time, and the last one is refunded.
      expect([await paid(100), records().map(({ endResult }) => endResult)]).toEqual([20, ['connection_lost']]);
    });
  });

  describe('that dials several at once', () => {
    it('I15 has one paid call: a second one is refused with 1400105, dialled by either user', async () => {
      await stage.give('kai', 1_000);
      const leo = await stage.fixture.device('leo');
      const quote = async (from: string, callee: string) =>
        (await stage.ask(from, 'POST', '/calls/quote', { body: { callee, kind: 'voice' } })).body;
      const first = String(await dial(kai, 'mei'));
      expect([await dial(kai, 'yun', false), await dial(yun, 'kai', false), await dial(kai, 'mei')]).toEqual([
        ErrorCode.ERR_NO_PERMISSION,
        ErrorCode.ERR_NO_PERMISSION,
        ErrorCode.ERR_NO_PERMISSION,
      ]);
      expect(await quote('kai', 'yun')).toMatchObject({ allowed: false, reason: 'unavailable' });
      expect(await quote('yun', 'kai')).toMatchObject({ allowed: false, reason: 'unavailable', coins: null });
      // A free call has no such limit.
      const free = await dial(kai, 'leo');
      expect(free).toMatch(/^made/);
      leo.code('decline', { call_id: String(free) });
      // The result is the same on hold.
      mei.accept(first);
      for (const device of [kai, mei]) device.connected(first);
      kai.code('hold', { call_id: first, is_on_hold: true, was_relayed: false });
      await advance(100, first);
      expect(await dial(kai, 'yun', false)).toBe(ErrorCode.ERR_NO_PERMISSION);
      // After its end he may dial again.
      kai.code('end', { call_id: first });
      const next = String(await dial(kai, 'yun', false));
      expect(next).toMatch(/^made/);
      expect(await held()).toBe(20);
      await say(yun, 'decline', next);
      expect([await held(), await audit(stage.database)]).toEqual([0, []]);
    });

    it('gets its coins back when a call is not dialled or never answered', async () => {
      const released = vi.spyOn(Ledger.prototype, 'release');
      onTestFinished(() => released.mockRestore());
      await stage.give('kai', 20);
      await say(kai, 'cancel', String(await dial(kai, 'mei')));
      expect([await stage.coins('kai'), await held()]).toEqual([20, 0]);
      // The device disconnects before the product has answered.
      kai.receive(JSON.stringify(kai.frame('dial', aDial('mei', true))));
      kai.disconnect();
      await vi.waitUntil(() => released.mock.calls.length === 2, { interval: 5, timeout: 10_000 });
      await stage.product.settled();
      expect([await stage.coins('kai'), await held(), stage.fixture.exchange.liveCalls]).toEqual([20, 0, []]);
    });

    it('I12 has one call for one request, although it sends the frame twice at once and once later', async () => {
      await stage.give('kai', 100);
      const frame = kai.frame('dial', aDial('mei', true));
      kai.receive(JSON.stringify(frame));
      const byHttp = await stage.fixture.http('POST', '/v1/action/direct_call', { headers: kai.headers, body: frame });
      const again = await stage.fixture.http('POST', '/v1/action/direct_call', { headers: kai.headers, body: frame });
      expect(byHttp.body.error).toBeUndefined();
      expect(again.body).toEqual(byHttp.body);
      await vi.waitUntil(() => kai.replies.length > 0, { interval: 1, timeout: 10_000 });
      expect(kai.replies).toEqual([byHttp.body]);
      expect([stage.fixture.exchange.liveCalls.length, await held()]).toEqual([1, 20]);
    });

    it('is not locked out by a call that no server has any more', async () => {
      await stage.give('kai', 100);
      const call_id = String(await dial(kai, 'mei'));
      stage.fixture.exchange.forgetCalls();
      // The reservation may belong to a call that is being dialled at this moment.
      expect(await dial(kai, 'mei')).toBe(ErrorCode.ERR_NO_PERMISSION);
      stage.clock.advance(60_000);
      const next = await dial(kai, 'mei');
      expect(next).toMatch(/^made/);
      expect(next).not.toBe(call_id);
      expect([await stage.coins('kai'), await held(), await audit(stage.database)]).toEqual([80, 20, []]);
    });

    it('I15 S24 has at most one of several calls that it dials at the same moment with coins for one', async () => {
      const aCall = fc.record({
        man: fc.constantFrom('kai', 'leo'),
        woman: fc.constantFrom('mei', 'yun'),
        byHer: fc.boolean(),
      });
      const leo = await stage.fixture.device('leo');
      const deviceOf = (uId: string) => [kai, leo, mei, yun].find(({ userId }) => userId === uId) ?? kai;
      const calls = fc.array(aCall, { minLength: 2, maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(calls, fc.integer({ min: 0, max: 60 }), async (dials, coins) => {
          for (const man of ['kai', 'leo']) {
            const before = await stage.coins(man);
            if (before < coins) await stage.give(man, coins - before);
          }
          const had = { kai: await stage.coins('kai'), leo: await stage.coins('leo') };
          const made = await Promise.all(
            dials.map(async ({ man, woman, byHer }) => {
              const [from, to] = byHer ? [woman, man] : [man, woman];
              return { man, from: deviceOf(from), call: await dial(deviceOf(from), to, false) };
            }),
          );
          for (const man of ['kai', 'leo'] as const) {
            const own = made.filter((one) => one.man === man);
            const through = own.filter(({ call }) => typeof call === 'string').length;
            expect(through).toBe(own.length > 0 && had[man] >= 20 ? 1 : 0);
            expect([await stage.coins(man), await held(man)]).toEqual([had[man] - 20 * through, 20 * through]);
          }
          for (const { from, call } of made) if (typeof call === 'string') from.code('cancel', { call_id: call });
          await stage.product.settled();
          expect([await held('kai'), await held('leo'), await audit(stage.database)]).toEqual([0, 0, []]);
          // The budget of dials is a separate limit.
          stage.clock.advance(3_000);
        }),
        { numRuns: kind === 'PostgreSQL' ? 8 : 25 },
      );
    });
  });

  describe.each([
    ['forward', 1],
    ['back', -1],
  ])('F48 on a server whose clock is set %s by an hour', (_, sign) => {
    const HOUR = 3_600_000 * sign;

    it('pays exactly each minute at its start, and no call ends', async () => {
      await stage.give('kai', 200);
      const call_id = await connected();
      await advance(75, call_id);
      expect(await paid(200)).toBe(40);
      stage.clock.set(HOUR);
      await advance(54, call_id);
      expect(await paid(200)).toBe(40);
      await advance(1, call_id);
      expect(await paid(200)).toBe(60);
      stage.clock.set(HOUR);
      await advance(59, call_id);
      expect(await paid(200)).toBe(60);
      await advance(1, call_id);
      expect([await paid(200), mei.told, stage.fixture.exchange.liveCalls.length]).toEqual([80, undefined, 1]);
      await say(mei, 'end', call_id);
      expect(records()).toMatchObject([{ duration: 190_000, endResult: 'completed' }]);
      expect(await audit(stage.database)).toEqual([]);
    });

    it('has 30 seconds of grace, and 30 seconds of a hold', async () => {
      await stage.give('kai', 20);
      const call_id = await connected();
      await advance(70, call_id);
      stage.clock.set(HOUR);
      await advance(29, call_id);
      expect(mei.told).toBeUndefined();
      await advance(1, call_id);
      expect(mei.told).toBe('completed');

      await stage.give('kai', 200);
      const other = await connected();
      await advance(20, other);
      kai.send('hold', { call_id: other, is_on_hold: true, was_relayed: false });
      stage.clock.set(-HOUR);
      await advance(100, other);
      kai.send('hold', { call_id: other, is_on_hold: false, was_relayed: false });
      await advance(19, other);
      expect(await paid(200)).toBe(20);
      await advance(1, other);
      expect(await paid(200)).toBe(40);
      // The clock moves in the other direction during the second hold.
      kai.send('hold', { call_id: other, is_on_hold: true, was_relayed: false });
      stage.clock.set(HOUR);
      await advance(100, other);
      kai.send('hold', { call_id: other, is_on_hold: false, was_relayed: false });
      await advance(29, other);
      expect(await paid(200)).toBe(40);
      await advance(1, other);
      expect(await paid(200)).toBe(60);
    });
  });
});
