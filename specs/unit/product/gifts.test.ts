import { sql } from 'kysely';
import Libsql from 'libsql';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GIFTS } from '../../../sim/product/rules.ts';
import { audit } from './support/audit.ts';
import { databasesOf, EVERY } from './support/databases.ts';
import { openStage, type Stage } from './support/stage.ts';

describe.each(EVERY)('gifts, kept in %s', (kind) => {
  const databases = databasesOf(kind);
  let stage: Stage;
  beforeEach(async (context) => {
    databases.skipIfMissing(context);
    stage = await openStage(await databases.make());
  });
  afterEach(() => databases.close());

  const send = (body: unknown, key?: string, from = 'kai') =>
    stage.ask(from, 'POST', '/gifts/send', { body, ...(key === undefined ? {} : { key }) });

  it('are twelve kinds of 10 to 9,999 coins, the cheapest first', async () => {
    const { gifts } = (await stage.ask('mei', 'GET', '/gifts')).body;
    expect(gifts).toHaveLength(12);
    const prices = gifts.map(({ coins }: { coins: number }) => coins);
    expect([prices[0], prices.at(-1)]).toEqual([10, 9_999]);
    expect(prices).toEqual(prices.toSorted((a: number, b: number) => a - b));
  });

  it('take coins of the man and give the woman half their worth in points, and notify both', async () => {
    await stage.give('kai', 1_000);
    expect(await send({ to: 'mei', gift_id: 'bear', count: 3 })).toEqual({
      status: 200,
      body: { gift_id: 'bear', count: 3, coins: 297, coins_left: 703 },
    });
    expect([await stage.coins('kai'), await stage.settling('mei')]).toEqual([703, 14_850]);
    const gift = { type: 'gift_received', from: 'kai', gift_id: 'bear', count: 3, coins: 297, points: 14_850 };
    expect(stage.told('mei', 'gift_received')).toEqual([gift]);
    expect(stage.told('mei', 'wallet_changed')).toEqual([{ type: 'wallet_changed', coins: null, points: 14_850 }]);
    expect(stage.told('kai', 'wallet_changed')).toEqual([{ type: 'wallet_changed', coins: 703, points: null }]);
    expect(stage.told('yun', 'gift_received')).toEqual([]);
    const said = { type: 'gift', from: 'kai', data: { gift_id: 'bear', name: '熊熊', quantity: 3, coins: 297 } };
    for (const one of ['kai', 'mei']) expect(stage.told(one, 'message')).toMatchObject([{ message: said }]);
    expect(await audit(stage.database)).toEqual([]);
  });

  it('B70 S26 S44 are refused without a change when any part is invalid', async () => {
    await stage.give('kai', 1_000);
    const rose = { to: 'mei', gift_id: 'rose', count: 1 };
    const blocks = { u_id: 'yun', other: 'kai', at: 0 };
    await stage.database.db.insertInto('ringback_blocks').values(blocks).execute();
    const wrong: [unknown, number, string][] = [
      ...[0, -1, 0.1 + 0.2, 1e21, '10', 2 ** 53, null, NaN, Infinity, 100].map((count): [unknown, number, string] => [
        JSON.parse(JSON.stringify({ ...rose, count })),
        400,
        'invalid',
      ]),
      [{ ...rose, coins: 1 }, 400, 'invalid'],
      [{ ...rose, price: 1 }, 400, 'invalid'],
      [{ to: 'mei', gift_id: 'rose' }, 400, 'invalid'],
      [{ ...rose, to: 'kai' }, 400, 'invalid'],
      [{ ...rose, to: 'leo' }, 400, 'invalid'],
      [{ ...rose, to: 'nobody' }, 404, 'not_found'],
      [{ ...rose, to: 'yun' }, 404, 'not_found'],
      [{ ...rose, gift_id: 'moon' }, 404, 'not_found'],
      [{ ...rose, gift_id: 'fireworks', count: 2 }, 402, 'insufficient_coins'],
    ];
    for (const [body, status, code] of wrong) {
      expect(await send(body), JSON.stringify(body)).toMatchObject({ status, body: { code } });
    }
    const suspend = (suspended_at: number | null) =>
      stage.database.db.updateTable('ringback_accounts').set({ suspended_at }).where('u_id', '=', 'mei').execute();
    await suspend(1);
    expect(await send(rose)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    await suspend(null);
    expect(await send(rose, undefined, 'mei')).toMatchObject({ status: 403, body: { code: 'not_yours' } });
    expect(await stage.http('POST', '/gifts/send', { body: rose })).toMatchObject({ status: 401 });
    expect([await stage.coins('kai'), await stage.settling('mei')]).toEqual([1_000, 0]);
    expect(stage.told('mei', 'gift_received')).toEqual([]);
    expect(stage.told('mei', 'message')).toEqual([]);
    expect((await stage.ask('mei', 'GET', '/channels')).body.items).toEqual([]);
  });

  it('B71 S25 are given once for a repeated request, and a key is valid for one gift', async () => {
    await stage.give('kai', 100);
    const rose = { to: 'mei', gift_id: 'rose', count: 1 };
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(rose, 'the-same-key')));
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toHaveLength(1);
    expect(answers[0]).toMatchObject({ status: 200, body: { coins_left: 90 } });
    expect(await send({ ...rose, count: 2 }, 'the-same-key')).toMatchObject({
      status: 409,
      body: { code: 'key_reused' },
    });
    expect(await send(rose, 'bad key')).toMatchObject({ status: 400, body: { field: 'idempotency-key' } });
    expect([await stage.coins('kai'), stage.told('mei', 'gift_received').length]).toEqual([90, 1]);
    await stage.give('leo', 10);
    expect(await send(rose, 'the-same-key', 'leo')).toMatchObject({ status: 200 });
    expect(await stage.settling('mei')).toBe(1_000);
  });

  it('B71 are answered like the first time, also after a later block', async () => {
    await stage.give('kai', 100);
    const rose = { to: 'mei', gift_id: 'rose', count: 1 };
    const given = await send(rose, 'the-same-key');
    await stage.ask('mei', 'POST', '/blocks', { body: { u_id: 'kai' } });
    expect(await send(rose, 'the-same-key')).toEqual(given);
    expect(await send(rose, 'another-key')).toMatchObject({ status: 404 });
    expect(await stage.coins('kai')).toBe(90);
  });

  it('are shown on the profile of the woman by kind and count, the most frequent eight kinds, and not across a block', async () => {
    await stage.give('kai', 100_000);
    await stage.give('leo', 100_000);
    const wall = async (from = 'leo') => (await stage.ask(from, 'GET', '/users/mei')).body.gifts;
    expect(await wall()).toEqual([]);
    await send({ to: 'mei', gift_id: 'rose', count: 3 }, 'the-same-key');
    await send({ to: 'mei', gift_id: 'rose', count: 3 }, 'the-same-key');
    await send({ to: 'mei', gift_id: 'rose', count: 2 }, undefined, 'leo');
    await send({ to: 'mei', gift_id: 'cake', count: 9 });
    await send({ to: 'yun', gift_id: 'cake', count: 9 });
    await send({ to: 'mei', gift_id: 'castle', count: 99 });
    const most = [
      { gift_id: 'cake', name: '蛋糕', count: 9 },
      { gift_id: 'rose', name: '玫瑰', count: 5 },
    ];
    expect([await wall(), await wall('mei')]).toEqual([most, most]);
    for (const { gift_id } of GIFTS.slice(0, 10)) await send({ to: 'mei', gift_id, count: 1 });
    const all = await wall();
    expect(all).toHaveLength(8);
    expect(all[0]).toEqual({ gift_id: 'cake', name: '蛋糕', count: 10 });
    expect((await stage.ask('mei', 'GET', '/users/kai')).body.gifts).toEqual([]);
    await stage.ask('mei', 'POST', '/blocks', { body: { u_id: 'leo' } });
    expect(await wall()).toBeUndefined();
  });

  it('I20 never take more than the balance for simultaneous requests', async () => {
    await stage.give('kai', 1_000);
    const all = await Promise.all(
      Array.from({ length: 64 }, (_, at) => send({ to: at % 2 ? 'mei' : 'yun', gift_id: 'milk-tea', count: 1 })),
    );
    const given = all.filter(({ status }) => status === 200).length;
    expect([given, await stage.coins('kai')]).toEqual([33, 10]);
    expect(all.filter(({ status }) => status === 402)).toHaveLength(31);
    expect((await stage.settling('mei')) + (await stage.settling('yun'))).toBe(33 * 1_500);
    expect(await audit(stage.database)).toEqual([]);
  });

  it('cost only the price of the rules', async () => {
    await stage.give('kai', 100_000);
    for (const { gift_id, coins } of GIFTS) {
      expect((await send({ to: 'yun', gift_id, count: 1 })).body.coins).toBe(coins);
    }
    const sum = GIFTS.reduce((all, { coins }) => all + coins, 0);
    expect([await stage.coins('kai'), await stage.settling('yun')]).toEqual([100_000 - sum, sum * 50]);
  });
});

