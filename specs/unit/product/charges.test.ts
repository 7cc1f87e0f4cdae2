import type { Insertable } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Charges } from '../../../sim/product/billing/charges.ts';
import { Ledger } from '../../../sim/product/ledger/ledger.ts';
import type { Database } from '../../../sim/store/database.ts';
import type { Tables } from '../../../sim/store/tables/tables.ts';
import { audit } from './support/audit.ts';
import { databasesOf, EVERY } from './support/databases.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Midnight in Taipei. */
const MIDNIGHT = Date.UTC(2026, 0, 1, 16);
const AT = MIDNIGHT + HOUR;
/** The day of `AT` in Taipei, days since the epoch. */
const TODAY = (MIDNIGHT + 8 * HOUR) / DAY;

type Charge = Parameters<Charges['take']>[1];
type Message = Parameters<Charges['message']>[1];

describe.each(EVERY)('charges, kept in %s', (kind) => {
  const databases = databasesOf(kind);
  let database: Database;
  let ledger: Ledger;
  let charges: Charges;
  beforeEach(async (context) => {
    databases.skipIfMissing(context);
    database = await databases.make();
    ledger = new Ledger(database);
    charges = new Charges(ledger, true);
  });
  afterEach(() => databases.close());

  /** Creates coins, to spend or reserved. */
  const give = (coins: number, account: 'coins' | 'held' = 'coins') =>
    database.transact((transaction) =>
      ledger.post(transaction, {
        key: `given ${account} ${coins}`,
        kind: 'bonus',
        at: AT,
        ref: {},
        lines: [
          { account: 'house:sold', delta: -coins },
          { account: `${account}:kai`, delta: coins },
        ],
      }),
    );
  const aCharge = (more: Partial<Charge> = {}): Charge => ({
    key: 'one',
    kind: 'video',
    at: AT,
    man: 'kai',
    woman: 'mei',
    coins: 30,
    ref: { call: 'c', minute: 2 },
    ...more,
  });
  const take = (more: Partial<Charge> = {}) =>
    database.transact((transaction) => charges.take(transaction, aCharge(more)));
  const giveBack = (more: Partial<Charge>, points: number) =>
    database.transact((transaction) => charges.giveBack(transaction, aCharge(more), points));
  const settle = (now: number) => database.transact((transaction) => charges.settle(transaction, 'mei', now));
  const earnedBy = (key: string) => database.transact((transaction) => charges.earnedBy(transaction, key));
  const held = async (...accounts: Parameters<Ledger['balance']>[0][]) =>
    Promise.all(accounts.map((account) => ledger.balance(account)));
  const settlements = () => database.db.selectFrom('ringback_settlements').selectAll().orderBy('transfer').execute();
  const volumes = () =>
    database.db.selectFrom('ringback_volumes').select(['u_id', 'day', 'coins']).orderBy('day').execute();
  const transfers = async () =>
    (await database.db.selectFrom('ringback_transfers').selectAll().orderBy('key').execute())
      .filter(({ kind: what }) => what !== 'bonus')
      .map(({ key, kind: what, at, ref }) => [key, what, at, JSON.parse(ref)]);

  describe('charges of given coins', () => {
    /** Coins that no user paid for. */
    const present = (coins: number) =>
      database.transact((transaction) =>
        ledger.post(transaction, {
          key: `welcome ${coins}`,
          kind: 'bonus',
          at: AT,
          ref: {},
          lines: [
            { account: 'house:bonus', delta: -coins },
            { account: 'coins:kai', delta: coins },
          ],
        }),
      );
    const bought = async () =>
      (await database.db.selectFrom('ringback_bought_coins').select('coins').executeTakeFirst())?.coins ?? 0;

    it('give the woman no earnings and no tier', async () => {
      await present(100);
      expect(await take({ coins: 99, kind: 'gift', ref: { gift: 'bear', count: 1 } })).toBe(0);
      expect(await held('coins:kai', 'settling:mei', 'house:earned')).toEqual([1, 0, 0]);
      expect([await settlements(), await volumes(), await audit(database)]).toEqual([[], [], []]);
      expect((await transfers()).find(([key]) => key === 'one')?.[3]).toMatchObject({ bought: 0 });
      expect(await giveBack({ coins: 99, kind: 'gift', ref: {} }, 0)).toBe(true);
      expect([await held('coins:kai'), await bought(), await volumes()]).toEqual([[100], 0, []]);
    });

    it('are made after those of bought coins, also in one charge of both kinds', async () => {
      await present(100);
      await give(50);
      expect([await take({ key: 'one' }), await take({ key: 'two' }), await take({ key: 'three' })]).toEqual([
        1_200, 800, 0,
      ]);
      expect([await bought(), await volumes()]).toEqual([0, [{ u_id: 'mei', day: expect.any(Number), coins: 50 }]]);
      // A repeated charge takes none of them again.
      await give(10);
      expect([await take({ key: 'two' }), await bought()]).toEqual([null, 10]);
      // A refund restores the bought part.
      expect(await giveBack({ key: 'two' }, 800)).toBe(true);
      expect([await bought(), await held('settling:mei')]).toEqual([30, [1_200]]);
      expect(await take({ key: 'four' })).toBe(1_200);
      expect(await audit(database)).toEqual([]);
    });

    it('S24 are never paid out, also when other coins are spent at the same moment', async () => {
      await present(300);
      await give(100);
      const points = await Promise.all(
        Array.from({ length: 10 }, (_, at) => take({ key: `at once ${at}`, kind: 'gift', ref: {} })),
      );
      expect(points.reduce((sum: number, one) => sum + (one ?? 0), 0)).toBe(100 * 50);
      expect([await bought(), await held('coins:kai', 'settling:mei'), await audit(database)]).toEqual([
        0,
        [100, 5_000],
        [],
      ]);
    });
  });

  it('S24 take coins of the man and give the woman 40 percent of them, settled a day later', async () => {
    await give(100);
    expect(await take()).toBe(1_200);
    expect(await held('coins:kai', 'house:spent', 'settling:mei', 'house:earned')).toEqual([70, 30, 1_200, -1_200]);
    expect(await transfers()).toEqual([['one', 'video', AT, { call: 'c', minute: 2, man: 'kai', woman: 'mei' }]]);
    expect(await settlements()).toEqual([{ transfer: 'one', u_id: 'mei', points: 1_200, due_at: AT + DAY }]);
    expect(await volumes()).toEqual([{ u_id: 'mei', day: TODAY, coins: 30 }]);
    expect(await database.db.selectFrom('ringback_gift_counts').selectAll().execute()).toEqual([]);
    expect(await audit(database)).toEqual([]);
  });

  it('S24 of one key are charged once', async () => {
    await give(100);
    await take();
    expect(await take()).toBeNull();
    expect(await held('coins:kai', 'settling:mei')).toEqual([70, 1_200]);
    expect([await volumes(), await settlements()]).toMatchObject([[{ coins: 30 }], [{ points: 1_200 }]]);
    expect([await earnedBy('one'), await earnedBy('another')]).toEqual([1_200, 0]);
  });

  it('use the coins that were reserved for them', async () => {
    await give(100);
    await give(30, 'held');
    await take({ from: 'held' });
    expect(await held('coins:kai', 'held:kai')).toEqual([100, 0]);
    expect(await take({ key: 'two', from: 'held' }).catch((error: { code: string }) => error.code)).toBe(
      'insufficient_coins',
    );
    expect(await settlements()).toHaveLength(1);
  });

  it('of gifts give the woman half of the coins, for any share of calls, and count on her gift wall', async () => {
    await give(200);
    expect(await take({ kind: 'gift', ref: { gift: 'rose', count: 3 } })).toBe(1_500);
    await take({ key: 'two', kind: 'gift', ref: { gift: 'rose' } });
    expect(await database.db.selectFrom('ringback_gift_counts').selectAll().execute()).toEqual([
      { u_id: 'mei', gift_id: 'rose', count: 4 },
    ]);
  });

  it('give the woman a higher share after more volume in the last 30 days, by the calendar of Taipei', async () => {
    await give(20_000);
    const volume = { u_id: 'mei', day: TODAY - 29, coins: 10_000 } satisfies Insertable<Tables['ringback_volumes']>;
    await database.db.insertInto('ringback_volumes').values(volume).execute();
    expect(await take({ key: 'before', at: MIDNIGHT + DAY - 1 })).toBe(1_350);
    expect(await take({ key: 'after', at: MIDNIGHT + DAY })).toBe(1_200);
    expect(await volumes()).toMatchObject([
      { coins: 10_000 },
      { day: TODAY, coins: 30 },
      { day: TODAY + 1, coins: 30 },
    ]);
  });

  it('S24 are refunded once, including the earnings and the volume of the woman', async () => {
    await give(100);
    await take();
    await take({ key: 'two' });
    expect(await giveBack({ key: 'two', at: AT + 1 }, 1_200)).toBe(true);
    expect(await giveBack({ key: 'two', at: AT + 2 }, 1_200)).toBe(false);
    expect(await held('coins:kai', 'house:spent', 'settling:mei', 'house:earned')).toEqual([70, 30, 1_200, -1_200]);
    expect((await transfers()).at(-1)).toEqual([
      'two:refund',
      'refund',
      AT + 1,
      { call: 'c', minute: 2, man: 'kai', woman: 'mei' },
    ]);
    expect((await settlements()).map(({ transfer }) => transfer)).toEqual(['one']);
    expect(await volumes()).toEqual([{ u_id: 'mei', day: TODAY, coins: 30 }]);
    expect(await audit(database)).toEqual([]);
  });

  it('of one woman are settled after their day, all due ones in one transfer', async () => {
    await give(200);
    await take({ key: 'b' });
    await take({ key: 'a' });
    await take({ key: 'late', at: AT + 1 });
    await take({ key: 'yun', woman: 'yun' });
    await settle(AT + DAY - 1);
    expect(await held('settling:mei', 'points:mei')).toEqual([3_600, 0]);
    await settle(AT + DAY);
    await settle(AT + DAY);
    expect(await held('settling:mei', 'points:mei', 'settling:yun', 'points:yun')).toEqual([1_200, 2_400, 1_200, 0]);
    expect((await transfers()).filter(([, what]) => what === 'settlement')).toEqual([
      ['settle:a', 'settlement', AT + DAY, {}],
    ]);
    expect((await settlements()).map(({ transfer }) => transfer)).toEqual(['late', 'yun']);
    expect(await audit(database)).toEqual([]);
  });

  describe('charges of messages', () => {
    let messages = 0;
    const message = (more: Partial<Message> = {}, by = charges) =>
      database.transact((transaction) =>
        by.message(transaction, {
          man: 'kai',
          woman: 'mei',
          channelUrl: 'chat',
          kind: 'text',
          sent: 11,
          messageId: `m${(messages += 1)}`,
          at: AT,
          ...more,
        }),
      );
    const sessions = () =>
      database.db.selectFrom('ringback_charge_sessions').selectAll().orderBy('session_id').execute();

    it('cost nothing up to the tenth, and nothing at all without billing', async () => {
      expect([await message({ sent: 10 }), await message({}, new Charges(ledger, false))]).toEqual([0, 0]);
      expect(await sessions()).toEqual([]);
      expect(await message().catch((error: { code: string }) => error.code)).toBe('insufficient_coins');
    });

    it('cost two or five coins, and are recorded by chat and day', async () => {
      await give(100);
      expect([await message(), await message({ kind: 'photo', at: AT + 1 })]).toEqual([2, 5]);
      expect(await message({ kind: 'voice', channelUrl: 'other' })).toBe(5);
      await message({ at: AT + DAY });
      const row = {
        man: 'kai',
        woman: 'mei',
        kind: 'message',
        rate: null,
        duration: null,
        end_result: null,
        is_open: 0,
        meter_before: null,
        meter_held_at: null,
        meter_since: null,
        unpaid_since: null,
        was_given_back: null,
        owner: null,
      };
      expect(await sessions()).toEqual([
        {
          ...row,
          session_id: `message.${TODAY}.chat`,
          count: 2,
          coins: 7,
          points: 280,
          started_at: AT,
          touched_at: AT + 1,
        },
        {
          ...row,
          session_id: `message.${TODAY}.other`,
          count: 1,
          coins: 5,
          points: 200,
          started_at: AT,
          touched_at: AT,
        },
        {
          ...row,
          session_id: `message.${TODAY + 1}.chat`,
          count: 1,
          coins: 2,
          points: 80,
          started_at: AT + DAY,
          touched_at: AT + DAY,
        },
      ]);
      expect(await held('coins:kai', 'settling:mei')).toEqual([86, 560]);
    });

    it('S24 of a repeated message are made once', async () => {
      await give(100);
      expect([await message({ messageId: 'same' }), await message({ messageId: 'same' })]).toEqual([2, 2]);
      expect(await held('coins:kai')).toEqual([98]);
      expect(await sessions()).toMatchObject([{ count: 1, coins: 2 }]);
      expect(await transfers()).toEqual([
        ['message:same', 'message', AT, { channel: 'chat', man: 'kai', woman: 'mei' }],
      ]);
    });
  });
});
