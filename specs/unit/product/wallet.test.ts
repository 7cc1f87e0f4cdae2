import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { audit } from './support/audit.ts';
import { databasesOf, EVERY } from './support/databases.ts';
import { openStage, type Stage } from './support/stage.ts';

const HOUR = 3_600_000;
const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  poor: '4000000000009995',
  expired: '4000000000000069',
  silent: '4000000000000119',
};

describe.each(EVERY)('the wallet, kept in %s', (kind) => {
  const databases = databasesOf(kind);
  let stage: Stage;
  beforeEach(async (context) => {
    databases.skipIfMissing(context);
    stage = await openStage(await databases.make());
  });
  afterEach(() => databases.close());

  const buy = (pack_id: string, card: keyof typeof CARDS = 'good', key?: string) =>
    stage.ask('kai', 'POST', '/deposits', {
      body: { pack_id, method: 'card', card_number: CARDS[card] },
      ...(key === undefined ? {} : { key }),
    });
  const buyInStore = () =>
    stage.ask('kai', 'POST', '/deposits', {
      body: { pack_id: 'coins-300', method: 'convenience_store' },
    });
  const wallet = async () => (await stage.ask('kai', 'GET', '/wallet')).body;
  const play = (id: string, outcome: string, as = 'kai') =>
    stage.ask(as, 'POST', `/sandbox/deposits/${id}/pay`, { body: { outcome } });
  const list = (query: Record<string, string> = {}) => stage.ask('kai', 'GET', '/deposits', { query });

  it('S25 simultaneous reports of one payment count once, and given coins belong to a paid deposit', async () => {
    const { deposit_id } = (await buyInStore()).body;
    const answers = await Promise.all([
      play(deposit_id, 'paid'),
      play(deposit_id, 'canceled'),
      play(deposit_id, 'paid'),
    ]);
    const [deposit] = (await list()).body.items;
    // The connections to PostgreSQL race: there the cancellation may come first. The first result counts.
    const isPaid = kind !== 'PostgreSQL' || deposit.status === 'paid';
    const held = isPaid
      ? { status: 'paid', failure: null, coins: 300, bonus: 75 }
      : { status: 'failed', failure: 'canceled' };
    expect(deposit).toMatchObject(held);
    expect((await wallet()).coins).toBe(isPaid ? 375 : 0);
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken.length).toBeGreaterThan(0);
    for (const { body } of taken) expect(body).toEqual(deposit);
    // The other requests came when the order no longer waited for a payment.
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(await audit(stage.database)).toEqual([]);
  });

  it('PROD-05: a man buys coins, with a bonus on his first deposit', async () => {
    const { packs } = (await stage.ask('kai', 'GET', '/deposit/packs')).body;
    expect(packs).toHaveLength(6);
    expect(packs.filter(({ is_best }: { is_best: boolean }) => is_best)).toHaveLength(1);
    expect(await wallet()).toMatchObject({
      coins: 0,
      limit: 20_000,
      spent: 0,
      is_first_deposit: true,
    });
    expect(await buy('coins-1000')).toMatchObject({
      status: 200,
      body: {
        status: 'paid',
        price: 1_000,
        coins: 1_000,
        bonus: 320,
        failure: null,
        pay_code: null,
      },
    });
    expect(await wallet()).toMatchObject({ coins: 1_320, spent: 1_000, is_first_deposit: false });
    expect(stage.told('kai', 'wallet_changed').at(-1)).toMatchObject({ coins: 1_320 });
    expect((await buy('coins-1000')).body.bonus).toBe(120);
    expect(await stage.coins('kai')).toBe(2_440);
    expect(await audit(stage.database)).toEqual([]);
  });

  it('credits nothing for a failed payment, and returns its cause', async () => {
    for (const [card, failure] of [
      ['declined', 'declined'],
      ['poor', 'insufficient_funds'],
      ['expired', 'expired_card'],
    ] as const) {
      expect((await buy('coins-100', card)).body).toMatchObject({ status: 'failed', failure });
    }
    const before = stage.clock.pending;
    const silent = buy('coins-100', 'silent');
    await vi.waitUntil(() => stage.clock.pending > before, { interval: 1, timeout: 10_000 });
    stage.clock.advance(15_000);
    // The payment may still have succeeded: the server asks the provider later.
    expect((await silent).body).toMatchObject({ status: 'processing', failure: null });
    expect(await wallet()).toMatchObject({ coins: 0, spent: 100, is_first_deposit: true });
  });

  it('B71 S25 sells once, for repeated requests too', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => buy('coins-100', 'good', 'the-same-key')));
    expect(new Set(all.map(({ body }) => body.deposit_id)).size).toBe(1);
    expect((await buy('coins-100', 'good', 'the-same-key')).body).toMatchObject({ status: 'paid' });
    expect(await buy('coins-300', 'good', 'the-same-key')).toMatchObject({
      status: 409,
      body: { code: 'key_reused' },
    });
    expect(await stage.coins('kai')).toBe(120);
    expect(await wallet()).toMatchObject({ spent: 100 });
  });

  it('waits for a code to be paid in a store, for 72 hours', async () => {
    const { body: pending } = await buyInStore();
    expect(pending).toMatchObject({ status: 'pending', expires_at: stage.clock.wallTime() + 72 * HOUR });
    expect(pending.pay_code).toMatch(/^\d{14}$/);
    expect(await wallet()).toMatchObject({ coins: 0, spent: 300 });
    expect(await play(pending.deposit_id, 'paid', 'leo')).toMatchObject({ status: 404 });
    expect(await play(pending.deposit_id, 'paid')).toMatchObject({ body: { status: 'paid' } });
    expect(await play(pending.deposit_id, 'paid')).toMatchObject({
      status: 409,
      body: { code: 'wrong_state' },
    });
    expect(await wallet()).toMatchObject({ coins: 300 + 15 + 60 });

    const { body: late } = await buyInStore();
    stage.clock.advance(72 * HOUR);
    expect(await play(late.deposit_id, 'paid')).toMatchObject({ status: 409 });
    expect((await stage.ask('kai', 'GET', `/deposits/${late.deposit_id}`)).body).toMatchObject({
      status: 'expired',
    });
    const { body: canceled } = await buyInStore();
    expect((await play(canceled.deposit_id, 'canceled')).body).toMatchObject({
      status: 'failed',
      failure: 'canceled',
    });
    expect(await stage.coins('kai')).toBe(375);
  });

  it("sells no more in a month than the user's spending limit, and raises that only after a day", async () => {
    const setLimit = (limit: unknown) => stage.ask('kai', 'PUT', '/wallet/limit', { body: { limit } });
    expect(await setLimit(1_000)).toMatchObject({
      status: 200,
      body: { limit: 1_000, next_limit: null },
    });
    const tried = await Promise.all([1, 2, 3].map(() => buy('coins-500')));
    expect(tried.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await buy('coins-100')).toMatchObject({ status: 403, body: { code: 'limit_reached' } });
    const raised = await setLimit(2_000);
    expect(raised.body).toMatchObject({
      limit: 1_000,
      next_limit: 2_000,
      next_limit_at: stage.clock.wallTime() + 24 * HOUR,
    });
    stage.clock.advance(23 * HOUR);
    // A second request does not restart the wait.
    expect((await setLimit(2_000)).body).toEqual(raised.body);
    stage.clock.advance(HOUR - 1);
    expect(await buy('coins-100')).toMatchObject({ status: 403 });
    stage.clock.advance(1);
    expect(await wallet()).toMatchObject({ limit: 2_000, next_limit: null, next_limit_at: null });
    expect(await buy('coins-1000')).toMatchObject({ status: 200 });
    for (const limit of [-1, 0.5, '5', 20_001]) expect(await setLimit(limit)).toMatchObject({ status: 400 });
    // Another month, by the calendar of Taipei: it begins at 16:00 UTC.
    stage.clock.advance(Date.UTC(2026, 0, 31, 16) - 1 - stage.clock.wallTime());
    await stage.signIn('kai');
    expect(await wallet()).toMatchObject({ spent: 2_000 });
    stage.clock.advance(1);
    expect(await wallet()).toMatchObject({ spent: 0 });
  });

  it('lists deposits by pages, by status and by month, and shows none of another user', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1)
      ids.unshift((await buy('coins-100', at === 2 ? 'declined' : 'good')).body.deposit_id);
    const first = (await list({ limit: '2' })).body;
    const rest = (await list({ limit: '50', cursor: first.next })).body;
    const seen = [...first.items, ...rest.items].map(({ deposit_id }: { deposit_id: string }) => deposit_id);
    expect([seen.toSorted(), rest.next]).toEqual([ids.toSorted(), null]);
    expect((await list({ status: 'failed' })).body.items).toHaveLength(1);
    expect((await list({ month: '2026-01' })).body.items).toHaveLength(5);
    expect((await list({ month: '2025-12' })).body.items).toEqual([]);
    for (const query of [{ cursor: 'x' }, { month: '2026-13' }, { status: 'odd' }]) {
      expect(await list(query as Record<string, string>)).toMatchObject({ status: 400 });
    }
    expect(await stage.ask('leo', 'GET', `/deposits/${ids[0]}`)).toMatchObject({ status: 404 });
    expect((await stage.ask('leo', 'GET', '/deposits')).body.items).toEqual([]);
    expect(JSON.stringify(await stage.database.db.selectFrom('ringback_deposits').selectAll().execute())).not.toContain(
      CARDS.good,
    );
  });

  it('S44 is for men only, and refuses what it does not sell', async () => {
    for (const path of ['/wallet', '/deposits', '/deposit/packs']) {
      expect(await stage.ask('mei', 'GET', path)).toMatchObject({
        status: 403,
        body: { code: 'not_yours' },
      });
    }
    expect(await buy('coins-1')).toMatchObject({ status: 404 });
    const body = { pack_id: 'coins-100', method: 'card' };
    for (const wrong of [body, { ...body, card_number: '12' }, { ...body, method: 'cash' }, { ...body, coins: 9 }]) {
      expect(await stage.ask('kai', 'POST', '/deposits', { body: wrong })).toMatchObject({
        status: 400,
      });
    }
  });

  describe('the transactions', () => {
    const gift = (gift_id: string) =>
      stage.ask('kai', 'POST', '/gifts/send', { body: { to: 'mei', gift_id, count: 1 } });
    const entries = async (uId: string, query: Record<string, string> = {}) =>
      (await stage.ask(uId, 'GET', '/transactions', { query })).body;

    it('are listed newest first to the man in coins and to the woman in points, with the balance after each', async () => {
      await buy('coins-1000');
      await gift('rose');
      stage.clock.advance(24 * HOUR);
      await gift('milk-tea');
      const { items, next } = await entries('kai');
      const brief = items.map((one: any) => [one.type, one.delta, one.balance_after, one.with?.nickname ?? null]);
      expect([brief, next]).toEqual([
        [
          ['gift', -30, 1_280, 'MEI'],
          ['gift', -10, 1_310, 'MEI'],
          ['bonus', 320, 1_320, null],
          ['deposit', 1_000, 1_000, null],
        ],
        null,
      ]);
      const hers = (await entries('mei')).items;
      expect(hers.map((one: any) => [one.type, one.delta, one.balance_after, one.with.u_id, one.gift_id])).toEqual([
        ['gift', 1_500, 2_000, 'kai', 'milk-tea'],
        ['gift', 500, 500, 'kai', 'rose'],
      ]);
      expect((await entries('leo')).items).toEqual([]);
      expect((await entries('kai', { type: 'deposit' })).items).toHaveLength(1);
      expect((await entries('kai', { from: '2026-01-02' })).items).toHaveLength(1);
      expect((await entries('kai', { to: '2026-01-01' })).items).toHaveLength(3);
      const first = await entries('kai', { limit: '3' });
      expect((await entries('kai', { limit: '3', cursor: first.next })).items).toHaveLength(1);
    });

    it('B72 are refused for an unknown type, with the names of the types', async () => {
      for (const type of ['zzz', 'hold', 'settlement', '<script>']) {
        const { status, body } = await stage.ask('kai', 'GET', '/transactions', {
          query: { type },
        });
        expect([status, body.code]).toEqual([404, 'not_found']);
        expect(body.message).toContain('all, gift, voice, video, message, deposit, bonus, refund, redeem');
      }
    });

    it('are listed by call, with each minute and the refunded one, only to both users of the call', async () => {
      await stage.give('kai', 100);
      const [kai, mei] = [await stage.fixture.device('kai'), await stage.fixture.device('mei')];
      const before = kai.replies.length;
      const dial = kai.frame('dial', {
        callee_id: 'mei',
        is_video_call: true,
        constraints: { audio: true, video: true },
        capabilities: [],
      });
      kai.receive(JSON.stringify(dial));
      const reply = await vi.waitUntil(() => kai.replies[before], { interval: 1, timeout: 10_000 });
      const { call_id } = v.parse(v.object({ call_id: v.string() }), reply.payload);
      mei.accept(call_id);
      for (const device of [kai, mei]) device.connected(call_id);
      await stage.product.settled();
      await stage.advance(75, [
        [kai, call_id],
        [mei, call_id],
      ]);
      mei.send('connection_lost', { call_id });
      await stage.product.settled();
      const sessions = async (uId: string) => (await stage.ask(uId, 'GET', '/transactions/sessions')).body.items;
      const seen = {
        kind: 'video',
        rate: 20,
        count: 1,
        duration: 75_000,
        end_result: 'connection_lost',
      };
      expect(await sessions('kai')).toMatchObject([{ ...seen, amount: 20, with: { u_id: 'mei' } }]);
      expect(await sessions('mei')).toMatchObject([{ ...seen, amount: 800, with: { u_id: 'kai' } }]);
      expect(await sessions('leo')).toEqual([]);
      const one = (uId: string) => stage.ask(uId, 'GET', `/transactions/sessions/${call_id}`);
      expect((await one('kai')).body.minutes).toMatchObject([
        { minute: 1, amount: 20, is_refunded: false },
        { minute: 2, amount: 20, is_refunded: true },
      ]);
      expect((await one('mei')).body.minutes).toMatchObject([{ amount: 800 }, { amount: 800, is_refunded: true }]);
      expect(await one('leo')).toMatchObject({ status: 404 });
      expect((await entries('kai', { type: 'refund' })).items).toMatchObject([{ delta: 20, minute: 2, call_id }]);
    });
  });
});