describe('a gift in a file', () => {
  const databases = databasesOf('SQLite in a file');
  afterEach(() => databases.close());

  it('S27 is stored before its answer and before any event, for many gifts at once', async () => {
    const place = await databases.place();
    const stage = await openStage(await databases.open(place));
    await stage.give('kai', 1_000);
    // A reader on another connection sees what is committed, and nothing of open transactions.
    const elsewhere = new Libsql(place);
    const read = elsewhere.prepare("select key from ringback_transfers where kind = 'gift'");
    const kept = () => read.all().map((row) => v.parse(v.object({ key: v.string() }), row).key);
    const unkept: string[] = [];
    const told: number[] = [];
    const keys = Array.from({ length: 12 }, (_, at) => `gift-number-${at}`);
    await stage.product.socket('/ws/events', stage.tokenOf('mei'), null, {
      send(text) {
        if (text.includes('"gift_received"')) told.push(kept().length);
      },
      close: () => undefined,
    });
    await Promise.all(
      keys.map(async (key) => {
        const answer = await stage.ask('kai', 'POST', '/gifts/send', {
          body: { to: 'mei', gift_id: 'rose', count: 1 },
          key,
        });
        if (!kept().some((one) => one.includes(`:${key}:`))) unkept.push(key);
        expect(answer.status).toBe(200);
      }),
    );
    expect(unkept).toEqual([]);
    // The first event comes with at least one stored gift, the second with two.
    expect(told).toHaveLength(keys.length);
    expect(told.filter((seen, at) => seen < at + 1)).toEqual([]);
    elsewhere.close();
    stage.close();
  });

  it('S27 F54 has no answer and no event when its commit fails; the same request gives it later', async () => {
    const database = await databases.make();
    const stage = await openStage(database);
    await stage.give('kai', 1_000);
    const run = (statement: string) => sql.raw(statement).execute(database.db);
    // Only the commit finds the fault.
    await run('pragma foreign_keys = on');
    await run('create table absent (id integer primary key)');
    await run('create table fault (id integer references absent (id) deferrable initially deferred)');
    await run('create trigger fail after insert on ringback_transfers begin insert into fault values (1); end');
    const send = () =>
      stage.ask('kai', 'POST', '/gifts/send', { body: { to: 'mei', gift_id: 'rose', count: 1 }, key: 'the-same-key' });
    const failed = await Promise.allSettled([send(), send()]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([stage.told('mei', 'gift_received'), stage.told('mei', 'message')]).toEqual([[], []]);
    expect([await stage.coins('kai'), await audit(database)]).toEqual([1_000, []]);
    await run('drop trigger fail');
    expect(await send()).toMatchObject({ status: 200, body: { coins_left: 990 } });
    expect(await send()).toMatchObject({ status: 200, body: { coins_left: 990 } });
    expect(stage.told('mei', 'gift_received')).toHaveLength(1);
    stage.close();
  });

  it('S27 F54 is refused without a change while the file cannot grow, and given once when it can', async () => {
    const database = await databases.make();
    const stage = await openStage(database);
    await stage.give('kai', 100_000);
    const run = (statement: string) => sql.raw(statement).execute(database.db);
    const send = (key: string) =>
      stage.ask('kai', 'POST', '/gifts/send', { body: { to: 'mei', gift_id: 'rose', count: 1 }, key });
    // A limit below the size becomes the size.
    await run('pragma max_page_count = 1');
    let given = 0;
    const refused: unknown[] = [];
    while (refused.length === 0 && given < 1_000) {
      await send(`the-gift-${given}`).then(
        () => (given += 1),
        (error: unknown) => refused.push(error),
      );
    }
    const [last, next] = [`the-gift-${given}`, `the-gift-${given + 1}`];
    const both = await Promise.allSettled([send(last), send(next)]);
    expect([...refused, ...both.map((one) => one.status === 'rejected' && one.reason)]).toEqual(
      Array(3).fill(expect.objectContaining({ code: 'SQLITE_FULL' })),
    );
    expect([await stage.coins('kai'), await audit(database)]).toEqual([100_000 - 10 * given, []]);
    await run('pragma max_page_count = 1000000');
    for (const key of [last, next, last, next]) expect(await send(key)).toMatchObject({ status: 200 });
    expect([await stage.coins('kai'), await audit(database)]).toEqual([100_000 - 10 * (given + 2), []]);
    expect(stage.told('mei', 'gift_received')).toHaveLength(given + 2);
    stage.close();
  });
});
