import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PRICE_TIERS, BONUS_RULES } from '../../../sim/product/rules.ts';
import type { Device } from '../exchange/exchange-fixture.ts';
import { HandClock } from '../support/hand-clock.ts';
import { audit } from './support/audit.ts';
import { databasesOf, EVERY } from './support/databases.ts';
import { openStage, type Stage } from './support/stage.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

describe.each(EVERY)('calls, billed in %s', (kind) => {
  const databases = databasesOf(kind);
  let stage: Stage;
  let kai: Device;
  let mei: Device;
  beforeEach(async (context) => {
    databases.skipIfMissing(context);
    stage = await openStage(await databases.make());
    kai = await stage.fixture.device('kai');
    mei = await stage.fixture.device('mei');
  });
  afterEach(() => databases.close());

  /** Dials, and waits for the answer of the product. */
  async function dial(from: Device, to: string, isVideoCall = true): Promise<string | number> {
    const before = from.replies.length;
    const frame = from.frame('dial', {
      callee_id: to,
      is_video_call: isVideoCall,
      constraints: { audio: true, video: isVideoCall },
      capabilities: [],
    });
    from.receive(JSON.stringify(frame));
    const answered = () => from.replies.slice(before).find(({ request_id }) => request_id === frame.request_id);
    const reply = await vi.waitUntil(answered, { interval: 1, timeout: 10_000 });
    return reply.error ? reply.error.code : (reply.payload as { call_id: string }).call_id;
  }

  /** A call that is connected from now on. */
  async function connect(from: Device = kai, to: Device = mei): Promise<string> {
    const call_id = await dial(from, to.userId);
    if (typeof call_id !== 'string') throw new Error(`dial refused with ${call_id}`);
    expect(to.accept(call_id)).toBe(0);
    for (const device of [from, to]) device.connected(call_id);
    await stage.product.settled();
    return call_id;
  }

  const alive = (call_id: string) =>
    [
      [kai, call_id],
      [mei, call_id],
    ] as const;
  const advance = (seconds: number, call_id: string) => stage.advance(seconds, alive(call_id));
  const hangUp = async (device: Device, call_id: string) => {
    expect(device.code('end', { call_id })).toBe(0);
    await stage.product.settled();
  };
  const lastBilling = (uId: string) => stage.told(uId, 'call_billing').at(-1);
  const quote = (from: string, callee: string, what = 'video') =>
    stage.ask(from, 'POST', '/calls/quote', { body: { callee, kind: what } }).then(({ body }) => body);

  it('cost nothing for ten seconds', async () => {
    await stage.give('kai', 100);
    const call = await connect();
    await advance(9, call);
    expect([await stage.coins('kai'), await stage.ledger.balance('held:kai')]).toEqual([80, 20]);
    await hangUp(kai, call);
    expect([await stage.coins('kai'), await stage.ledger.balance('held:kai')]).toEqual([100, 0]);
    expect(await stage.settling('mei')).toBe(0);
    expect(await audit(stage.database)).toEqual([]);
  });

  it('cost coins for each minute at its start, and give the woman 40 percent, for a dial or an end by either user', async () => {
    await stage.give('kai', 100);
    const first = await connect();
    const paid = [];
    for (const seconds of [10, 59, 1, 60, 59]) {
      await advance(seconds, first);
      paid.push(100 - (await stage.coins('kai')));
    }
    // The minute that is charged at the tenth second is reserved before.
    expect(paid).toEqual([20, 20, 40, 60, 60]);
    expect(await stage.settling('mei')).toBe(3 * 800);
    expect(lastBilling('kai')).toMatchObject({ billed_minutes: 3, rate: 20, coins_left: 40, points_earned: null });
    expect(lastBilling('mei')).toMatchObject({ billed_minutes: 3, rate: 20, coins_left: null, points_earned: 2_400 });
    await hangUp(mei, first);
    await advance(120, first).catch(() => undefined);
    expect(await stage.coins('kai')).toBe(40);

    const second = await connect(mei, kai);
    await advance(10, second);
    await hangUp(kai, second);
    expect([await stage.coins('kai'), await stage.settling('mei')]).toEqual([20, 4 * 800]);
    expect(await audit(stage.database)).toEqual([]);
  });

  it('on hold are billed for 30 seconds more', async () => {
    await stage.give('kai', 200);
    const call = await connect();
    await advance(30, call);
    kai.send('hold', { call_id: call, is_on_hold: true, was_relayed: false });
    await advance(300, call);
    expect(lastBilling('kai')?.billed_minutes).toBe(1);
    kai.send('hold', { call_id: call, is_on_hold: false, was_relayed: false });
    // 60 seconds are billed. The second minute begins at 70.
    await advance(9, call);
    expect(lastBilling('kai')?.billed_minutes).toBe(1);
    await advance(1, call);
    expect(lastBilling('kai')?.billed_minutes).toBe(2);
  });

  it('refund their last minute only when the connection is lost', async () => {
    await stage.give('kai', 100);
    const call = await connect();
    await advance(75, call);
    expect([await stage.coins('kai'), await stage.settling('mei')]).toEqual([60, 1_600]);
    expect(mei.code('connection_lost', { call_id: call })).toBe(0);
    await stage.product.settled();
    expect([await stage.coins('kai'), await stage.settling('mei')]).toEqual([80, 800]);
    expect(lastBilling('kai')).toMatchObject({ billed_minutes: 1, coins_left: 80 });
    // Her share does not grow by it either.
    const volumes = await stage.database.db.selectFrom('ringback_volumes').select('coins').execute();
    expect(volumes).toEqual([{ coins: 20 }]);
    expect(await audit(stage.database)).toEqual([]);
  });

  it('that cannot be paid continue for 30 seconds with an announcement, and the server then ends them', async () => {
    await stage.give('kai', 40);
    const call = await connect();
    await advance(10, call);
    expect(lastBilling('kai')?.ends_at).toBeNull();
    await advance(60, call);
    const endsAt = stage.clock.wallTime() + 90_000;
    expect(lastBilling('kai')).toMatchObject({ billed_minutes: 2, coins_left: 0, ends_at: endsAt });
    expect(lastBilling('mei')?.ends_at).toBeNull();
    await advance(89, call);
    expect(kai.told).toBeUndefined();
    await advance(1, call);
    expect([kai.told, mei.told]).toEqual(['completed', 'completed']);
    expect([await stage.coins('kai'), await stage.settling('mei')]).toEqual([0, 1_600]);
    expect(await audit(stage.database)).toEqual([]);
  });

  /** Buys coins, as a user in a call may. */
  async function buy(uId: string, pack_id = 'coins-100'): Promise<void> {
    const body = { pack_id, method: 'card', card_number: '4242424242424242' };
    expect(await stage.ask(uId, 'POST', '/deposits', { body })).toMatchObject({ body: { status: 'paid' } });
    await stage.product.settled();
  }

  it('continue when he buys coins within the 30 seconds, and have 30 seconds again the next time', async () => {
    await stage.give('kai', 20);
    const call = await connect();
    await advance(75, call);
    // The second minute began at 70 s and could not be paid.
    expect(lastBilling('kai')).toMatchObject({ billed_minutes: 1, ends_at: stage.clock.wallTime() + 25_000 });
    await buy('leo');
    expect(await stage.coins('kai')).toBe(0);
    await buy('kai');
    // The minute is paid at once, and the call no longer ends soon: 100 coins, 20 as a first bonus, less a minute.
    expect(lastBilling('kai')).toMatchObject({ billed_minutes: 2, coins_left: 100, ends_at: null });
    expect(lastBilling('mei')).toMatchObject({ billed_minutes: 2, points_earned: 1_600 });
    // The third minute begins 60 s after the second did.
    await advance(54, call);
    expect(await stage.coins('kai')).toBe(100);
    await advance(1, call);
    expect([await stage.coins('kai'), mei.told]).toEqual([80, undefined]);
    // Four more minutes are paid. The next one has 30 seconds of grace again.
    await advance(4 * 60, call);
    expect(lastBilling('kai')).toMatchObject({
      billed_minutes: 7,
      coins_left: 0,
      ends_at: stage.clock.wallTime() + 90_000,
    });
    await advance(89, call);
    expect(mei.told).toBeUndefined();
    await advance(1, call);
    expect([kai.told, mei.told]).toEqual(['completed', 'completed']);
    // The bonus paid the last minute: given coins earn no points.
    expect([await stage.coins('kai'), await stage.settling('mei')]).toEqual([0, 6 * 800]);
    expect(await audit(stage.database)).toEqual([]);
  });

  it('are ended at the end of the 30 seconds when he buys too few coins', async () => {
    await stage.database.db.updateTable('ringback_profiles').set({ price: 150 }).where('u_id', '=', 'mei').execute();
    await stage.give('kai', 150);
    const call = await connect();
    await advance(75, call);
    const endsAt = stage.clock.wallTime() + 25_000;
    expect(lastBilling('kai')).toMatchObject({ billed_minutes: 1, ends_at: endsAt });
    await buy('kai');
    expect([lastBilling('kai')?.ends_at, await stage.coins('kai')]).toEqual([endsAt, 120]);
    await advance(24, call);
    expect(mei.told).toBeUndefined();
    await advance(1, call);
    expect([mei.told, await stage.coins('kai')]).toEqual(['completed', 120]);
  });

  it('reserve the coins of their first minute at the dial, so the man cannot spend them while the call rings', async () => {
    await stage.give('kai', 30);
    const call_id = String(await dial(kai, 'mei'));
    const gift = { body: { to: 'yun', gift_id: 'rose', count: 2 } };
    expect(await stage.ask('kai', 'POST', '/gifts/send', gift)).toMatchObject({
      status: 402,
      body: { code: 'insufficient_coins' },
    });
    mei.accept(call_id);
    for (const device of [kai, mei]) device.connected(call_id);
    await stage.product.settled();
    await advance(10, call_id);
    expect([lastBilling('kai')?.billed_minutes, await stage.coins('kai')]).toEqual([1, 10]);
  });

  it('between two users of one kind, and on a server without billing, cost nothing', async () => {
    const yun = await stage.fixture.device('yun');
    const call = await connect(mei, yun);
    await stage.advance(75, [
      [mei, call],
      [yun, call],
    ]);
    expect([await stage.settling('mei'), await stage.settling('yun')]).toEqual([0, 0]);
    const free = await openStage(await databases.make(), { billing: false });
    expect((await free.ask('kai', 'POST', '/calls/quote', { body: { callee: 'mei', kind: 'video' } })).body).toEqual({
      allowed: true,
      reason: null,
      rate: 0,
      max_minutes: null,
      coins: null,
      points: null,
    });
    expect((await free.http('GET', '/meta/rules')).body).toMatchObject({
      billing: false,
      bonus: { welcome: BONUS_RULES.welcome },
      price_tiers: PRICE_TIERS,
    });
  });

  it('have a quote before the dial', async () => {
    await stage.give('kai', 65);
    expect(await quote('kai', 'mei')).toEqual({
      allowed: true,
      reason: null,
      rate: 20,
      max_minutes: 3,
      coins: 65,
      points: null,
    });
    expect(await quote('kai', 'yun', 'voice')).toMatchObject({ allowed: true, rate: 20, max_minutes: 3 });
    expect(await quote('kai', 'yun')).toMatchObject({ allowed: false, reason: 'not_accepted' });
    expect(await quote('leo', 'mei')).toEqual({
      allowed: false,
      reason: 'insufficient_coins',
      rate: 20,
      max_minutes: 0,
      coins: 0,
      points: null,
    });
    expect(await quote('kai', 'kai')).toMatchObject({ allowed: false, reason: 'unavailable' });
    expect(await quote('kai', 'nobody')).toMatchObject({ allowed: false, reason: 'unavailable' });
    // Only he gets his balance, and only she gets her earnings: 40 of a hundred.
    expect(await quote('mei', 'kai')).toEqual({
      allowed: true,
      reason: null,
      rate: 20,
      max_minutes: null,
      coins: null,
      points: 800,
    });
    expect(await quote('mei', 'leo')).toMatchObject({ allowed: false, reason: 'unavailable', coins: null });
  });

  it('with coins for less than a minute, or of a kind that the woman does not accept, are refused with 1400105', async () => {
    const yun = await stage.fixture.device('yun');
    const leo = await stage.fixture.device('leo');
    await stage.give('leo', 19);
    expect(await dial(leo, 'mei')).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(await dial(mei, 'leo')).toBe(ErrorCode.ERR_NO_PERMISSION);
    await stage.give('leo', 100);
    expect(await dial(leo, 'yun')).toBe(ErrorCode.ERR_NO_PERMISSION);
    for (const [from, to, isVideo] of [
      [leo, 'yun', false],
      [leo, 'mei', true],
      [yun, 'leo', true],
    ] as const) {
      const call_id = String(await dial(from, to, isVideo));
      expect(call_id).toMatch(/^made/);
      from.code('cancel', { call_id });
    }
    // The exchange itself refuses an unknown user.
    expect(await dial(leo, 'nobody')).toBe(ErrorCode.ERR_CALLEE_DOES_NOT_EXIST);
    expect(await dial(leo, 'leo')).toBe(ErrorCode.ERR_DIAL_MYSELF);
    const byHttp = await stage.fixture.http('POST', '/v1/action/direct_call', {
      headers: leo.headers,
      body: leo.frame('dial', {
        callee_id: 'yun',
        is_video_call: true,
        constraints: { audio: true, video: true },
        capabilities: [],
      }),
    });
    expect(byHttp).toMatchObject({ status: 200, body: { error: { code: ErrorCode.ERR_NO_PERMISSION } } });
  });

  /** Makes the next transactions fail before they begin, or after their commit, as a broken connection does. */
  function breakTransactions(count: number, when: 'before' | 'after'): void {
    const { transact } = stage.database;
    let left = count;
    const breaking: typeof transact = async (work) => {
      if (left === 0) return transact(work);
      left -= 1;
      if (when === 'after') await transact(work);
      throw new Error('the connection is lost');
    };
    Object.assign(stage.database, { transact: breaking });
  }

  it.each(['before', 'after'] as const)(
    'are charged each minute once, also when the database fails %s the charge is stored',
    async (when) => {
      await stage.give('kai', 100);
      const call = await connect();
      await advance(10, call);
      breakTransactions(2, when);
      await advance(70, call);
      const [session] = await stage.database.db.selectFrom('ringback_charge_sessions').selectAll().execute();
      expect(session).toMatchObject({ count: 2, coins: 40, points: 1_600 });
      expect([await stage.coins('kai'), await stage.settling('mei')]).toEqual([60, 1_600]);
      await advance(60, call);
      expect(lastBilling('mei')).toMatchObject({ billed_minutes: 3, points_earned: 2_400 });
      expect(await audit(stage.database)).toEqual([]);
    },
  );

  it.each(['before', 'after'] as const)(
    'release the reserved coins, and refund the lost minute, also when the database fails %s that is stored',
    async (when) => {
      await stage.give('kai', 100);
      const short = await connect();
      breakTransactions(1, when);
      await hangUp(kai, short);
      await stage.advance(5);
      expect([await stage.coins('kai'), await stage.ledger.balance('held:kai')]).toEqual([100, 0]);
      const lost = await connect();
      await advance(75, lost);
      breakTransactions(1, when);
      mei.code('connection_lost', { call_id: lost });
      await stage.product.settled();
      await stage.advance(30);
      expect([await stage.coins('kai'), await stage.settling('mei')]).toEqual([80, 800]);
      const sessions = await stage.database.db
        .selectFrom('ringback_charge_sessions')
        .where('session_id', '=', lost)
        .select(['is_open', 'count', 'coins', 'points', 'end_result'])
        .execute();
      expect(sessions).toEqual([{ is_open: 0, count: 1, coins: 20, points: 800, end_result: 'connection_lost' }]);
      expect(await audit(stage.database)).toEqual([]);
    },
  );

  it.each([true, false])('S06 are refused across a block, with and without billing: %s', async (billing) => {
    const other = await openStage(await databases.make(), { billing });
    await other.give('kai', 100);
    await other.ask('mei', 'POST', '/blocks', { body: { u_id: 'kai' } });
    const asked = other.product.mayDial({ callId: 'asked', caller: 'kai', callee: 'mei', isVideoCall: true });
    expect(await asked).toBe(false);
    expect(await other.product.mayDial({ callId: 'asked', caller: 'mei', callee: 'kai', isVideoCall: true })).toBe(
      false,
    );
    expect(await other.product.mayDial({ callId: 'asked', caller: 'kai', callee: 'yun', isVideoCall: false })).toBe(
      true,
    );
    const { body } = await other.ask('kai', 'POST', '/calls/quote', { body: { callee: 'mei', kind: 'video' } });
    expect(body).toMatchObject({ allowed: false, reason: 'unavailable' });
  });

  it('to a woman who rests or has quiet hours are refused with 1400105, like the quote; she may dial', async () => {
    await stage.give('kai', 100);
    const settings = async (body: unknown) =>
      expect((await stage.ask('mei', 'PATCH', '/me/settings', { body })).status).toBe(200);
    await settings({ resting: true });
    // A dial of the woman still has its price.
    expect(await quote('kai', 'mei')).toMatchObject({ allowed: false, reason: 'not_accepted', rate: 20 });
    expect(await dial(kai, 'mei', false)).toBe(ErrorCode.ERR_NO_PERMISSION);
    await settings({ resting: false, quiet_hours: { from: 0, to: 1_439 } });
    expect(await quote('kai', 'mei', 'voice')).toMatchObject({ allowed: false, reason: 'not_accepted' });
    expect(await dial(kai, 'mei')).toBe(ErrorCode.ERR_NO_PERMISSION);
    const call_id = String(await dial(mei, 'kai'));
    expect(call_id).toMatch(/^made/);
    mei.code('cancel', { call_id });
    await settings({ quiet_hours: null });
    expect(await quote('kai', 'mei')).toMatchObject({ allowed: true });
  });

  it('of a user who was suspended are refused', async () => {
    await stage.give('kai', 100);
    await stage.database.db
      .updateTable('ringback_accounts')
      .set({ suspended_at: 1 })
      .where('u_id', '=', 'mei')
      .execute();
    expect(await quote('kai', 'mei')).toMatchObject({ allowed: false, reason: 'unavailable' });
    expect(await dial(kai, 'mei')).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(await dial(mei, 'kai')).toBe(ErrorCode.ERR_NO_PERMISSION);
  });

  it('that a crashed server left open are closed at the last minute that was charged', async () => {
    await stage.give('kai', 100);
    const call = await connect();
    await advance(75, call);
    const leo = await stage.fixture.device('leo');
    await stage.give('leo', 50);
    const yun = await stage.fixture.device('yun');
    const other = await dial(leo, 'yun', false);
    expect(other).toMatch(/^made/);
    yun.accept(String(other));
    for (const device of [leo, yun]) device.connected(String(other));
    await stage.product.settled();
    expect(await stage.ledger.balance('held:leo')).toBe(20);

    const later = new HandClock(Date.UTC(2026, 0, 1));
    later.advance(stage.clock.wallTime() + 4 * 60_000 - later.wallTime());
    const next = await openStage(stage.database, {}, later);
    await next.product.settled();
    const sessions = await stage.database.db.selectFrom('ringback_charge_sessions').selectAll().execute();
    const seen = sessions.map(({ session_id, is_open, count, coins, duration, end_result }) => ({
      [session_id]: [is_open, count, coins, duration, end_result],
    }));
    expect(Object.assign({}, ...seen)).toEqual({
      [call]: [0, 2, 40, 130_000, 'unknown'],
      [String(other)]: [0, 0, 0, 0, 'unknown'],
    });
    expect([await stage.coins('leo'), await stage.ledger.balance('held:leo')]).toEqual([50, 0]);
    expect(await audit(stage.database)).toEqual([]);
  });
});
