import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CompiledQuery, sql, type Migration } from 'kysely';
import { afterAll, describe, expect, it, vi, type TestContext } from 'vitest';
import type { LiveCall } from '../../../sim/exchange/calls/live-call.ts';
import type { KeptCall, Store } from '../../../sim/exchange/store.ts';
import { MemoryStore } from '../../../sim/store/memory-store.ts';
import { LiveCallFile } from '../../../sim/store/live-call-file.ts';
import { migrate, MIGRATIONS } from '../../../sim/store/migrate.ts';
import { openDatabase, openMigrated } from '../../../sim/store/open-store.ts';
import { WriteAheadLog } from '../../../sim/store/write-ahead-log.ts';
import { statement, statementOfOne, statementOfRows } from '../../../sim/store/statement.ts';
import { SqlStore } from '../../../sim/store/sql-store.ts';
import { copyLog } from '../../../sim/store/sqlite-file.ts';
import { StoreError } from '../../../sim/store/store-error.ts';
import { makeSchema, NO_POSTGRES, type PostgresSchema } from './postgres-schema.ts';
import { aRoom, roomContract } from './rooms.contract.ts';
import { aLiveCall, aRecord, OF_SEVERAL_EXCHANGES, storeContract } from './store.contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'ringback-store-'));
const opened: SqlStore[] = [];
const schemas: PostgresSchema[] = [];

const log = { warn: () => undefined };
const openStore = async (database: string): Promise<SqlStore> => new SqlStore(await openMigrated(database, log));

async function open(database: string): Promise<SqlStore> {
  const store = await openStore(database);
  opened.push(store);
  return store;
}

async function newSchema(): Promise<PostgresSchema> {
  const schema = await makeSchema();
  schemas.push(schema);
  return schema;
}

afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()));
  await Promise.all(schemas.map((schema) => schema.drop()));
  rmSync(folder, { recursive: true });
});

let files = 0;
/** Databases that persist after their connections close. */
const DATABASES: Record<string, { missing?: string | undefined; make: () => Promise<string> }> = {
  'SQLite in a file': { make: async () => join(folder, `${(files += 1)}.db`) },
  PostgreSQL: { missing: NO_POSTGRES, make: async () => (await newSchema()).url },
};
const STORES: Record<string, { missing?: string | undefined; make: () => Promise<Store> }> = {
  memory: { make: async () => new MemoryStore() },
  'SQLite in memory': { make: () => open(':memory:') },
  ...Object.fromEntries(
    Object.entries(DATABASES).map(([name, { missing, make }]) => [
      name,
      { missing, make: async () => open(await make()) },
    ]),
  ),
  'SQLite with a file of live calls': {
    async make() {
      const path = join(folder, `${(files += 1)}.db`);
      const store = new SqlStore(await openMigrated(path, log), new LiveCallFile(path));
      opened.push(store);
      return store;
    },
  },
};

const skipWithout = (context: TestContext, missing: string | undefined) => {
  if (missing !== undefined) context.skip(missing);
};

describe.each(Object.entries(STORES))('%s', (_, { missing, make }) => {
  let store: Promise<Store> | undefined;
  for (const { title, run } of [...storeContract, ...roomContract]) {
    it(title, async (context) => {
      skipWithout(context, missing);
      store ??= make();
      if (title === OF_SEVERAL_EXCHANGES && (await store).liveCallPlace === 'file')
        context.skip('one exchange has the file, so it owns every call');
      await run(await store);
    });
  }
});

