import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Charges } from '../../../sim/product/billing/charges.ts';
import { DAY_MS } from '../../../sim/product/rules.ts';
import { HandClock } from '../support/hand-clock.ts';
import { audit } from './support/audit.ts';
import { databasesOf, EVERY, LASTING } from './support/databases.ts';
import { aPerson, openStage, type Stage } from './support/stage.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const GOOD = { bank_code: '822', account_number: '123456789012', holder: '王小美' };

/** Proves her identity by a code. */
const PROOF = { password: 'correct horse battery' };
const PEOPLE = [
  aPerson('kai', 'man'),
  aPerson('leo', 'man'),
  aPerson('mei', 'woman', { password: PROOF.password }),
  aPerson('yun', 'woman', { password: PROOF.password }),
  aPerson('new', 'woman', { verified: false }),
];

/** Adds an account when there is none. */
const SHOWN = { bank_code: '822', tail: '9012', changed_at: 0 };

interface Redeeming {
  readonly who?: string;
  readonly key?: string;
  readonly code?: string;
  readonly account?: object;
}

/** Counted over all stages: several may share a database. */
let addresses = 0;

/** The actions of this file on a stage. */
function earningOn(stage: Stage) {
  const charges = new Charges(stage.ledger, true);
  let count = 0;
  return {
    /** Lets a woman earn by a gift or a call, with created coins. */
    async earn(woman: string, coins: number, kind: 'gift' | 'voice' | 'video' | 'message' = 'gift', man = 'kai') {
      await stage.give(man, coins);
      const key = `earned ${(count += 1)}`;
      const charge = { key, kind, at: stage.clock.wallTime(), man, woman, coins, ref: {} };
      const points = await stage.database.transact((transaction) => charges.take(transaction, charge));
      return {
        points,
        giveBack: () =>
          stage.database.transact((transaction) =>
            charges.giveBack(transaction, { ...charge, at: stage.clock.wallTime() }, points ?? 0),
          ),
      };
    },
    /** Points that may be redeemed at once, whole ones. */
    async have(woman: string, points: number) {
      await this.earn(woman, points * 2);
      stage.clock.advance(DAY_MS);
      await stage.product.settled();
    },
    points: async (woman = 'mei') => (await stage.ask(woman, 'GET', '/points')).body,
    /** Changes her email address, as if it were hers since she joined: each address gets a limited number of codes. */
    async reachAt(who = 'mei'): Promise<string> {
      const value = `${who}-${(addresses += 1)}@example.com`;
      const contact = { u_id: who, kind: 'email', value, verified_at: Date.UTC(2025, 0, 1) };
      await stage.database.db
        .insertInto('ringback_contacts')
        .values(contact)
        .onConflict((conflict) => conflict.columns(['u_id', 'kind']).doUpdateSet({ value }))
        .execute();
      return value;
    },
    /** Requests a code, and reads it. */
    async code(who = 'mei'): Promise<string> {
      const to = await this.reachAt(who);
      expect(await stage.ask(who, 'POST', '/redemptions/code')).toMatchObject({ status: 200 });
      const { letters } = (await stage.ask(who, 'GET', '/demo/mailbox', { query: { to } })).body;
      expect(letters).toMatchObject([{ about: 'confirm' }]);
      return letters[0].code;
    },
    /** Uses her present account, or the given one. */
    async redeem(amount: unknown, { who = 'mei', key, code, account }: Redeeming = {}) {
      const present = account ?? (await this.shown(who));
      const body = { amount, account: present, code: code ?? (await this.code(who)) };
      return stage.ask(who, 'POST', '/redemptions', { body, ...(key === undefined ? {} : { key }) });
    },
    /** The account as the server shows it to her. */
    async shown(who = 'mei'): Promise<object> {
      const { account } = (await stage.ask(who, 'GET', '/me/payout-account')).body;
      return account ? { bank_code: account.bank_code, tail: account.tail, changed_at: account.changed_at } : SHOWN;
    },
    account: (body: object = GOOD, who = 'mei') =>
      stage.ask(who, 'PUT', '/me/payout-account', { body: { proof: PROOF, ...body } }),
    list: async (query: Record<string, string> = {}) => (await stage.ask('mei', 'GET', '/redemptions', { query })).body,
    /** Advances the time, and runs all that is due in it. */
    async pass(ms: number) {
      stage.clock.advance(ms);
      await stage.product.settled();
    },
    /** Each woman's points in their three places, as whole numbers. */
    async split(woman = 'mei') {
      const parts = ['points', 'settling', 'reviewing'] as const;
      return Promise.all(parts.map(async (part) => (await stage.ledger.balance(`${part}:${woman}`)) / 100));
    },
  };
}

