import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoginAnswer as Login } from '../../../src/protocol/product/accounts.ts';
import { mostKept } from '../../../sim/budgets/table.ts';
import { migratedSchema, NO_POSTGRES, type PostgresSchema } from '../../contract/store/postgres-schema.ts';
import { addPair } from '../../../sim/product/people/pairs.ts';
import { pushReceiver } from '../push/decrypt-push.ts';
import { DAY, MINUTE, openAccountsWorld, aMan, aWoman, type AccountsWorld } from './support/accounts-world.ts';

describe('the stored rows of a user', () => {
  let world: AccountsWorld;
  beforeEach(async () => {
    world = await openAccountsWorld();
  });
  afterEach(() => world.close());

  it.each([
    ['favourites', 'addFavorite', 'ringback_favorites'],
    ['watches', 'notifyWhenOnline', 'ringback_watches'],
    ['blocks', 'block', 'ringback_blocks'],
  ] as const)('S14: are limited: %s', async (what, name, table) => {
    const man = await world.register(aMan);
    const woman = await world.register(aWoman);
    const most = mostKept(name, what);
    const others = Array.from({ length: most - 1 }, (_, at) => ({ u_id: man.u_id, other: `other ${at}`, at }));
    for (let at = 0; at < others.length; at += 100) {
      await world.database.db
        .insertInto(table)
        .values(others.slice(at, at + 100))
        .execute();
    }
    const add = (u_id: string) => world.http(name, { params: { u_id }, body: { u_id } }, man.token);
    expect((await add(woman.u_id)).status).toBe(200);
    // A repeated row adds none.
    expect((await add(woman.u_id)).status).toBe(200);
    const another = await world.register(aWoman, { contact: 'mei@example.com', nickname: '小美' });
    expect(await add(another.u_id)).toMatchObject({ status: 429, body: { code: 'too_many' } });
    const { count } = await world.database.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(most);
  });

  it('S14: are the latest sessions: above the limit the oldest ends, and its devices are removed', async () => {
    const first = await world.register(aMan);
    const most = mostKept('login', 'sessions');
    const { db } = world.database;
    const { token } = pushReceiver('https://fcm.googleapis.com/fcm/send/one');
    await world.ask('savePushToken', { body: { token } }, first.token);
    const devices = () => db.selectFrom('ringback_devices').select('u_id').execute();
    for (let at = 0; at < most - 1; at += 1) {
      world.clock.advance(MINUTE);
      await db
        .insertInto('ringback_sign_ins')
        .values({
          ...{ token_hash: `hash ${at}`, calling_hash: `calling ${at}`, session_id: `more ${at}` },
          ...{ u_id: first.u_id, expires_at: world.clock.wallTime() + DAY, browser: null, system: null },
          ...{ began_at: world.clock.wallTime(), used_at: world.clock.wallTime() },
        })
        .execute();
    }
    expect(await world.ask('refreshToken', {}, first.token)).toEqual({ u_id: first.u_id });
    expect(await devices()).toEqual([{ u_id: first.u_id }]);
    const latest = await world.ask('login', { body: { user_id: first.u_id, password: aMan.password } });
    expect((await world.refusal('refreshToken', {}, first.token)).status).toBe(401);
    expect(await world.ask('refreshToken', {}, latest.token)).toEqual({ u_id: first.u_id });
    expect(await devices()).toEqual([]);
    const rows = await db.selectFrom('ringback_sign_ins').select('session_id').execute();
    expect(rows).toHaveLength(most);
  });
});