describe('a SQLite file whose live calls are in a file beside it', () => {
  const seen = { at: 1_767_225_600_000, clock: 5 };

  it('D12: takes over the live calls that an older version wrote to the database, once', async () => {
    const path = join(folder, `${(files += 1)}.db`);
    const older = await open(path);
    const { owner } = await older.takeLiveCalls('exchange', seen, 0);
    const call = aLiveCall('alice', 'bob');
    const signal = { callId: call.callId, side: 'callee', clientId: 'bob-1', sequence: 1, frame: '{}' } as const;
    await older.saveLiveCalls(owner, seen, [call], [signal]);
    const kept = { callId: call.callId, body: call, signals: [signal], seen };
    for (const epoch of [2, 3]) {
      const store = new SqlStore(await openMigrated(path, log), new LiveCallFile(path));
      expect(await store.takeLiveCalls('exchange', seen, 0)).toEqual({
        ...{ owner: { name: 'exchange', epoch }, calls: [kept], refused: [], unreadable: [], skipped: 0 },
      });
      await store.close();
    }
    expect((await older.takeLiveCalls('exchange', seen, 0)).calls).toEqual([]);
  });

  it('takes a call of an older version once after a start that was broken off, and under any name at once', async () => {
    const path = join(folder, `${(files += 1)}.db`);
    const older = await open(path);
    const { owner } = await older.takeLiveCalls('before', seen, 0);
    const [copied, left] = [aLiveCall('alice', 'bob'), aLiveCall('alice', 'bob')];
    await older.saveLiveCalls(owner, seen, [copied, left], []);
    const keptOf = (call: LiveCall) => ({ callId: call.callId, body: call, signals: [], seen });
    // The start has copied one call, and was killed before it has removed it from the database.
    new LiveCallFile(path).begin({ calls: [keptOf(copied)], records: [] });
    const store = new SqlStore(await openMigrated(path, log), new LiveCallFile(path));
    opened.push(store);
    const { calls } = await store.takeLiveCalls('after', seen, 0);
    const byId = (a: KeptCall, b: KeptCall) => a.callId.localeCompare(b.callId);
    expect(calls.toSorted(byId)).toEqual([keptOf(copied), keptOf(left)].toSorted(byId));
  });

  /** Makes the database refuse the record of a call. */
  async function refuse(path: string, callId: string): Promise<void> {
    const { db } = await openMigrated(path, log);
    await sql`
      create trigger refusal before insert on ringback_calls when new.call_id = ${sql.lit(callId)}
      begin select raise(abort, 'refused'); end
    `.execute(db);
    await db.destroy();
  }

  it('F54: does not start while the database fails for another reason than a record, and the file keeps the record', async () => {
    const path = join(folder, `${(files += 1)}.db`);
    const first = new SqlStore(await openMigrated(path, log), new LiveCallFile(path));
    const record = aRecord('alice', 'bob');
    first.endLiveCall(record);
    await first.close();
    const { db } = await openMigrated(path, log);
    await sql`alter table ringback_parts rename to gone`.execute(db);
    const second = new SqlStore(await openMigrated(path, log), new LiveCallFile(path));
    await expect(second.takeLiveCalls('exchange', seen, 0)).rejects.toThrow('no such table');
    expect(new LiveCallFile(path).read().records).toEqual([record]);
    await sql`alter table gone rename to ringback_parts`.execute(db);
    await second.takeLiveCalls('exchange', seen, 0);
    expect(await second.call(record.callId)).toEqual(record);
    await Promise.all([second.close(), db.destroy()]);
  });

  it('a record that the database refuses stays in the file, and keeps neither the server nor other records back', async () => {
    const path = join(folder, `${(files += 1)}.db`);
    const [good, bad] = [aRecord('alice', 'bob'), aRecord('alice', 'bob')];
    const first = new SqlStore(await openMigrated(path, log), new LiveCallFile(path));
    // An older version also left the call in the database.
    const older = await open(path);
    const { owner } = await older.takeLiveCalls('exchange', seen, 0);
    await older.saveLiveCalls(owner, seen, [aLiveCall('alice', 'bob', { callId: bad.callId })], []);
    for (const record of [bad, good]) first.endLiveCall(record);
    await first.close();
    await refuse(path, bad.callId);
    const second = new SqlStore(await openMigrated(path, log), new LiveCallFile(path));
    opened.push(second);
    expect(await second.takeLiveCalls('exchange', seen, 0)).toMatchObject({
      calls: [],
      refused: [{ callId: bad.callId, error: { code: 'SQLITE_CONSTRAINT_TRIGGER' } }],
    });
    expect([(await second.call(good.callId))?.callId, await second.call(bad.callId)]).toEqual([good.callId, undefined]);
    expect(new LiveCallFile(path).read().records).toEqual([bad]);
  });

  it('keeps a record whose values the database refuses until the next start, and saves the others', async () => {
    const path = join(folder, `${(files += 1)}.db`);
    const store = new SqlStore(await openMigrated(path, log), new LiveCallFile(path));
    opened.push(store);
    const { owner } = await store.takeLiveCalls('exchange', seen, 0);
    const records = Array.from({ length: 5 }, () => aRecord('alice', 'bob'));
    const [, , , bad] = records;
    if (!bad) throw new Error('there are five');
    await refuse(path, bad.callId);
    for (const record of records) store.endLiveCall(record);
    expect(await store.saveCalls(records)).toMatchObject([
      { callId: bad.callId, error: { code: 'SQLITE_CONSTRAINT_TRIGGER' } },
    ]);
    const found = await Promise.all(records.map(({ callId }) => store.call(callId)));
    expect(found).toEqual(records.map((record) => (record === bad ? undefined : record)));
    await store.saveLiveCalls(owner, seen, [], []);
    expect(new LiveCallFile(path).read().records).toEqual([bad]);
  });

  it('ENT-15: saves the record of a call that ended before the process did', async () => {
    const path = join(folder, `${(files += 1)}.db`);
    const first = new SqlStore(await openMigrated(path, log), new LiveCallFile(path));
    const { owner } = await first.takeLiveCalls('exchange', seen, 0);
    const call = aLiveCall('alice', 'bob');
    await first.saveLiveCalls(owner, seen, [call], []);
    const record = aRecord('alice', 'bob', { callId: call.callId });
    first.endLiveCall(record);
    await first.close();
    const second = new SqlStore(await openMigrated(path, log), new LiveCallFile(path));
    opened.push(second);
    expect((await second.takeLiveCalls('exchange', seen, 0)).calls).toEqual([]);
    expect(await second.call(call.callId)).toEqual(record);
    expect(new LiveCallFile(path).read()).toEqual({ calls: [], records: [], unreadable: [], skipped: 0 });
  });

  it('ENT-15: names the calls whose records cannot be read, unless the database has them', async () => {
    const path = join(folder, `${(files += 1)}.db`);
    const store = new SqlStore(await openMigrated(path, log), new LiveCallFile(path));
    opened.push(store);
    const [saved, lost] = [aRecord('alice', 'bob'), aRecord('alice', 'bob')];
    await store.saveCalls([saved]);
    const over = [saved, lost].map(({ callId }) => ({ callId }));
    writeFileSync(`${path}-live-1`, `${JSON.stringify({ over })}\n`);
    expect(await store.takeLiveCalls('exchange', seen, 0)).toMatchObject({ unreadable: [lost.callId], skipped: 2 });
  });

  it('ENT-15: leaves no file when the exchange stops without a call', async () => {
    const path = join(folder, `${(files += 1)}.db`);
    const store = new SqlStore(await openMigrated(path, log), new LiveCallFile(path));
    const { owner } = await store.takeLiveCalls('exchange', seen, 0);
    await store.saveLiveCalls(owner, seen, [], []);
    await store.leaveLiveCalls(owner);
    await store.close();
    expect(existsSync(`${path}-live-1`)).toBe(false);
  });

  it('ENT-15: a call whose record was saved by a process that then ended is not live', async () => {
    const path = join(folder, `${(files += 1)}.db`);
    const store = new SqlStore(await openMigrated(path, log), new LiveCallFile(path));
    opened.push(store);
    const { owner } = await store.takeLiveCalls('exchange', seen, 0);
    const [over, call] = [aLiveCall('alice', 'bob'), aLiveCall('alice', 'bob')];
    await store.saveLiveCalls(owner, seen, [over, call], []);
    // The process ends before it has removed the live call.
    await (await open(path)).saveCalls([aRecord('alice', 'bob', { callId: over.callId })]);
    expect((await store.takeLiveCalls('exchange', seen, 0)).calls).toMatchObject([{ callId: call.callId }]);
    expect(new LiveCallFile(path).read().calls).toMatchObject([{ callId: call.callId }]);
    expect(await store.abandonedCalls(Infinity)).toEqual([]);
  });
});

