import fc from 'fast-check';
import { type CompiledQuery, sql, type Transaction } from 'kysely';
import * as v from 'valibot';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { accountOf, type AccountName, type UserAccount } from '../../../sim/product/ledger/account.ts';
import { Ledger, type Transfer, reference } from '../../../sim/product/ledger/ledger.ts';
import { IdempotentRequests } from '../../../sim/product/ledger/idempotent-requests.ts';
import { Refusal } from '../../../sim/product/refusal.ts';
import type { Database } from '../../../sim/store/database.ts';
import type { Tables } from '../../../sim/store/tables/tables.ts';
import { audit, purseTotal } from './support/audit.ts';
import { databasesOf, EVERY, LASTING } from './support/databases.ts';

const transfer = (key: string, lines: [AccountName, number][], more: Partial<Transfer> = {}): Transfer => ({
  key,
  kind: 'gift',
  at: 1_000,
  ref: {},
  lines: lines.map(([account, delta]) => ({ account, delta })),
  ...more,
});

/** Creates coins for tests. */
const mint = (account: UserAccount, coins: number) =>
  transfer(`mint ${account}`, [
    ['house:bonus', -coins],
    [account, coins],
  ]);

/** Records which balances and purses are written, in order. */
function recordingLocks(transaction: Transaction<Tables>, locked: string[]): Transaction<Tables> {
  const executeQuery = (query: CompiledQuery) => {
    const names = query.parameters.map(String);
    const name = names.find((one) => /^(?:coins|held|points|settling):/.test(one)) ?? '';
    if (query.sql.startsWith('update "ringback_balances"')) locked.push(`balance ${name}`);
    if (query.sql.startsWith('insert into "ringback_purses"')) locked.push(`purse ${name}`);
    return transaction.executeQuery(query);
  };
  return new Proxy(transaction, {
    get(target, key) {
      if (key === 'executeQuery') return executeQuery;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const codeOf = (error: unknown): unknown => (error instanceof Refusal ? error.code : error);

const HOUR_MS = 3_600_000;

let made = 0;
const fresh = (what: string) => `${what}${(made += 1)}`;

describe('an account', () => {
  it.each([
    ['coins:adam', 'coins', 'coins:adam'],
    ['held:adam', 'coins', 'coins:adam'],
    ['points:eve', 'points', 'points:eve'],
    ['settling:eve', 'points', 'points:eve'],
    ['reviewing:eve', 'points', 'points:eve'],
    ['points:a:b', 'points', 'points:a:b'],
    ['house:sold', 'coins', null],
    ['house:bonus', 'coins', null],
    ['house:spent', 'coins', null],
    ['house:earned', 'points', null],
    ['house:redeemed', 'points', null],
    ['house:fees', 'points', null],
  ] as const)('%s holds %s of the purse %s', (name, money, purse) => {
    expect(accountOf(name)).toEqual({ money, purse });
  });

  it.each(['coins:', 'coins', 'pocket:adam', 'toString:adam', 'house:pocket', ''])('%j is not valid', (name) => {
    expect(() => accountOf(name as AccountName)).toThrow(`Unknown account ${name}.`);
  });
});

describe('the purpose of a transfer', () => {
  it('is equal after it was written and read, and no other value is valid', () => {
    const whole = {
      man: 'adam',
      woman: 'eve',
      call: 'c',
      minute: 1,
      gift: 'rose',
      count: 2,
      channel: 'chat',
      deposit: 'd',
      redemption: 'r',
    };
    expect([v.parse(reference, whole), v.parse(reference, {})]).toEqual([whole, {}]);
    expect(v.is(reference, { ...whole, other: 'x' })).toBe(false);
  });
});

describe.each(EVERY)('%s', (kind) => {
  const databases = databasesOf(kind);
  let opening: Promise<Database> | undefined;
  const open = () => (opening ??= databases.make());
  afterAll(() => databases.close());

  const post = async (database: Database, one: Transfer) =>
    database.transact((transaction) => new Ledger(database).post(transaction, one)).catch(codeOf);

  it('S24 I20 never takes an account of a user below zero, and leaves a refused transfer without a trace', async (context) => {
    databases.skipIfMissing(context);
    const database = await open();
    const ledger = new Ledger(database);
    const [adam, eve] = [fresh('adam'), fresh('eve')];
    expect(await post(database, mint(`coins:${adam}`, 100))).toBe(true);
    const spend = (coins: number) =>
      transfer(fresh('spend'), [
        [`coins:${adam}`, -coins],
        ['house:spent', coins],
        ['house:earned', -coins * 50],
        [`settling:${eve}`, coins * 50],
      ]);
    const before = await ledger.balance('house:spent');
    expect(await post(database, spend(101))).toBe('insufficient_coins');
    expect([await ledger.balance(`coins:${adam}`), await ledger.balance(`settling:${eve}`)]).toEqual([100, 0]);
    expect(await post(database, spend(100))).toBe(true);
    expect(await post(database, spend(1))).toBe('insufficient_coins');
    expect([await ledger.balance(`coins:${adam}`), await ledger.balance(`settling:${eve}`)]).toEqual([0, 5_000]);
    expect((await ledger.balance('house:spent')) - before).toBe(100);
    expect(
      await post(
        database,
        transfer(fresh('redeem'), [
          [`points:${eve}`, -1],
          ['house:redeemed', 1],
        ]),
      ),
    ).toBe('insufficient_points');
    expect(await audit(database)).toEqual([]);
  });

  it('S24 makes a transfer of one key once', async (context) => {
    databases.skipIfMissing(context);
    const database = await open();
    const one = mint(`coins:${fresh('adam')}`, 7);
    const results = await Promise.all(Array.from({ length: 8 }, () => post(database, one)));
    expect(results.filter((result) => result === true)).toHaveLength(1);
    expect(results.filter((result) => result === false)).toHaveLength(7);
    expect(await new Ledger(database).balance(one.lines[1]?.account ?? 'house:bonus')).toBe(7);
  });

  it('refuses a transfer that is unbalanced in a kind of money, moves nothing, or has no whole number', async (context) => {
    databases.skipIfMissing(context);
    const database = await open();
    const adam: UserAccount = `coins:${fresh('adam')}`;
    await post(database, mint(adam, 10));
    const wrong: [AccountName, number][][] = [
      [],
      [[adam, 5]],
      [
        [adam, -5],
        ['house:earned', 5],
      ],
      [
        [adam, 0],
        ['house:spent', 0],
      ],
      [
        ['settling:eve', 5],
        ['house:earned', -4],
      ],
      ...[0.5, NaN, Infinity, 2 ** 53].map((delta): [AccountName, number][] => [
        [adam, delta],
        ['house:spent', -delta],
      ]),
    ];
    for (const lines of wrong) {
      expect(String(await post(database, transfer(fresh('wrong'), lines)))).toMatch(/^Error: The transfer wrong\d+ /);
    }
    const nobody = 'pocket:adam' as AccountName;
    const lost = transfer(fresh('lost'), [
      [nobody, 5],
      ['house:spent', -5],
    ]);
    expect(String(await post(database, lost))).toBe('Error: Unknown account pocket:adam.');
    expect(await new Ledger(database).balance(adam)).toBe(10);
  });

  it('gives a single coin to an empty account', async (context) => {
    databases.skipIfMissing(context);
    const database = await open();
    const adam: UserAccount = `coins:${fresh('adam')}`;
    expect(await post(database, mint(adam, 1))).toBe(true);
    expect(await new Ledger(database).balance(adam)).toBe(1);
  });

  it('locks the balances by name, then the purses by name, in any order of the lines', async (context) => {
    databases.skipIfMissing(context);
    const database = await open();
    const [a, b, c] = ['a', 'b', 'c'].map(fresh) as [string, string, string];
    for (const one of [a, b, c]) await post(database, mint(`coins:${one}`, 10));
    const lines: [AccountName, number][] = [
      [`held:${c}`, 1],
      ['house:spent', 3],
      [`coins:${b}`, -5],
      [`held:${a}`, 2],
      [`coins:${c}`, -1],
    ];
    for (const order of [lines, lines.toReversed()]) {
      const locked: string[] = [];
      const one = transfer(fresh('t'), order);
      const posted = await database.transact((transaction) =>
        new Ledger(database).post(recordingLocks(transaction, locked), one),
      );
      expect(posted).toBe(true);
      expect([...new Set(locked)]).toEqual([
        ...[`coins:${b}`, `coins:${c}`, `held:${a}`, `held:${c}`].map((account) => `balance ${account}`),
        ...[`coins:${a}`, `coins:${b}`, `coins:${c}`].map((purse) => `purse ${purse}`),
      ]);
    }
    expect(await audit(database)).toEqual([]);
  });

  it('S24 is append-only: the database refuses to change or delete a written row', async (context) => {
    databases.skipIfMissing(context);
    const database = await open();
    const { db } = database;
    await post(database, mint(`coins:${fresh('adam')}`, 10));
    const changes = [
      db.updateTable('ringback_entries').set({ delta: 1 }),
      db.deleteFrom('ringback_entries'),
      db.updateTable('ringback_transfers').set({ at: 1 }),
      db.deleteFrom('ringback_transfers'),
    ];
    for (const change of changes) await expect(change.execute()).rejects.toThrow(/append-only/);
    if (kind === 'PostgreSQL') {
      await expect(sql`truncate ringback_entries`.execute(db)).rejects.toThrow(/append-only/);
    }
    await expect(db.updateTable('ringback_balances').set({ balance: -1 }).execute()).rejects.toThrow(
      /ringback_balances_whole|CHECK/i,
    );
    expect(await audit(database)).toEqual([]);
  });

  it('I20 is equal to a model of the ledger, for any transfers in any order', async (context) => {
    databases.skipIfMissing(context);
    const database = await open();
    const ledger = new Ledger(database);
    const step = fc.record({
      from: fc.nat(2),
      to: fc.nat(2),
      coins: fc.integer({ min: 1, max: 60 }),
      kind: fc.constantFrom('mint' as const, 'gift' as const, 'hold' as const, 'settle' as const, 'again' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const people = [fresh('p'), fresh('p'), fresh('p')];
        const model = new Map<string, number>();
        const posted: Transfer[] = [];
        for (const { from, to, coins, kind: what } of steps) {
          const [payer, earner] = [people[from] ?? '', people[to] ?? ''];
          const lines: Record<typeof what, [AccountName, number][]> = {
            mint: [
              ['house:sold', -coins],
              [`coins:${payer}`, coins],
            ],
            gift: [
              [`coins:${payer}`, -coins],
              ['house:spent', coins],
              [`settling:${earner}`, coins * 50],
              ['house:earned', coins * -50],
            ],
            hold: [
              [`coins:${payer}`, -coins],
              [`held:${payer}`, coins],
            ],
            settle: [
              [`settling:${payer}`, -coins],
              [`points:${payer}`, coins],
            ],
            again: [],
          };
          const last = posted.at(-1);
          if (what === 'again') {
            if (last) expect(await post(database, last)).toBe(false);
            continue;
          }
          const one = transfer(fresh('t'), lines[what]);
          const isCovered = one.lines.every(
            ({ account, delta }) => account.startsWith('house:') || (model.get(account) ?? 0) + delta >= 0,
          );
          const outcome = await post(database, one);
          if (!isCovered) expect(outcome).toMatch(/^insufficient_/);
          else expect(outcome).toBe(true);
          if (!isCovered) continue;
          posted.push(one);
          for (const { account, delta } of one.lines) model.set(account, (model.get(account) ?? 0) + delta);
        }
        for (const [account, balance] of model) {
          if (account.startsWith('house:')) continue;
          expect(await ledger.balance(account as AccountName)).toBe(balance);
        }
        for (const one of people) {
          const sum = (...parts: string[]) => parts.reduce((all, part) => all + (model.get(`${part}:${one}`) ?? 0), 0);
          expect(await purseTotal(database, 'coins', one)).toBe(sum('coins', 'held'));
          expect(await purseTotal(database, 'points', one)).toBe(sum('settling', 'points'));
        }
      }),
      { numRuns: 25 },
    );
    expect(await audit(database)).toEqual([]);
  });

  it('I20 64 clients at once neither spend a coin twice nor deadlock', async (context) => {
    databases.skipIfMissing(context);
    const database = await open();
    const people = Array.from({ length: 4 }, () => fresh('q'));
    for (const one of people) await post(database, mint(`coins:${one}`, 100));
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, async (_, client) => {
        const all = [];
        for (let at = 0; at < 3; at += 1) {
          // Each user pays each other user, in both directions at once.
          const [payer, earner] = [people[client % 4] ?? '', people[(client + at + 1) % 4] ?? ''];
          const one = transfer(fresh('t'), [
            [`coins:${payer}`, -9],
            [`coins:${earner}`, 4],
            ['house:spent', 5],
            [`settling:${earner}`, 450],
            ['house:earned', -450],
          ]);
          all.push(await post(database, one));
        }
        return all;
      }),
    );
    const results = outcomes.flat();
    expect(new Set(results)).toEqual(new Set([true, 'insufficient_coins']));
    const spent = results.filter((result) => result === true).length;
    const left = await Promise.all(people.map((one) => purseTotal(database, 'coins', one)));
    expect(left.reduce((all, coins) => all + coins, 0)).toBe(400 - spent * 5);
    expect(Math.max(...left)).toBeLessThan(9 + 4);
    expect(await audit(database)).toEqual([]);
  });

  describe('receipts', () => {
    const clock = { time: 1_000_000, wallTime: () => clock.time };
    const request = (more: Partial<Parameters<IdempotentRequests['once']>[0]> = {}) => ({
      uId: 'adam',
      name: 'login' as const,
      key: 'key-00000001',
      content: { coins: 1 },
      ...more,
    });
    const give = (database: Database, account: UserAccount) => ({
      async run(transaction: Transaction<Tables>) {
        await new Ledger(database).post(transaction, { ...mint(account, 5), key: fresh('given') });
        return { answer: { text: '給你 5', coins: 5 }, changed: 'five' };
      },
      afterCommit: vi.fn<(changed: string) => Promise<void>>(async () => undefined),
    });
    const nothing = { run: () => Promise.resolve({ answer: {}, changed: null }) };

    it('S25 B71 give a repeated request the same answer, and it runs once', async (context) => {
      databases.skipIfMissing(context);
      const database = await open();
      const receipts = new IdempotentRequests(database, clock);
      const adam: UserAccount = `coins:${fresh('adam')}`;
      const one = request({ uId: adam });
      const work = give(database, adam);
      const all = await Promise.all(Array.from({ length: 6 }, () => receipts.once(one, work)));
      expect(all).toEqual(Array.from({ length: 6 }, () => ({ text: '給你 5', coins: 5 })));
      expect(work.afterCommit.mock.calls).toEqual([['five']]);
      expect(await new Ledger(database).balance(adam)).toBe(5);
    });

    it('S25 B71 refuse the same key for another request, and separate keys by user and by kind of request', async (context) => {
      databases.skipIfMissing(context);
      const database = await open();
      const receipts = new IdempotentRequests(database, clock);
      const adam: UserAccount = `coins:${fresh('adam')}`;
      const work = give(database, adam);
      await receipts.once(request({ uId: adam }), work);
      await expect(receipts.once(request({ uId: adam, content: { coins: 2 } }), work)).rejects.toMatchObject({
        body: { code: 'key_reused', field: 'idempotency-key' },
      });
      expect(await new Ledger(database).balance(adam)).toBe(5);
      const others = [request({ uId: `${adam} II` }), request({ uId: adam, name: 'logout' })];
      for (const other of others) await receipts.once(other, work);
      expect(work.afterCommit).toHaveBeenCalledTimes(3);
    });

    it('are not stored for a refusal, and are kept for at least 24 hours', async (context) => {
      databases.skipIfMissing(context);
      const database = await open();
      const receipts = new IdempotentRequests(database, clock);
      const adam: UserAccount = `coins:${fresh('adam')}`;
      const one = request({ uId: adam });
      const work = give(database, adam);
      const refuse = async (transaction: Transaction<Tables>) => {
        await work.run(transaction);
        throw new Refusal('not_found', 'There is no such gift.');
      };
      expect(await receipts.once(one, { ...work, run: refuse }).catch(codeOf)).toBe('not_found');
      expect(await new Ledger(database).balance(adam)).toBe(0);
      expect(work.afterCommit).not.toHaveBeenCalled();
      await receipts.once(one, work);
      clock.time += 24 * 3_600_000;
      await receipts.once(one, work);
      expect(work.afterCommit).toHaveBeenCalledTimes(1);
    });

    it('are deleted after 48 hours, by a search once an hour', async (context) => {
      databases.skipIfMissing(context);
      const database = await open();
      const receipts = new IdempotentRequests(database, clock);
      const uId = fresh('adam');
      const start = clock.time;
      /** Sends a request with a new key at this time, and returns whether the first one is still stored. */
      const isKeptAt = async (hours: number, ms = 0) => {
        clock.time = start + hours * HOUR_MS + ms;
        await receipts.once(request({ uId, key: fresh('key') }), nothing);
        return receipts.isAnswered(request({ uId, key: 'the-first-one' }));
      };
      await receipts.once(request({ uId, key: 'the-first-one' }), nothing);
      expect([await isKeptAt(47), await isKeptAt(48), await isKeptAt(48, 1)]).toEqual([true, true, true]);
      // The search at 48 h did not find it old enough.
      expect([await isKeptAt(49, -1), await isKeptAt(49)]).toEqual([true, false]);
    });

    it('S25 are found by user, kind of request and key', async (context) => {
      databases.skipIfMissing(context);
      const database = await open();
      const receipts = new IdempotentRequests(database, clock);
      const one = request({ uId: fresh('adam') });
      expect(await receipts.isAnswered(one)).toBe(false);
      await receipts.once(one, nothing);
      const others = [
        { ...one, uId: 'eve' },
        { ...one, name: 'logout' as const },
        { ...one, key: 'key-00000002' },
      ];
      const answered = await Promise.all([one, ...others].map((asked) => receipts.isAnswered(asked)));
      expect(answered).toEqual([true, false, false, false]);
    });

    it('S25 are searched after a lock by user, kind and key', async (context) => {
      databases.skipIfMissing(context);
      const database = await open();
      const locks: string[] = [];
      const lock = async (_: Transaction<Tables>, name: string) => void locks.push(name);
      const receipts = new IdempotentRequests({ ...database, lock }, clock);
      const one = request({ uId: fresh('adam') });
      const all = [one, { ...one, uId: 'eve' }, { ...one, name: 'logout' as const }, { ...one, key: 'key-00000002' }];
      for (const asked of [...all, one]) {
        const run = (): ReturnType<typeof nothing.run> => {
          expect(locks.length).toBeGreaterThan(0);
          return nothing.run();
        };
        await receipts.once(asked, { run });
      }
      expect([new Set(locks).size, locks.at(-1)]).toEqual([4, locks[0]]);
    });
  });
});

describe.each(LASTING)('transactions of %s', (kind) => {
  const databases = databasesOf(kind);
  afterAll(() => databases.close());

  it('that wait at once are each committed or rolled back separately', async (context) => {
    databases.skipIfMissing(context);
    const place = await databases.place();
    const database = await databases.open(place);
    const ledger = new Ledger(database);
    const work = Array.from({ length: 30 }, (_, at) =>
      database.transact(async (transaction) => {
        await ledger.post(transaction, mint(`coins:w${at}`, at + 1));
        if (at % 3 === 0) throw new Error('changed my mind');
        return at;
      }),
    );
    const results = await Promise.allSettled(work);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(10);
    const other = await databases.open(place);
    const seen = await Promise.all(results.map((_, at) => new Ledger(other).balance(`coins:w${at}`)));
    expect(seen).toEqual(results.map((_, at) => (at % 3 === 0 ? 0 : at + 1)));
    expect(await audit(other)).toEqual([]);
  });
});
