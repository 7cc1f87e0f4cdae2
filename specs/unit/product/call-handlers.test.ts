import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callHandlers } from '../../../sim/product/billing/call-handlers.ts';
import type { HandlerRequest } from '../../../sim/product/handlers.ts';
import type { ProductParts } from '../../../sim/product/parts.ts';
import type { Database } from '../../../sim/store/database.ts';
import { BillingDesk } from './support/billing-desk.ts';
import { databasesOf, EVERY } from './support/databases.ts';

describe.each(EVERY)('requests about calls, answered from %s', (kind) => {
  const databases = databasesOf(kind);
  let database: Database;
  let desk: BillingDesk;
  /** The same handlers with billing and without. */
  let billed: ReturnType<typeof callHandlers>;
  let free: ReturnType<typeof callHandlers>;
  beforeEach(async (context) => {
    databases.skipIfMissing(context);
    database = await databases.make();
    desk = await BillingDesk.open(database);
    const parts = desk.parts as unknown as ProductParts;
    billed = callHandlers(parts, desk.quotes);
    free = callHandlers(parts, null);
  });
  afterEach(async () => {
    desk?.billing.dispose();
    await databases.close();
  });

  const as = (uId: string) => ({ me: { uId, genderType: 'man', token: '' } }) as const;
  const quote = (by: typeof billed, caller: string, callee: string) =>
    by.quoteCall({ ...as(caller), body: { callee, kind: 'video' } } as HandlerRequest<'quoteCall'>);

  it('return the quote of billing', async () => {
    await desk.offer('mei');
    await desk.give('kai', 40);
    expect(await quote(billed, 'kai', 'mei')).toEqual(await desk.quotes.of('kai', 'mei', 'video'));
  });

  it('S06 return a quote without billing: a call between existing users without a block costs nothing', async () => {
    const nothing = { rate: 0, max_minutes: null, coins: null, points: null };
    expect(await quote(free, 'kai', 'mei')).toEqual({ ...nothing, allowed: true, reason: null });
    await desk.block('mei', 'kai');
    await desk.suspend('yun');
    for (const callee of ['mei', 'yun', 'nobody', 'kai']) {
      expect(await quote(free, 'kai', callee), callee).toEqual({ ...nothing, allowed: false, reason: 'unavailable' });
    }
  });

  it('rate a connected call, for its participants, and the last rating counts', async () => {
    const call = { is_video_call: 1, participants: '[]', created_at: 0, ended_at: 9, ended_by: null, duration: 9 };
    for (const [call_id, started_at] of [
      ['kept', 0],
      ['missed', null],
    ] as const) {
      const more = { end_result: 'completed', custom_items: '{}', items_affected_at: 0, started_at };
      await database.db
        .insertInto('ringback_calls')
        .values({ call_id, ...call, ...more })
        .execute();
      for (const user_id of ['kai', 'mei']) {
        await database.db
          .insertInto('ringback_parts')
          .values({ call_id, user_id, role: 'dc_caller', created_at: 0 })
          .execute();
      }
    }
    const rate = (uId: string, call_id: string, stars: number) =>
      free.rateCall({ ...as(uId), params: { call_id }, body: { stars } } as HandlerRequest<'rateCall'>);
    expect(await rate('kai', 'kept', 2)).toEqual({});
    await desk.clock.advance(1_000);
    await rate('kai', 'kept', 5);
    await rate('mei', 'kept', 4);
    const kept = await database.db.selectFrom('ringback_call_ratings').selectAll().orderBy('u_id').execute();
    const at = desk.clock.now();
    expect(kept).toEqual([
      { call_id: 'kept', u_id: 'kai', stars: 5, at },
      { call_id: 'kept', u_id: 'mei', stars: 4, at },
    ]);
    await expect(rate('yun', 'kept', 1)).rejects.toMatchObject({ code: 'not_found' });
    await expect(rate('kai', 'another', 1)).rejects.toMatchObject({ code: 'not_found' });
    await expect(rate('kai', 'missed', 1)).rejects.toMatchObject({ code: 'wrong_state' });
  });

  it('return the rules, and whether anything is billed', async () => {
    const rules = await billed.rules({ me: null } as HandlerRequest<'rules'>);
    // The numbers that an app shows to its users before they spend anything.
    expect(rules).toMatchObject({
      calls: { free_seconds: 10, hold_seconds: 30, grace_seconds: 30 },
      messages: { text: 2, photo: 5, voice: 5, free: 10 },
      shares: { tier_days: 30, gift_percent: 50, settle_seconds: 86_400 },
      deposits: { monthly_limit: 20_000, cool_off_seconds: 86_400, first_bonus_percent: 20 },
      bonus: { welcome: 100 },
      billing: true,
    });
    expect(rules.shares.tiers.map(({ percent }) => percent)).toEqual([40, 45, 50]);
    expect(rules.price_tiers.usual).toEqual({ voice: 20, video: 40 });
    expect(await free.rules({ me: null } as HandlerRequest<'rules'>)).toEqual({ ...rules, billing: false });
  });
});