describe.each(Object.entries(STORES).filter(([name]) => !name.startsWith('SQLite')))('%s', (_, { missing, make }) => {
  it('counts the participants of each exchange apart', async (context) => {
    skipWithout(context, missing);
    const { rooms } = await make();
    const [one, two] = ['one', 'two'].map((exchange) => aRoom('alice', { exchange, participants: 3 }));
    if (!one || !two) throw new Error('there are two');
    for (const room of [one, two]) await rooms.save(room);
    await rooms.emptyAll('one');
    expect([await rooms.find(one.roomId), await rooms.find(two.roomId)]).toEqual([{ ...one, participants: 0 }, two]);
  });
});

describe.each(Object.entries(DATABASES))('%s', (_, { missing, make }) => {
  it('keeps all data for the next connection, and for parallel ones', async (context) => {
    skipWithout(context, missing);
    const database = await make();
    const first = await openStore(database);
    const record = aRecord('alice', 'bob');
    await first.saveCalls([record]);
    const other = await open(database);
    expect(await other.call(record.callId)).toEqual(record);
    await first.close();
    const later = aRecord('alice', 'bob', { createdAt: record.createdAt + 1 });
    await other.saveCalls([later]);
    const again = await open(database);
    expect((await again.call(later.callId))?.callId).toBe(later.callId);
  });

  it('saves the records beside one whose values it refuses, whose call does not go on', async (context) => {
    skipWithout(context, missing);
    const store = await open(await make());
    const seen = { at: 1_767_225_600_000, clock: 5 };
    const { owner } = await store.takeLiveCalls('exchange', seen, 0);
    const calls = [aLiveCall('alice', 'bob'), aLiveCall('alice', 'bob')];
    await store.saveLiveCalls(owner, seen, calls, []);
    const [good, bad] = calls.map(({ callId }) => aRecord('alice', 'bob', { callId }));
    if (!good || !bad) throw new Error('there are two');
    const refused = await store.saveCalls([{ ...bad, duration: Number.NaN }, good]);
    expect(refused).toMatchObject([{ callId: bad.callId, error: { message: expect.any(String) } }]);
    expect([await store.call(good.callId), await store.call(bad.callId)]).toEqual([good, undefined]);
    expect((await store.takeLiveCalls('exchange', seen, 0)).calls).toEqual([]);
  });

  it('compiles a statement of many rows once for each number of rows, and runs it with the values of each use', async (context) => {
    skipWithout(context, missing);
    const { db, transact } = await openMigrated(await make(), log);
    const built: number[] = [];
    const add = statementOfRows((of, rows: readonly { readonly user_id: string }[]) => {
      built.push(rows.length);
      return of
        .insertInto('ringback_callers')
        .values(rows.map(({ user_id }) => ({ user_id })))
        .returning('user_id');
    });
    const rowsOf = (name: string, count: number) =>
      Array.from({ length: count }, (_row, at) => ({ user_id: name + at }));
    for (const rows of [rowsOf('a', 1), rowsOf('b', 3), rowsOf('c', 3)]) {
      expect(await add(db, rows)).toEqual(rows);
    }
    expect(await transact((transaction) => add(transaction, rowsOf('d', 100)))).toEqual(rowsOf('d', 100));
    expect(built).toEqual([1, 3, 100]);
    await db.destroy();
  });

  it('gives the row of a statement of one row, or none, as any statement does', async (context) => {
    skipWithout(context, missing);
    const { db, transact } = await openMigrated(await make(), log);
    type Token = { readonly user: string; readonly token: string };
    const add = statementOfOne((of, { user, token }: Token) =>
      of
        .insertInto('ringback_push_tokens')
        .values({ user_id: user, token_type: 'APNS', token_hash: token, token })
        .onConflict((conflict) => conflict.doNothing())
        .returning(['token', 'user_id as user']),
    );
    const find = statementOfOne((of, { user }: Pick<Token, 'user'>) =>
      of
        .selectFrom('ringback_push_tokens')
        .where('user_id', '=', user)
        .select(({ lit }) => ['token', lit(null).as('nothing'), 'user_id as user']),
    );
    const remove = statementOfOne((of, { user }: Pick<Token, 'user'>) =>
      of.deleteFrom('ringback_push_tokens').where('user_id', '=', user),
    );
    const token = { user: 'alice', token: 'one' };
    expect(await find(db, token)).toBeUndefined();
    expect(await add(db, token)).toEqual({ token: 'one', user: 'alice' });
    expect(await transact((transaction) => add(transaction, token))).toBeUndefined();
    expect(await transact((transaction) => find(transaction, token))).toEqual({
      token: 'one',
      nothing: null,
      user: 'alice',
    });
    // The statement is over: the next one may change the table.
    expect(await remove(db, token)).toBeUndefined();
    expect(await find(db, token)).toBeUndefined();
    await db.destroy();
  });

  it('refuses the database of a newer version in one line, and leaves it unchanged', async (context) => {
    skipWithout(context, missing);
    const database = await make();
    const newer = await openDatabase(database, log);
    await migrate(newer, { ...MIGRATIONS, '9999-later': { up: async () => undefined } });
    const refusal: unknown = await openStore(database).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StoreError);
    expect(String(refusal)).toMatch(
      /^StoreError: The database \S+ was made by a newer version .* migration 9999-later\. .*$/,
    );
    const { rows } = await sql`select name from ringback_migrations`.execute(newer.db);
    expect(rows).toHaveLength(Object.keys(MIGRATIONS).length + 1);
    await newer.db.destroy();
  });

  it('migrates names and sign-ins of an older version: names are found in the current form, and every user signs in again', async (context) => {
    skipWithout(context, missing);
    const older = await openDatabase(await make(), log);
    const { db } = older;
    const STEPS = ['0011-calling-tokens', '0012-name-keys'];
    await migrate(older, Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => !STEPS.includes(name))));
    for (const [id, name] of Object.entries({ eva: 'E\u0301VA', kai: 'Ｋai' })) {
      await sql`
        insert into ringback_profiles (u_id, nickname, birthday, city, price, accepts_video, verified)
        values (${id}, ${name}, '2000-01-01', '', 0, 1, 0)
      `.execute(db);
    }
    await sql`insert into ringback_sign_ins (token_hash, u_id, expires_at) values ('hash', 'eva', 9e15)`.execute(db);
    await migrate(older);
    const names = await db.selectFrom('ringback_profiles').select(['nickname', 'name_key']).orderBy('u_id').execute();
    expect(names.map(Object.values)).toEqual([
      ['E\u0301VA', 'éva'],
      ['Ｋai', 'kai'],
    ]);
    expect(await db.selectFrom('ringback_sign_ins').selectAll().execute()).toEqual([]);
    await db.destroy();
  });

  it('keeps sessions through the migration that lists them, and gives each an id', async (context) => {
    skipWithout(context, missing);
    const older = await openDatabase(await make(), log);
    const { db } = older;
    await migrate(older, Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name !== '0014-sessions')));
    const WEEK_MS = 7 * 24 * 3_600_000;
    for (const token_hash of ['one', 'two']) {
      await sql`
        insert into ringback_sign_ins (token_hash, u_id, expires_at) values (${token_hash}, 'eva', ${WEEK_MS + 1})
      `.execute(db);
    }
    await migrate(older);
    const rows = await db.selectFrom('ringback_sign_ins').selectAll().orderBy('token_hash').execute();
    expect(rows).toMatchObject(
      ['one', 'two'].map((token_hash) => ({ token_hash, began_at: 1, used_at: 1, browser: null, system: null })),
    );
    const ids = rows.map(({ session_id }) => session_id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[\da-f-]{36}$/);
    await db.destroy();
  });

  it('deletes devices whose session is unknown, and keeps the others', async (context) => {
    skipWithout(context, missing);
    const older = await openDatabase(await make(), log);
    const { db } = older;
    const STEP = '0015-devices-of-no-session';
    await migrate(older, Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name !== STEP)));
    for (const [token_hash, session_hash] of Object.entries({ old: '', new: 'session' })) {
      await sql`
        insert into ringback_devices (token_hash, u_id, token, saved_at, session_hash)
        values (${token_hash}, 'eva', 'token', 1, ${session_hash})
      `.execute(db);
    }
    await migrate(older);
    expect(await db.selectFrom('ringback_devices').select('token_hash').execute()).toEqual([{ token_hash: 'new' }]);
    await db.destroy();
  });

  it('counts the gifts given before the counter existed, for women with an account', async (context) => {
    skipWithout(context, missing);
    const older = await openDatabase(await make(), log);
    const { db } = older;
    const STEP = '0017-gift-counts';
    await migrate(older, Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name !== STEP)));
    await sql`insert into ringback_accounts (u_id, gender_type, is_demo, joined_at) values ('eva', 'woman', 0, 1)`.execute(
      db,
    );
    const given = [
      ['gift', { gift: 'rose', count: 3, man: 'kai', woman: 'eva' }],
      ['gift', { gift: 'rose', count: 2, man: 'leo', woman: 'eva' }],
      ['gift', { gift: 'cake', count: 1, man: 'leo', woman: 'eva' }],
      ['gift', { gift: 'cake', count: 1, man: 'leo', woman: 'gone' }],
      ['voice', { call: 'c', minute: 1, man: 'leo', woman: 'eva' }],
    ] as const;
    for (const [at, [kind, ref]] of given.entries()) {
      const row = { key: `given-${at}`, kind, at, ref: JSON.stringify(ref) };
      await db.insertInto('ringback_transfers').values(row).execute();
    }
    await migrate(older);
    expect(await db.selectFrom('ringback_gift_counts').selectAll().orderBy('gift_id').execute()).toEqual([
      { u_id: 'eva', gift_id: 'cake', count: 1 },
      { u_id: 'eva', gift_id: 'rose', count: 5 },
    ]);
    await db.destroy();
  });

  it('keeps the client ids of messages unique when notes of calls leave their index', async (context) => {
    skipWithout(context, missing);
    const older = await openDatabase(await make(), log);
    const { db } = older;
    const STEP = '0030-messages-with-ids';
    await migrate(older, Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name !== STEP)));
    const add = (seq: number, client_id: string | null) =>
      db
        .insertInto('ringback_messages')
        .values({ channel_url: 'c', seq, sender: 'eva', client_id, type: 'text', data: '{}', at: seq })
        .execute();
    for (const [at, id] of [null, null, 'one'].entries()) await add(at, id);
    await migrate(older);
    await add(4, null);
    await add(5, 'two');
    await expect(add(6, 'one')).rejects.toThrow(/unique/i);
    await db.destroy();
  });

  it('keeps the coins that an older version held for calls that go on', async (context) => {
    skipWithout(context, missing);
    const older = await openDatabase(await make(), log);
    const { db } = older;
    await migrate(older, Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name !== '0029-holds')));
    const posted = {
      reserved: ['hold'],
      charged: ['hold', 'release'],
      page: ['hold'],
      over: ['hold', 'release'],
      free: [],
    };
    for (const [call, steps] of Object.entries(posted)) {
      for (const step of steps) {
        const row = { key: `call:${call}:${step}`, kind: 'hold', at: 1, ref: '{}' };
        await db.insertInto('ringback_transfers').values(row).execute();
      }
    }
    for (const call of ['reserved', 'charged']) {
      await sql`
        insert into ringback_reservations (man, call_id, woman, kind, rate, at)
        values (${`man-${call}`}, ${call}, 'eva', 'video', 20, 1)`.execute(db);
    }
    for (const [call, isOpen] of Object.entries({ reserved: 1, page: 1, over: 0, free: 1 })) {
      await sql`
        insert into ringback_charge_sessions
          (session_id, man, woman, kind, rate, count, coins, points, started_at, is_open, touched_at)
        values (${call}, ${`man-${call}`}, 'eva', 'video', 20, 0, 0, 0, 2, ${isOpen}, 2)`.execute(db);
    }
    // The man of this call has a reservation for another one.
    await sql`insert into ringback_charge_sessions
      (session_id, man, woman, kind, rate, count, coins, points, started_at, is_open, touched_at)
      values ('beside', 'man-reserved', 'eva', 'video', 30, 0, 0, 0, 2, 1, 2)`.execute(db);
    await db
      .insertInto('ringback_transfers')
      .values({ key: 'call:beside:hold', kind: 'hold', at: 1, ref: '{}' })
      .execute();
    await sql`insert into ringback_balances (account, balance)
      values ('coins:man-reserved', 5), ('held:man-reserved', 50)`.execute(db);
    await migrate(older);
    expect(await db.selectFrom('ringback_balances').selectAll().orderBy('account').execute()).toEqual([
      { account: 'coins:man-reserved', balance: 35 },
      { account: 'held:man-reserved', balance: 20 },
    ]);
    const rows = await db
      .selectFrom('ringback_reservations')
      .select(['call_id', 'man', 'at', 'is_held'])
      .orderBy('call_id')
      .execute();
    expect(rows).toEqual([
      { call_id: 'charged', man: 'man-charged', at: 1, is_held: 0 },
      { call_id: 'page', man: 'man-page', at: 2, is_held: 1 },
      { call_id: 'reserved', man: 'man-reserved', at: 1, is_held: 1 },
    ]);
    await db.destroy();
  });

  it('ERR-1400106: a user with a call, a push token or an account counts as authenticated before', async (context) => {
    skipWithout(context, missing);
    const older = await openDatabase(await make(), log);
    const { db } = older;
    await migrate(older, Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '0024')));
    for (const [u_id, is_demo] of Object.entries({ eva: 0, demo: 1, called: 1 })) {
      await sql`insert into ringback_accounts (u_id, gender_type, is_demo, joined_at) values (${u_id}, 'woman', ${is_demo}, 1)`.execute(
        db,
      );
    }
    await sql`insert into ringback_parts (call_id, user_id, role, created_at) values ('c', 'called', 'dc_callee', 1)`.execute(
      db,
    );
    await sql`insert into ringback_push_tokens (user_id, token_type, token_hash, token) values ('pushed', 'fcm_voip', 'h', 't')`.execute(
      db,
    );
    await migrate(older);
    expect(
      (await db.selectFrom('ringback_callers').selectAll().execute()).map(({ user_id }) => user_id).sort(),
    ).toEqual(['called', 'eva', 'pushed']);
    await db.destroy();
  });

  it('applies a migration completely or not at all', async (context) => {
    skipWithout(context, missing);
    const database = await make();
    const broken = await openDatabase(database, log);
    const step: Migration = {
      async up(db) {
        await sql`create table ringback_half (id integer)`.execute(db);
        throw new Error('the step is broken');
      },
    };
    await expect(migrate(broken, { ...MIGRATIONS, '9999-broken': step })).rejects.toThrow('the step is broken');
    await expect(sql`select * from ringback_half`.execute(broken.db)).rejects.toThrow(/ringback_half/);
    await broken.db.destroy();
    await (await open(database)).saveCalls([aRecord('alice', 'bob')]);
  });
});