describe.skipIf(NO_POSTGRES !== undefined)(
  'the stored rows of a user, for simultaneous requests, on PostgreSQL',
  () => {
    let world: AccountsWorld;
    let schema: PostgresSchema;
    beforeEach(async () => {
      schema = await migratedSchema();
      world = await openAccountsWorld({}, schema.url);
    });
    afterEach(async () => {
      await world.close();
      await schema.drop();
    });

    const AT_ONCE = 6;
    const countOf = async (table: 'ringback_favorites' | 'ringback_media' | 'ringback_devices') =>
      (await world.database.db.selectFrom(table).select('u_id').execute()).length;
    const takenOf = (works: readonly PromiseSettledResult<unknown>[]) =>
      works.filter(({ status }) => status === 'fulfilled').length;
    /** Opens as many connections as there will be requests, so that all of them begin at once. */
    const warmUp = () =>
      Promise.all(
        Array.from({ length: AT_ONCE }, () => world.database.db.selectFrom('ringback_secrets').selectAll().execute()),
      );

    it('S14: favourites', async () => {
      const man = await world.register(aMan);
      const women = [];
      for (let at = 0; at < AT_ONCE; at += 1) {
        const contact = `woman-${at}@example.com`;
        women.push(await world.register(aWoman, { contact, nickname: `小${at}` }));
      }
      const most = mostKept('addFavorite', 'favourites');
      const others = Array.from({ length: most - 1 }, (_, at) => ({ u_id: man.u_id, other: `other ${at}`, at }));
      await world.database.db.insertInto('ringback_favorites').values(others).execute();
      const { database, clock } = world;
      await warmUp();
      const added = await Promise.allSettled(
        women.map(({ u_id }) => addPair(database, clock, 'ringback_favorites', man.u_id, u_id)),
      );
      expect(takenOf(added)).toBe(1);
      expect(await countOf('ringback_favorites')).toBe(most);
    });

    it('two users who add each other to their favourites at once do not deadlock', async () => {
      const [man, woman] = [await world.register(aMan), await world.register(aWoman)];
      const add = (one: Login, other: Login) => world.ask('addFavorite', { body: { u_id: other.u_id } }, one.token);
      await Promise.all([add(man, woman), add(woman, man), add(man, woman), add(woman, man)]);
      expect(await countOf('ringback_favorites')).toBe(2);
      // PostgreSQL breaks a deadlock and the transaction is retried, so the test above would not show it.
      const { database, clock } = world;
      const locksOf = async (one: Login, other: Login) => {
        const locks: string[] = [];
        const lock: typeof database.lock = (transaction, name) => {
          locks.push(name);
          return database.lock(transaction, name);
        };
        await addPair({ transact: database.transact, lock }, clock, 'ringback_favorites', one.u_id, other.u_id);
        return locks;
      };
      const locks = await locksOf(man, woman);
      expect(locks).toHaveLength(2);
      expect(await locksOf(woman, man)).toEqual(locks);
    });

    it('S14: requests about one popular user do not wait for each other', async () => {
      const woman = await world.register(aWoman);
      const [first, second] = [
        await world.register(aMan),
        await world.register(aMan, { nickname: '阿德', contact: 'other@example.com' }),
      ];
      const { database, clock } = world;
      const add = (one: Login, on: Pick<typeof database, 'transact' | 'lock'>) =>
        addPair(on, clock, 'ringback_favorites', one.u_id, woman.u_id);
      // The second request runs inside the transaction of the first, which still holds its locks.
      const transact: typeof database.transact = (work) =>
        database.transact(async (transaction) => {
          const result = await work(transaction);
          await add(second, database);
          return result;
        });
      await add(first, { transact, lock: database.lock });
      expect(await countOf('ringback_favorites')).toBe(2);
    });

    it('S14: files', async () => {
      const { u_id } = await world.register(aMan);
      const most = mostKept('uploadMedia', 'files');
      const row = { u_id, kind: 'voice', purpose: 'chat', media_type: 'audio/webm', verdict: 'approved' };
      const rows = Array.from({ length: most - 1 }, (_, at) => ({
        ...{ ...row, media_id: `file ${at}`, width: null, height: null, reviewed_at: 0, created_at: 0 },
      }));
      await world.database.db.insertInto('ringback_media').values(rows).execute();
      const bytes = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(100)]);
      const { media } = await world.product.opened();
      await warmUp();
      const added = await Promise.allSettled(
        Array.from({ length: AT_ONCE }, () => media.add(u_id, 'chat', { mediaType: 'audio/webm', bytes })),
      );
      expect(takenOf(added)).toBe(1);
      expect(await countOf('ringback_media')).toBe(most);
    });

    it('S14: devices', async () => {
      const { u_id: uId, token } = await world.register(aMan);
      const { devices } = await world.product.opened();
      const most = mostKept('savePushToken', 'push tokens');
      await Promise.all(
        Array.from({ length: most + AT_ONCE }, (_, at) => devices.save({ uId, token }, `token ${at}`, null)),
      );
      expect(await countOf('ringback_devices')).toBe(most);
    });
  },
);

describe('the existence of an account', () => {
  it('S14: cannot be found by portraits: an address gets 60 unknown names in an hour, and known ones without that limit', async () => {
    const world = await openAccountsWorld();
    const { u_id } = await world.register(aMan);
    const portrait = async (name: string, address = '198.51.100.7') => {
      const path = `/portraits/${name}.svg`;
      return (await world.product.http({ method: 'GET', path, query: {}, headers: {}, address, body: undefined }))
        .status;
    };
    for (let at = 0; at < 59; at += 1) expect(await portrait(`unknown-${at}`)).toBe(404);
    for (let at = 0; at < 5; at += 1) expect(await portrait(u_id)).toBe(200);
    expect([await portrait('unknown'), await portrait('unknown'), await portrait(u_id)]).toEqual([404, 429, 429]);
    expect(await portrait(u_id, '198.51.100.8')).toBe(200);
    await world.close();
  });

  it('S14: cannot be copied page by page: a user gets 120 pages of people in a minute', async () => {
    const world = await openAccountsWorld();
    const { token } = await world.register(aMan);
    const page = () => world.http('discover', {}, token);
    const statuses = [];
    for (let at = 0; at < 121; at += 1) statuses.push((await page()).status);
    expect(statuses).toEqual([...Array<number>(120).fill(200), 429]);
    world.clock.advance(MINUTE);
    expect((await page()).status).toBe(200);
    await world.close();
  });
});