describe.each(EVERY)('points, kept in %s', (kind) => {
  const databases = databasesOf(kind);
  let stage: Stage;
  let her: ReturnType<typeof earningOn>;
  beforeEach(async (context) => {
    databases.skipIfMissing(context);
    stage = await openStage(await databases.make(), { people: PEOPLE });
    her = earningOn(stage);
  });
  afterEach(() => databases.close());

  it('are settled a day after they were earned, once, also for simultaneous requests', async () => {
    const start = stage.clock.wallTime();
    await her.earn('mei', 100);
    await her.pass(2 * HOUR_MS);
    await her.earn('mei', 60);
    expect(await her.points()).toMatchObject({
      available: 0,
      settling: 8_000,
      reviewing: 0,
      settles: [
        { at: start + DAY_MS, points: 5_000 },
        { at: start + DAY_MS + 2 * HOUR_MS, points: 3_000 },
      ],
    });
    await her.pass(22 * HOUR_MS - 1);
    expect((await her.points()).available).toBe(0);
    await her.pass(1);
    const seen = await Promise.all(Array.from({ length: 8 }, () => her.points()));
    expect(seen.every(({ available }) => available === 0 || available === 5_000)).toBe(true);
    expect(await her.split()).toEqual([50, 30, 0]);
    expect(stage.told('mei', 'points_changed').at(-1)).toMatchObject({ available: 5_000, settling: 3_000 });
    await her.pass(2 * HOUR_MS);
    expect(await her.points()).toMatchObject({ available: 8_000, settling: 0, settles: [] });
    expect(await audit(stage.database)).toEqual([]);
  });

  it('S44 belong to women: men are refused, and a woman cannot see or cancel redemptions of another', async () => {
    await her.account();
    await her.have('mei', 2_000);
    const { body: mine } = await her.redeem(1_000);
    const asked: [string, string, unknown?, Record<string, string>?][] = [
      ['GET', '/points'],
      ['GET', '/income', undefined, { from: '0', to: '1', group: 'day' }],
      ['GET', '/me/payout-account'],
      ['PUT', '/me/payout-account', { ...GOOD, proof: PROOF }],
      ['POST', '/redemptions/code'],
      ['POST', '/redemptions', { amount: 1_000, account: SHOWN, code: '123456' }],
      ['GET', '/redemptions'],
      ['POST', `/redemptions/${mine.redemption_id}/cancel`],
    ];
    for (const [method, path, body, query = {}] of asked) {
      expect(await stage.ask('kai', method, path, { body, query }), path).toMatchObject({
        status: 403,
        body: { code: 'not_yours' },
      });
      expect(await stage.http(method, path, { body, query }), path).toMatchObject({ status: 401 });
    }
    const cancel = `/redemptions/${mine.redemption_id}/cancel`;
    expect(await stage.ask('yun', 'POST', cancel)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await stage.ask('yun', 'GET', '/redemptions')).body).toEqual({ items: [], next: null });
    expect((await stage.ask('yun', 'GET', '/me/payout-account')).body).toEqual({ account: null });
    expect(stage.told('yun', 'redemption_changed')).toEqual([]);
  });

  it('are shown with the share of the woman and the distance to the next share, by the coins of thirty days', async () => {
    await her.earn('mei', 9_000);
    expect((await her.points()).tier).toEqual({
      percent: 40,
      from: 0,
      coins: 9_000,
      days: 30,
      gift_percent: 50,
      next: { percent: 45, from: 10_000 },
    });
    await her.earn('mei', 41_000);
    expect((await her.points()).tier).toMatchObject({ percent: 50, from: 50_000, next: null });
    await her.pass(30 * DAY_MS);
    await stage.signIn('mei');
    expect((await her.points()).tier).toMatchObject({ percent: 40, coins: 0 });
  });

  it('are summed as income by day, source and supporter, less refunds', async () => {
    const from = stage.clock.wallTime();
    await her.earn('mei', 100, 'voice');
    await her.earn('mei', 200, 'video', 'leo');
    const lost = await her.earn('mei', 50, 'voice');
    await lost.giveBack();
    await her.pass(DAY_MS);
    await her.earn('mei', 10, 'message');
    await her.earn('mei', 30, 'gift', 'leo');
    await her.earn('yun', 500, 'gift');
    await her.pass(DAY_MS);
    const income = async (group: string, to = stage.clock.wallTime()) =>
      (await stage.ask('mei', 'GET', '/income', { query: { from: `${from}`, to: `${to}`, group } })).body;
    const sources = { voice: 4_000, video: 8_000, message: 400, gift: 1_500 };
    const days = await income('day');
    expect(days).toMatchObject({ total: 13_900, sources });
    expect(days.items.map(({ points }: { points: number }) => points)).toEqual([12_000, 1_900, 0]);
    expect(days.items[0].key).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect((await income('source')).items.map(({ key, points }: any) => [key, points])).toEqual(
      Object.entries(sources),
    );
    expect((await income('user')).items).toEqual([
      {
        key: 'leo',
        points: 9_500,
        sources: { voice: 0, video: 8_000, message: 0, gift: 1_500 },
        supporter: { u_id: 'leo', nickname: 'LEO', profile_url: expect.stringContaining('leo') },
      },
      expect.objectContaining({ key: 'kai', points: 4_400 }),
    ]);
    expect(await income('day', from + 1)).toMatchObject({ total: 12_000 });
    const wrong = { from: '5', to: '5', group: 'day' };
    for (const query of [wrong, { ...wrong, to: `${5 + 367 * DAY_MS}` }, { ...wrong, to: '9', group: 'month' }, {}]) {
      expect(await stage.ask('mei', 'GET', '/income', { query })).toMatchObject({ status: 400 });
    }
    const chart = (await her.points()).days;
    expect(chart).toHaveLength(30);
    expect(chart.slice(-3).map(({ points }: any) => points)).toEqual([12_000, 1_900, 0]);
  });

  it('are paid out to the bank account of the woman, of which only the last digits are shown', async () => {
    expect((await stage.ask('mei', 'GET', '/me/payout-account')).body).toEqual({ account: null });
    const answer = await her.account();
    expect(answer).toMatchObject({
      status: 200,
      body: { account: { bank_code: '822', tail: '9012', holder: '王小美', name_match: 'unknown' } },
    });
    expect(JSON.stringify([answer, await her.points()])).not.toContain(GOOD.account_number);
    for (const wrong of [
      { bank_code: '999' },
      { account_number: '12345' },
      { account_number: '1234-5678-9012' },
      { account_number: '1'.repeat(17) },
      { holder: '' },
      { holder: '<b>' },
      { holder: 'x'.repeat(61) },
      { more: 1 },
    ]) {
      expect(await her.account({ ...GOOD, ...wrong }), JSON.stringify(wrong)).toMatchObject({
        status: 400,
        body: { field: Object.keys(wrong)[0] },
      });
    }
  });

  it('are redeemed in steps: reserved, reviewed, approved and paid, less the fee', async () => {
    await her.account();
    await her.have('mei', 2_500);
    const start = stage.clock.wallTime();
    const { status, body } = await her.redeem(1_500);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      amount: 1_500,
      fee: 15,
      net: 1_485,
      tail: '9012',
      state: 'pending',
      created_at: start,
      expected_at: start + 3 * MINUTE_MS,
    });
    expect(await her.split()).toEqual([1_000, 0, 1_500]);
    expect((await her.points()).redeeming).toMatchObject({ left_today: 48_500, open: { state: 'pending' } });
    const states = [];
    for (let minute = 0; minute < 3; minute += 1) {
      await her.pass(MINUTE_MS);
      states.push((await her.list()).items[0].state);
    }
    expect(states).toEqual(['reviewing', 'approved', 'paid']);
    expect(await her.split()).toEqual([1_000, 0, 0]);
    expect(await stage.ledger.balance('house:redeemed')).toBe(148_500);
    expect(await stage.ledger.balance('house:fees')).toBe(1_500);
    expect(stage.told('mei', 'redemption_changed').map(({ redemption }) => redemption.state)).toEqual([
      'pending',
      ...states,
    ]);
    expect(stage.told('mei', 'points_changed').at(-1)).toEqual({
      type: 'points_changed',
      available: 100_000,
      settling: 0,
      reviewing: 0,
    });
    expect((await her.points()).redeeming).toMatchObject({ open: null, account: { name_match: 'matches' } });
    expect(await audit(stage.database)).toEqual([]);
  });

  it('are paid out without a notice about a bank account that changed meanwhile, also when only the bank changed', async () => {
    await her.account();
    await her.have('mei', 1_000);
    await her.redeem(1_000);
    await her.account({ ...GOOD, bank_code: '700' });
    await her.pass(2 * MINUTE_MS);
    expect((await her.points()).redeeming).toMatchObject({
      open: { state: 'approved' },
      account: { bank_code: '700', name_match: 'unknown' },
    });
  });

  it('return after a rejected redemption, and a bank account with another name cannot redeem', async () => {
    await her.account({ ...GOOD, account_number: '1234567890001' });
    await her.have('mei', 1_000);
    await her.redeem(1_000);
    await her.pass(2 * MINUTE_MS);
    expect((await her.list()).items).toMatchObject([{ state: 'rejected', fault: 'name_differs' }]);
    expect(await her.split()).toEqual([1_000, 0, 0]);
    expect((await her.points()).redeeming).toMatchObject({ missing: ['payout_account'], left_today: 50_000 });
    expect(await her.redeem(1_000)).toMatchObject({
      status: 409,
      body: { code: 'incomplete', field: 'payout_account' },
    });
    await her.account();
    expect((await her.points()).redeeming.missing).toEqual([]);
    expect(await her.redeem(1_000)).toMatchObject({ status: 200 });
    expect(await audit(stage.database)).toEqual([]);
  });

  it('are redeemed only to the bank account that the woman was shown', async () => {
    await her.account();
    await her.have('mei', 1_000);
    const account = await her.shown();
    const code = await her.code();
    // Of another bank; of another number; of another number with the same last digits; of another holder.
    for (const changed of [
      { bank_code: '700' },
      { account_number: '123456780001' },
      { account_number: '999956789012' },
      { holder: '王大美' },
    ]) {
      stage.clock.advance(1);
      await her.account({ ...GOOD, ...changed });
      expect(await her.redeem(1_000, { code, account })).toMatchObject({
        status: 409,
        body: { code: 'wrong_state', field: 'account' },
      });
    }
    expect(await her.points()).toMatchObject({ available: 100_000, reviewing: 0 });
    const body = { bank_code: '822', tail: '9012' };
    expect(await her.redeem(1_000, { code })).toMatchObject({ status: 200, body });
  });

  it('are redeemed only with the code that was sent for the redemption', async () => {
    await her.account();
    await her.have('mei', 5_000);
    expect((await her.points()).redeeming).toMatchObject({ missing: ['contact'], contact: null });
    expect(await stage.ask('mei', 'POST', '/redemptions/code')).toMatchObject({
      status: 409,
      body: { code: 'incomplete', field: 'contact' },
    });
    expect(await her.redeem(1_000, { code: '123456' })).toMatchObject({
      body: { code: 'incomplete', field: 'contact' },
    });
    const code = await her.code();
    expect((await her.points()).redeeming).toMatchObject({ missing: [], contact: 'm***@example.com' });
    const wrong = code === '123456' ? '654321' : '123456';
    expect(await her.redeem(1_000, { code: wrong })).toMatchObject({
      status: 400,
      body: { code: 'code_wrong', field: 'code' },
    });
    expect(await her.redeem(1_000, { code: '12345' })).toMatchObject({ status: 400, body: { code: 'invalid' } });
    // A refusal for another reason leaves the code valid.
    expect(await her.redeem(9_000, { code })).toMatchObject({ status: 402 });
    expect(await her.split()).toEqual([5_000, 0, 0]);
    expect(await her.redeem(1_000, { code })).toMatchObject({ status: 200 });
    await her.pass(3 * MINUTE_MS);
    expect(await her.redeem(1_000, { code })).toMatchObject({ status: 410, body: { code: 'code_expired' } });
    const late = await her.code();
    await her.pass(10 * MINUTE_MS);
    expect(await her.redeem(1_000, { code: late })).toMatchObject({ status: 410 });
    expect(await her.split()).toEqual([4_000, 0, 0]);
    // The code of another woman is not valid.
    const hers = await her.code('yun');
    await her.reachAt('mei');
    expect(await her.redeem(1_000, { code: hers })).toMatchObject({ status: 410 });
    expect(await audit(stage.database)).toEqual([]);
  });

  it('return after a redemption that the woman cancels before its review, and not later', async () => {
    await her.account();
    await her.have('mei', 1_000);
    const { body } = await her.redeem(1_000);
    const cancel = () => stage.ask('mei', 'POST', `/redemptions/${body.redemption_id}/cancel`);
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect(await her.split()).toEqual([1_000, 0, 0]);
    expect(await cancel()).toMatchObject({ status: 409, body: { code: 'wrong_state' } });
    await her.pass(10 * MINUTE_MS);
    expect((await her.list()).items).toMatchObject([{ state: 'cancelled' }]);
    const second = await her.redeem(1_000);
    await her.pass(MINUTE_MS);
    expect(await stage.ask('mei', 'POST', `/redemptions/${second.body.redemption_id}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'wrong_state' },
    });
    expect(await audit(stage.database)).toEqual([]);
  });

  it('are not redeemed, and nothing changes, when any part of the request is invalid', async () => {
    expect(await her.redeem(1_000, { who: 'new' })).toMatchObject({
      status: 409,
      body: { code: 'incomplete', field: 'identity' },
    });
    await her.have('mei', 60_000);
    expect(await her.redeem(1_000)).toMatchObject({ body: { code: 'incomplete', field: 'payout_account' } });
    await her.account();
    for (const amount of [0, -1_000, 999, 1_050, 1_000.5, '1000', null, 1e21, 2 ** 53]) {
      expect(await her.redeem(amount), String(amount)).toMatchObject({ status: 400, body: { code: 'invalid' } });
    }
    expect(await her.redeem(50_100)).toMatchObject({ status: 403, body: { code: 'limit_reached', field: 'amount' } });
    await her.points();
    expect(await her.split()).toEqual([60_000, 0, 0]);
    await her.account(GOOD, 'yun');
    await her.have('yun', 1_000);
    expect(await her.redeem(1_100, { who: 'yun' })).toMatchObject({
      status: 402,
      body: { code: 'insufficient_points' },
    });
    expect(await her.redeem(30_000)).toMatchObject({ status: 200 });
    expect(await her.redeem(1_000)).toMatchObject({ status: 409, body: { code: 'wrong_state' } });
    await her.pass(3 * MINUTE_MS);
    expect(await her.redeem(20_100)).toMatchObject({ status: 403, body: { code: 'limit_reached' } });
    expect(await her.redeem(20_000)).toMatchObject({ status: 200 });
    await her.pass(DAY_MS);
    expect(await her.redeem(10_000)).toMatchObject({ status: 200 });
    expect(await audit(stage.database)).toEqual([]);
  });

  it('do not count for the daily limit after the woman cancelled the redemption', async () => {
    await her.account();
    await her.have('mei', 60_000);
    const leftToday = async () => (await her.points()).redeeming.left_today;
    const whole = await her.redeem(50_000);
    expect([whole.status, await leftToday()]).toEqual([200, 0]);
    await stage.ask('mei', 'POST', `/redemptions/${whole.body.redemption_id}/cancel`);
    expect(await leftToday()).toBe(50_000);
    expect(await her.redeem(50_000)).toMatchObject({ status: 200 });
    expect(await leftToday()).toBe(0);
  });

  it('S25 are redeemed once for each key, for repeated requests too', async () => {
    await her.account();
    await her.have('mei', 3_000);
    const code = await her.code();
    const again = { key: 'one-and-the-same', code };
    const all = await Promise.all(Array.from({ length: 5 }, () => her.redeem(1_000, again)));
    expect(new Set(all.map((answer) => JSON.stringify(answer)))).toHaveLength(1);
    expect(all[0]).toMatchObject({ status: 200 });
    // Also when the requirements are no longer met.
    await stage.database.db.deleteFrom('ringback_contacts').where('u_id', '=', 'mei').execute();
    expect(await her.redeem(1_000, again)).toEqual(all[0]);
    expect(await her.redeem(2_000, again)).toMatchObject({
      status: 409,
      body: { code: 'key_reused' },
    });
    expect(await her.split()).toEqual([2_000, 0, 1_000]);
  });

  it('I20 are reserved by one of several simultaneous requests', async () => {
    await her.account();
    await her.have('mei', 5_000);
    const code = await her.code();
    const all = await Promise.all(Array.from({ length: 8 }, () => her.redeem(1_000, { code })));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    // There is one already, or the code is used up or was tried too often.
    expect(all.filter(({ status }) => status === 409 || status === 410)).toHaveLength(7);
    expect(await her.split()).toEqual([4_000, 0, 1_000]);
    expect(await audit(stage.database)).toEqual([]);
    // The requests that read the code at the same time have not made it valid again.
    const [{ redemption_id }] = (await her.list()).items;
    await stage.ask('mei', 'POST', `/redemptions/${redemption_id}/cancel`);
    expect(await her.redeem(1_000, { code })).toMatchObject({ status: 410, body: { code: 'code_expired' } });
  });

  it('I20 either return or continue when the woman cancels at the start of the review, never both', async () => {
    await her.account();
    await her.have('mei', 5_000);
    for (const early of [1, 0]) {
      const { body } = await her.redeem(1_000);
      stage.clock.advance(MINUTE_MS - early);
      const cancelling = [0, 1].map(() => stage.ask('mei', 'POST', `/redemptions/${body.redemption_id}/cancel`));
      stage.clock.advance(early);
      const reading = Promise.all([her.list(), her.list()]);
      const won = (await Promise.all(cancelling)).filter(({ status }) => status === 200).length;
      await reading;
      await stage.product.settled();
      const [row] = (await her.list()).items;
      expect(row.state).toBe(won === 1 ? 'cancelled' : 'reviewing');
      expect(won).toBeLessThanOrEqual(1);
      expect((await her.split())[2]).toBe(won === 1 ? 0 : 1_000);
      await her.pass(2 * MINUTE_MS);
    }
    expect(await audit(stage.database)).toEqual([]);
  });

  it('have a history of redemptions in pages, the latest first', async () => {
    await her.account();
    await her.have('mei', 5_000);
    for (const amount of [1_000, 1_100, 1_200]) {
      await her.redeem(amount);
      await her.pass(3 * MINUTE_MS);
    }
    const first = await her.list({ limit: '2' });
    expect(first.items.map(({ amount }: any) => amount)).toEqual([1_200, 1_100]);
    const second = await her.list({ limit: '2', cursor: first.next });
    expect(second).toMatchObject({ items: [{ amount: 1_000 }], next: null });
    expect(await stage.ask('mei', 'GET', '/redemptions', { query: { cursor: 'x' } })).toMatchObject({ status: 400 });
  });

  it('I20 are equal to the earned points minus the paid points, after any actions', { timeout: 60_000 }, async () => {
    await her.account();
    let [earned, gone] = [0, 0];
    const step = fc.oneof(
      fc.record({ earn: fc.integer({ min: 1, max: 9_999 }) }),
      fc.record({ redeem: fc.constantFrom(500, 1_000, 1_700, 5_000, 50_000) }),
      fc.record({ pass: fc.constantFrom(MINUTE_MS, 5 * MINUTE_MS, HOUR_MS, DAY_MS) }),
      fc.record({ cancel: fc.constant(true) }),
      fc.record({ tail: fc.constantFrom('0000', '1234') }),
    );
    const story = fc.array(step, { minLength: 4, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        await stage.signIn('mei');
        for (const one of steps) {
          if ('earn' in one) earned += (await her.earn('mei', one.earn)).points ?? 0;
          else if ('redeem' in one) await her.redeem(one.redeem);
          else if ('pass' in one) await her.pass(one.pass);
          else if ('tail' in one) await her.account({ ...GOOD, account_number: `99999999${one.tail}` });
          else {
            const { open } = (await her.points()).redeeming;
            if (open) await stage.ask('mei', 'POST', `/redemptions/${open.redemption_id}/cancel`);
          }
        }
        gone = (await stage.ledger.balance('house:redeemed')) + (await stage.ledger.balance('house:fees'));
        const left = (await her.split()).reduce((sum, points) => sum + points * 100, 0);
        expect(Math.round(left)).toBe(earned - gone);
        expect((await stage.ledger.balance('house:earned')) + earned).toBe(0);
      }),
      // The stories are the same in both databases: a few prove that PostgreSQL counts as SQLite does.
      { numRuns: kind === 'PostgreSQL' ? 12 : 25, seed: 20_261_121 },
    );
    expect(gone).toBeGreaterThan(0);
    expect(await audit(stage.database)).toEqual([]);
  });
});

describe.each(LASTING)('redemptions, kept in %s', (kind) => {
  const databases = databasesOf(kind);
  afterEach(() => databases.close());

  it('continue when the server was down at the time of their steps', async (context) => {
    databases.skipIfMissing(context);
    const place = await databases.place();
    const clock = new HandClock(Date.UTC(2026, 0, 1));
    const first = await openStage(await databases.open(place), { people: PEOPLE }, clock);
    const her = earningOn(first);
    await her.account();
    await her.have('mei', 1_000);
    const { body } = await her.redeem(1_000);
    first.close();
    clock.advance(10 * MINUTE_MS);
    const second = await openStage(await databases.open(place), { people: PEOPLE }, clock);
    clock.advance(0);
    await second.product.settled();
    // Before any request: a request would make the steps as well.
    expect(await second.ledger.balance('house:redeemed')).toBe(98_500);
    const { items } = (await second.ask('mei', 'GET', '/redemptions')).body;
    expect(items).toMatchObject([{ state: 'paid', ended_at: body.expected_at }]);
    expect(await audit(second.database)).toEqual([]);
    second.close();
  });
});