describe.each([
  { kind: 'SQLite in a file', others: true },
  { kind: 'PostgreSQL', others: false },
] as const)('$kind', ({ kind, others }) => {
  const rest = others ? 'those of another name that left or fell silent' : 'no others: several servers share it';
  it(`an exchange that starts takes over its own calls, and ${rest}`, async (context) => {
    const { missing, make } = DATABASES[kind] ?? { make: async () => '' };
    skipWithout(context, missing);
    const store = await open(await make());
    const taken = async (name: string, before: number) =>
      (await store.takeLiveCalls(name, { at: 10_000, clock: 1 }, before)).calls.map(({ callId }) => callId);
    const leaves = async (name: string, at: number, hasLeft: boolean) => {
      const { owner } = await store.takeLiveCalls(name, { at, clock: 1 }, 0);
      const call = aLiveCall('alice', 'bob');
      await store.saveLiveCalls(owner, { at, clock: 1 }, [call], []);
      if (hasLeft) await store.leaveLiveCalls(owner);
      return call.callId;
    };
    const runs = await leaves('runs', 9_000, false);
    const left = await leaves('left', 9_000, true);
    expect(await taken('new', 8_000)).toEqual(others ? [left] : []);
    const silent = await leaves('silent', 7_000, false);
    expect(await taken('new', 8_000)).toEqual(others ? [left, silent].sort() : []);
    expect(await taken('runs', 8_000)).toEqual([runs]);
  });
});

