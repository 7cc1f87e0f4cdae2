import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../sim/store/database.ts';
import { BillingDesk } from './support/billing-desk.ts';
import { databasesOf, EVERY } from './support/databases.ts';

describe.each(EVERY)('the quote of a call, from %s', (kind) => {
  const databases = databasesOf(kind);
  let database: Database;
  let desk: BillingDesk;
  beforeEach(async (context) => {
    databases.skipIfMissing(context);
    database = await databases.make();
    desk = await BillingDesk.open(database);
  });
  afterEach(async () => {
    desk?.billing.dispose();
    await databases.close();
  });

  const nothing = { rate: 0, max_minutes: null, coins: null, points: null };
  const unavailable = { ...nothing, allowed: false, reason: 'unavailable' };
  const quote = (caller: string, callee: string, what: 'video' | 'voice' = 'video') =>
    desk.quotes.of(caller, callee, what);
  /** Asks, and releases what was reserved for the call: each quote is separate. */
  const mayDial = async (caller: string, callee: string, isVideoCall = true) => {
    const isAllowed = await desk.dial('asked', { caller, callee, isVideoCall });
    desk.say('asked', { kind: 'not_dialled' }, { caller, callee, isVideoCall });
    await desk.billing.settled();
    return isAllowed;
  };

  it('has for a man the price of a minute, his balance and the number of whole minutes it pays for', async () => {
    await desk.offer('mei');
    await desk.give('kai', 59);
    const his = { allowed: true, reason: null, rate: 20, max_minutes: 2, coins: 59, points: null };
    expect(await quote('kai', 'mei')).toEqual(his);
    expect(await quote('kai', 'mei', 'voice')).toEqual({ ...his, rate: 10, max_minutes: 5 });
  });

  it('has for a woman her earnings a minute, and no balance of the man', async () => {
    await desk.offer('mei');
    await desk.give('kai', 20);
    expect(await quote('mei', 'kai')).toEqual({ ...nothing, allowed: true, reason: null, rate: 20, points: 800 });
    // Her share of later coins is higher.
    await database.db.insertInto('ringback_volumes').values({ u_id: 'mei', day: 20_454, coins: 50_000 }).execute();
    expect(await quote('mei', 'kai', 'voice')).toMatchObject({ points: 500 });
  });

  it('refuses a man who cannot pay a minute, with the reason, and a woman who calls him, without a reason', async () => {
    await desk.offer('mei');
    await desk.give('kai', 19);
    const short = { allowed: false, rate: 20, points: null, max_minutes: 0, coins: 19 };
    expect(await quote('kai', 'mei')).toEqual({ ...short, reason: 'insufficient_coins' });
    expect(await quote('mei', 'kai')).toMatchObject({
      allowed: false,
      reason: 'unavailable',
      coins: null,
      points: 800,
    });
    expect([await mayDial('kai', 'mei'), await mayDial('mei', 'kai')]).toEqual([false, false]);
    expect([await mayDial('kai', 'mei', false), await mayDial('mei', 'kai', false)]).toEqual([true, true]);
  });

  it('is free for a woman without a price, for any balance of the man', async () => {
    await desk.offer('mei', { price: 0 });
    const free = { ...nothing, allowed: true, reason: null };
    expect(await quote('kai', 'mei')).toEqual({ ...free, coins: 0 });
    expect(await quote('mei', 'kai')).toEqual({ ...free, points: 0 });
  });

  it.each([
    ['who takes no such calls', { accepts_video: 0, accepts_voice: 0 }],
    ['who rests', { resting: 1 }],
    ['in her quiet hours', { quiet_from: 0, quiet_to: 1_440 }],
  ])('for a woman %s refuses the man, returns the price, and permits the woman to dial', async (_, more) => {
    await desk.offer('mei', more);
    await desk.give('kai', 100);
    for (const [what, rate] of [
      ['video', 20],
      ['voice', 10],
    ] as const) {
      expect(await quote('kai', 'mei', what)).toEqual({ ...nothing, allowed: false, reason: 'not_accepted', rate });
      expect(await quote('mei', 'kai', what)).toMatchObject({ allowed: true, rate });
    }
  });

  it('separates video from voice: each is accepted or not', async () => {
    await desk.offer('mei', { accepts_video: 0 });
    await desk.offer('yun', { accepts_voice: 0 });
    await desk.give('kai', 100);
    const all = [];
    for (const [callee, isVideoCall] of [
      ['mei', true],
      ['mei', false],
      ['yun', true],
      ['yun', false],
    ] as const) {
      all.push(await mayDial('kai', callee, isVideoCall));
    }
    expect(all).toEqual([false, true, true, false]);
  });

  it('is refused for a woman without a profile', async () => {
    await desk.give('kai', 100);
    expect(await quote('kai', 'mei')).toEqual({ ...nothing, allowed: false, reason: 'not_accepted' });
  });

  it('is allowed and free between two users of one kind', async () => {
    const free = { ...nothing, allowed: true, reason: null };
    expect([await quote('kai', 'leo'), await quote('mei', 'yun')]).toEqual([free, free]);
    expect([await mayDial('kai', 'leo'), await mayDial('yun', 'mei')]).toEqual([true, true]);
  });

  it('S06 is unavailable across a block, to the user id of the caller, and when one user is suspended', async () => {
    await desk.offer('mei');
    await desk.give('kai', 100);
    expect([await quote('kai', 'kai'), await quote('kai', 'nobody'), await quote('nobody', 'mei')]).toEqual(
      Array.from({ length: 3 }, () => unavailable),
    );
    const unblock = await desk.block('kai', 'mei');
    expect([await quote('kai', 'mei'), await mayDial('kai', 'mei')]).toEqual([unavailable, false]);
    await unblock();
    await desk.block('mei', 'kai').then(async (end) => {
      expect(await quote('kai', 'mei')).toEqual(unavailable);
      await end();
    });
    for (const one of ['kai', 'mei']) {
      await desk.suspend(one);
      expect([await quote('kai', 'mei'), await mayDial('kai', 'mei')]).toEqual([unavailable, false]);
      await desk.suspend(one, false);
    }
    expect(await quote('kai', 'mei')).toMatchObject({ allowed: true });
  });

  it('permits a man one call, until no server knows it any more', async () => {
    await desk.offer('mei');
    await desk.give('kai', 20);
    expect([await desk.dial('first'), await desk.dial('second')]).toEqual([true, false]);
    await desk.clock.advance(60_000);
    expect(await desk.dial('third')).toBe(true);
  });

  it('refuses a dial to a user without an account, and to the user id of the caller', async () => {
    expect([await mayDial('kai', 'nobody'), await mayDial('kai', 'kai')]).toEqual([false, false]);
  });
});