it.for(Object.entries(DATABASES))(
  'ENT-15: %s: the record of a call ends the live call that another connection has saved',
  async ([, { missing, make }], context) => {
    skipWithout(context, missing);
    const database = await make();
    const former = await open(database);
    const { owner } = await former.takeLiveCalls('exchange', { at: 1, clock: 1 }, 0);
    const call = aLiveCall('alice', 'bob');
    await former.saveLiveCalls(owner, { at: 1, clock: 1 }, [call], []);
    const next = await open(database);
    await next.saveCalls([aRecord('alice', 'bob', { callId: call.callId })]);
    expect((await next.takeLiveCalls('exchange', { at: 2, clock: 2 }, 0)).calls).toEqual([]);
  },
);

describe('PostgreSQL', () => {
  it.for([
    ['off', 'on'],
    ['on', 'on'],
    ['remote_apply', 'remote_apply'],
  ])('S27 writes through: where a database is set to %s, each connection has %s', async ([given, had], context) => {
    skipWithout(context, NO_POSTGRES);
    const url = new URL((await newSchema()).url);
    url.searchParams.set('options', `${url.searchParams.get('options')} -c synchronous_commit=${given}`);
    const { db } = await openDatabase(url.href, log);
    const settings = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { rows } = await sql<{ set: string }>`
          select current_setting('synchronous_commit') as set, pg_sleep(0.01)
        `.execute(db);
        return rows[0]?.set;
      }),
    );
    expect(settings).toEqual([had, had, had, had]);
    await db.destroy();
  });

  it('the tables are made once when several exchanges start at the same time, and all use them', async (context) => {
    skipWithout(context, NO_POSTGRES);
    const { url } = await newSchema();
    const stores = await Promise.all([1, 2, 3, 4].map(() => open(url)));
    const record = aRecord('alice', 'bob');
    await Promise.all(stores.map((store) => store.saveCalls([record])));
    const pages = await Promise.all(
      stores.map((store) =>
        store.history({ userId: 'bob', role: null, endResults: [], from: 0, to: 2e12, limit: 10, after: null }),
      ),
    );
    expect(pages.map((page) => page?.calls)).toEqual(stores.map(() => [record]));
  });

  it('reports the address that could not be reached, without user and password', async () => {
    const refusal: unknown = await openStore('postgres://someone:hunter2@127.0.0.1:1/calls').catch(
      (error: unknown) => error,
    );
    expect(String(refusal)).toMatch(/^StoreError: The database postgres:\/\/127.0.0.1:1\/calls cannot be used: .*$/);
    expect(String(refusal)).not.toMatch(/hunter2|someone/);
  });
});

describe('SQLite', () => {
  it('reports in one line which file cannot be used', async () => {
    const text = join(folder, 'text.db');
    writeFileSync(text, 'no database, just words\n'.repeat(50));
    for (const path of [text, join(folder, 'absent', 'kept.db'), folder]) {
      const refusal: unknown = await openStore(path).catch((error: unknown) => error);
      expect(String(refusal)).toMatch(new RegExp(`^StoreError: The database ${path} cannot be used: .+$`));
    }
    expect(readFileSync(text, 'utf8')).toContain('just words');
  });

  it('gives only the owner access to its file', async () => {
    const path = join(folder, 'private.db');
    await open(path);
    for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('shares no data between two databases in memory, and makes no file for them', async () => {
    const [one, other] = [await open(':memory:'), await open(':memory:')];
    const record = aRecord('alice', 'bob');
    await one.saveCalls([record]);
    expect((await one.call(record.callId))?.callId).toBe(record.callId);
    expect(await other.call(record.callId)).toBeUndefined();
    const { db, file } = await openDatabase(':memory:', log);
    expect(file).toBeNull();
    expect((await sql<{ file: string }>`select file from pragma_database_list`.execute(db)).rows).toEqual([
      { file: '' },
    ]);
    await db.destroy();
  });

  it('has only a part of a database in memory in the page cache, which commits search', async () => {
    const { db } = await openDatabase(':memory:', log);
    const pragma = async (text: string) =>
      (await sql<object>`pragma ${sql.raw(text)}`.execute(db)).rows.map(Object.values);
    expect(await pragma('cache_size')).toEqual([[-16_384]]);
    // The size is no limit for a database whose only place is the page cache. Such a database refuses this mode.
    expect(await pragma('journal_mode = truncate')).toEqual([['truncate']]);
    await db.destroy();
  });

  it('S27 keeps a log beside its file, which is synced before it is copied into the file, and 16 MiB of its pages in memory', async () => {
    const { db } = await openDatabase(join(folder, 'pragmas.db'), log);
    const pragma = async (name: string) =>
      (await sql<object>`pragma ${sql.raw(name)}`.execute(db)).rows.map(Object.values);
    expect(await pragma('journal_mode')).toEqual([['wal']]);
    expect(await pragma('synchronous')).toEqual([[1]]);
    // Kibibytes are below 0, and pages above.
    expect(await pragma('cache_size')).toEqual([[-16_384]]);
    await db.destroy();
  });

  it('S27 completes a transaction when it is on the disk, or at its commit where it must survive only a crash', async () => {
    const { db, transact } = await openDatabase(join(folder, 'durability.db'), log);
    await sql`create table kept (id integer primary key)`.execute(db);
    let isOnDisk = (): void => undefined;
    using synced = vi
      .spyOn(WriteAheadLog.prototype, 'synced')
      .mockReturnValue(new Promise((resolve) => (isOnDisk = resolve)));
    const order: string[] = [];
    const keep = async (id: number, survives: 'crash' | 'power loss') => {
      await transact((transaction) => sql`insert into kept values (${id})`.execute(transaction), survives);
      order.push(survives);
    };
    await keep(1, 'crash');
    expect(synced).not.toHaveBeenCalled();
    const lasting = keep(2, 'power loss');
    await keep(3, 'crash');
    expect(synced).toHaveBeenCalledOnce();
    // Both are committed, and only one waits for the disk.
    expect((await sql`select id from kept`.execute(db)).rows).toHaveLength(3);
    expect(order).toEqual(['crash', 'crash']);
    isOnDisk();
    await lasting;
    expect(order).toEqual(['crash', 'crash', 'power loss']);
    await db.destroy();
  });

  it('S27 puts the transactions that come while the disk works into one commit', async () => {
    const { db, transact } = await openDatabase(join(folder, 'one-commit.db'), log);
    await sql`create table kept (id integer primary key)`.execute(db);
    const disks: (() => void)[] = [];
    using _ = vi
      .spyOn(WriteAheadLog.prototype, 'synced')
      .mockImplementation(() => new Promise((resolve) => void disks.push(resolve)));
    const keep = (id: number) => transact((transaction) => sql`insert into kept values (${id})`.execute(transaction));
    const first = keep(1);
    await vi.waitUntil(() => disks.length === 1);
    const others = [2, 3, 4].map(keep);
    disks[0]?.();
    await first;
    await vi.waitUntil(() => disks.length === 2);
    disks[1]?.();
    await Promise.all(others);
    expect(disks).toHaveLength(2);
    await db.destroy();
  });

  it('S27 fails the transactions whose log cannot be synced', async () => {
    const { db, transact } = await openDatabase(join(folder, 'sync-fails.db'), log);
    await sql`create table kept (id integer primary key)`.execute(db);
    using _ = vi.spyOn(WriteAheadLog.prototype, 'synced').mockRejectedValueOnce(new Error('EIO: i/o error'));
    const kept = transact((transaction) => sql`insert into kept values (1)`.execute(transaction));
    await expect(kept).rejects.toThrow('EIO: i/o error');
    await db.destroy();
  });

  it('S27 writes nothing after a failed sync until the log could be copied into the file', async () => {
    const { db, transact } = await openMigrated(join(folder, 'disk-fails.db'), log);
    const add = statement((on, { id }: { id: string }) => on.insertInto('ringback_callers').values({ user_id: id }));
    {
      using _ = vi.spyOn(WriteAheadLog.prototype, 'requireWhole').mockImplementation(() => {
        throw new Error('the disk is gone');
      });
      await expect(transact((one) => add(one, { id: 'alice' }))).rejects.toThrow('the disk is gone');
      await expect(add(db, { id: 'bob' })).rejects.toThrow('the disk is gone');
      const insert = sql`insert into ringback_callers (user_id) values ('carol')`;
      await expect(insert.execute(db)).rejects.toThrow('the disk is gone');
    }
    await add(db, { id: 'dave' });
    expect(await db.selectFrom('ringback_callers').select('user_id').execute()).toEqual([{ user_id: 'dave' }]);
    await db.destroy();
  });

  it('copies the whole log into its file', async () => {
    const path = join(folder, 'copied.db');
    const { default: Libsql } = await import('libsql');
    const file = new Libsql(path);
    file.exec('pragma journal_mode = wal; create table kept (id integer primary key)');
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    copyLog(file);
    expect(statSync(`${path}-wal`).size).toBe(0);
    file.exec('begin; insert into kept values (1)');
    expect(() => copyLog(file)).toThrow();
    file.exec('commit');
    file.close();
  });

  it('opens a file behind a link', async () => {
    const link = join(folder, 'link.db');
    const real = join(folder, 'behind-a-link.db');
    const first = await open(real);
    await first.close();
    symlinkSync(real, link);
    const { db, transact } = await openMigrated(link, log);
    const add = statement((on, { id }: { id: string }) => on.insertInto('ringback_callers').values({ user_id: id }));
    await transact((one) => add(one, { id: 'alice' }));
    await db.destroy();
  });

  it('S27 waits for the disk after each statement outside of a transaction that may change data', async () => {
    const { db, transact, alone } = await openMigrated(join(folder, 'outside.db'), log);
    await sql`create table kept (id integer primary key)`.execute(db);
    const add = statement((on, { id }: { id: string }) =>
      on.insertInto('ringback_callers').values({ user_id: id }).returning('user_id'),
    );
    const find = statement((on) => on.selectFrom('ringback_callers').select('user_id'));
    let onDisk: (() => void)[] = [];
    using _ = vi
      .spyOn(WriteAheadLog.prototype, 'synced')
      .mockImplementation(() => new Promise((resolve) => void onDisk.push(resolve)));
    /** Returns how many syncs the work waits for. */
    const syncs = async (work: () => Promise<unknown>): Promise<number> => {
      onDisk = [];
      let isDone = false;
      const done = work().then(() => (isDone = true));
      // Without a sync the work is done by now: a statement takes no turn of the event loop.
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
      const waited = onDisk.length;
      expect(isDone).toBe(waited === 0);
      for (const resolve of onDisk) resolve();
      await done;
      return waited;
    };
    expect(await syncs(() => sql`select * from kept`.execute(db))).toBe(0);
    expect(await syncs(() => sql`insert into kept values (1)`.execute(db))).toBe(1);
    expect(await syncs(() => sql` UPDATE kept set id = 2 returning id`.execute(db))).toBe(1);
    expect(await syncs(() => find(db, {}))).toBe(0);
    expect(await syncs(() => add(db, { id: 'alice' }))).toBe(1);
    expect(await syncs(() => transact((one) => add(one, { id: 'bob' })))).toBe(1);
    expect(await syncs(() => transact((one) => add(one, { id: 'carol' }), 'crash'))).toBe(0);
    expect(await syncs(() => alone(async (one) => void (await add(one, { id: 'dave' }))))).toBe(1);
    await db.destroy();
  });

  it('S27 lets other statements run while the disk works', async () => {
    const { db } = await openDatabase(join(folder, 'meanwhile.db'), log);
    await sql`create table kept (id integer primary key)`.execute(db);
    let isOnDisk = (): void => undefined;
    using _ = vi
      .spyOn(WriteAheadLog.prototype, 'synced')
      .mockReturnValue(new Promise((resolve) => (isOnDisk = resolve)));
    const written = sql`insert into kept values (1)`.execute(db);
    expect((await sql`select id from kept`.execute(db)).rows).toEqual([{ id: 1 }]);
    isOnDisk();
    await written;
    await db.destroy();
  });

  it('prepares a statement once, and again after its table changed', async () => {
    const { db } = await openDatabase(':memory:', log);
    await sql`create table some (id integer primary key)`.execute(db);
    const read = async () => (await sql`select * from some`.execute(db)).rows;
    await sql`insert into some values (1)`.execute(db);
    const { default: Libsql } = await import('libsql');
    using prepare = vi.spyOn(Libsql.prototype, 'prepare');
    expect([await read(), await read()]).toEqual([[{ id: 1 }], [{ id: 1 }]]);
    expect(prepare).toHaveBeenCalledTimes(1);
    await expect(sql`insert into some values (1)`.execute(db)).rejects.toThrow('UNIQUE');
    await sql`alter table some add column name text default 'x'`.execute(db);
    expect(await read()).toEqual([{ id: 1, name: 'x' }]);
    // More statements than stay prepared.
    for (let at = 0; at < 600; at += 1) await sql.raw(`select ${at} as at`).execute(db);
    prepare.mockClear();
    expect(await read()).toEqual([{ id: 1, name: 'x' }]);
    expect(prepare).toHaveBeenCalledTimes(1);
    await db.destroy();
  });

  it('keeps no long statement prepared, since a statement keeps the values of all its rows', async () => {
    const { db } = await openDatabase(':memory:', log);
    await sql`create table some (id integer primary key)`.execute(db);
    const { default: Libsql } = await import('libsql');
    using prepare = vi.spyOn(Libsql.prototype, 'prepare');
    const insert = async (rows: number) => {
      const values = sql.join(Array.from({ length: rows }, () => sql`(${null})`));
      await sql`insert into some (id) values ${values}`.execute(db);
    };
    const prepared = async (rows: number) => {
      prepare.mockClear();
      for (const _ of [1, 2, 3]) await insert(rows);
      return prepare.mock.calls.length;
    };
    expect([await prepared(10), await prepared(300)]).toEqual([1, 3]);
    await db.destroy();
  });

  it('has no open file after it was closed, also while the database is referenced', async () => {
    const path = join(folder, 'closed.db');
    const database = await openDatabase(path, log);
    await sql`create table some (id integer)`.execute(database.db);
    expect(existsSync(`${path}-wal`)).toBe(true);
    await database.db.destroy();
    // The file is closed when Node frees the last statement.
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    setFlagsFromString('--no-expose-gc');
    const isClosed = async () => {
      await new Promise((resolve) => void setImmediate(resolve));
      collect();
      return !existsSync(`${path}-wal`);
    };
    await expect.poll(isClosed).toBe(true);
    expect(database.name).toBe(path);
  });

  it('compiles a statement once for each database, and runs it with the values of each use', async () => {
    let built = 0;
    const add = statement((db, { id }: { id: string }) => {
      built += 1;
      return db.insertInto('ringback_callers').values({ user_id: id }).returning('user_id');
    });
    for (const path of [':memory:', join(folder, 'statements.db')]) {
      const { db, transact } = await openMigrated(path, log);
      expect(await add(db, { id: 'alice' })).toEqual([{ user_id: 'alice' }]);
      expect(await transact((transaction) => add(transaction, { id: 'bob' }))).toEqual([{ user_id: 'bob' }]);
      await db.destroy();
    }
    expect(built).toBe(2);
  });

  it('runs a statement outside of the transaction that is open, so that it is not undone with it', async () => {
    const { db, transact } = await openMigrated(':memory:', log);
    const add = statement((on, { id }: { id: string }) => on.insertInto('ringback_callers').values({ user_id: id }));
    let outside: Promise<unknown> = Promise.resolve();
    const undone = transact(async (transaction) => {
      await add(transaction, { id: 'alice' });
      outside = add(db, { id: 'bob' });
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    await outside;
    expect(await db.selectFrom('ringback_callers').selectAll().execute()).toEqual([{ user_id: 'bob' }]);
    await db.destroy();
  });

  it('refuses a statement of a transaction that is over, also while another one is open', async () => {
    const { db, transact } = await openMigrated(':memory:', log);
    const add = statement((on, { id }: { id: string }) => on.insertInto('ringback_callers').values({ user_id: id }));
    const over = await transact(async (transaction) => () => add(transaction, { id: 'alice' }));
    await transact(async (transaction) => {
      await add(transaction, { id: 'bob' });
      await expect(over()).rejects.toThrow('Transaction is already committed');
    });
    expect(await db.selectFrom('ringback_callers').selectAll().execute()).toEqual([{ user_id: 'bob' }]);
    await db.destroy();
  });

  it('F54 fails every transaction of a commit with its own reason where the disk undoes them, and goes on', async () => {
    const { db, transact } = await openDatabase(':memory:', log);
    await sql`create table kept (id integer primary key)`.execute(db);
    // SQLite does the same when a write fails in a transaction: no savepoint is left.
    await sql`create trigger fails before insert on kept when new.id = 2 begin select raise(rollback, 'disk'); end`.execute(
      db,
    );
    const keep = (id: number) =>
      transact(async (transaction) => void (await sql`insert into kept values (${id})`.execute(transaction)));
    const results = await Promise.allSettled([keep(0), keep(1), keep(2), keep(3)]);
    // All transactions of one turn share a commit.
    const reasons = results.map((one) => (one.status === 'fulfilled' ? 'kept' : one.reason.message));
    expect(reasons).toEqual(['disk', 'disk', 'disk', 'disk']);
    await keep(4);
    expect((await sql`select id from kept order by id`.execute(db)).rows).toEqual([{ id: 4 }]);
    await db.destroy();
  });

  it('undoes one of several transactions of a commit alone, and makes savepoints only then', async () => {
    let statements = 0;
    const { db, transact } = await openDatabase(':memory:', log, { onStatement: () => (statements += 1) });
    await sql`create table kept (id integer primary key)`.execute(db);
    const keep = (id: number, isRefused = false) =>
      transact(async (transaction) => {
        await sql`insert into kept values (${id})`.execute(transaction);
        if (isRefused) throw new Error('refused');
      });
    // Each transaction also begins, and commits or rolls back.
    const statementsOf = async (work: readonly Promise<void>[]) => {
      const before = statements;
      const reasons = await Promise.allSettled(work);
      return [statements - before, ...reasons.map(({ status }) => status === 'fulfilled')];
    };
    expect(await statementsOf([keep(0), keep(1)])).toEqual([4, true, true]);
    expect(await statementsOf([keep(2, true)])).toEqual([3, false]);
    // All of it again, with two savepoints, their releases, and a rollback to one of them.
    expect(await statementsOf([keep(3), keep(4, true)])).toEqual([4 + 4 + 4 + 1, true, false]);
    expect((await sql`select id from kept order by id`.execute(db)).rows).toEqual([{ id: 0 }, { id: 1 }, { id: 3 }]);
    await db.destroy();
  });

  it('F54 fails a transaction that goes on after the disk has undone it', async () => {
    const { db, transact } = await openDatabase(':memory:', log);
    await sql`create table kept (id integer primary key)`.execute(db);
    const undone = transact(async (transaction) => {
      // SQLite does the same when a write fails.
      await sql`rollback`.execute(transaction);
    });
    const next = transact(async (transaction) => void (await sql`insert into kept values (1)`.execute(transaction)));
    const results = await Promise.allSettled([undone, next]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await sql`select id from kept`.execute(db)).rows).toEqual([]);
    await db.destroy();
  });

  it('F54 gives the error of one transaction to no other transaction of the same commit', async () => {
    const { db, transact } = await openDatabase(':memory:', log);
    const refuse = () =>
      transact(async (transaction) => {
        // SQLite does the same when a write fails: no savepoint is left.
        await sql`rollback`.execute(transaction);
        throw new Error('a refusal of one user');
      });
    const results = await Promise.allSettled([
      transact(() => Promise.resolve()),
      transact(() => Promise.resolve()),
      refuse(),
      transact(() => Promise.resolve()),
    ]);
    const reasons = results.map((one) => (one.status === 'fulfilled' ? 'kept' : one.reason.message));
    expect(reasons).toEqual([
      expect.stringContaining('savepoint'),
      expect.stringContaining('savepoint'),
      'a refusal of one user',
      expect.stringContaining('savepoint'),
    ]);
    await db.destroy();
  });

  it('finds a page of the history by its index, without sorting', async () => {
    const database = await openDatabase(':memory:', log);
    await migrate(database);
    const { db } = database;
    const queries: CompiledQuery[] = [];
    const watched = db.withPlugin({
      transformQuery({ node, queryId }) {
        queries.push(db.getExecutor().compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const store = new SqlStore({ ...database, db: watched });
    const record = aRecord('alice', 'bob');
    await store.saveCalls([record]);
    queries.length = 0;
    const request = { userId: 'bob', endResults: ['completed'], from: 0, to: 2e12, limit: 10 } as const;
    await store.history({ ...request, role: 'dc_callee', after: record.callId });
    const [query] = queries.filter(({ sql: text }) => text.includes('order by'));
    if (!query) throw new Error('no page was asked for');
    const { rows } = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters]),
    );
    const plan = rows.map(({ detail }) => detail);
    expect(plan).toContainEqual(expect.stringContaining('INDEX ringback_history'));
    expect(plan.filter((step) => step.startsWith('SCAN') || step.includes('TEMP B-TREE'))).toEqual([]);
    await db.destroy();
  });
});
