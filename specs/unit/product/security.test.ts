import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientOf } from '../../../sim/product/accounts/client-of.ts';
import { MOST_SESSIONS } from '../../../src/protocol/product/accounts.ts';
import { pushReceiver } from '../push/decrypt-push.ts';
import { aMan, aWoman, DAY, HOUR, openAccountsWorld, SECOND, type AccountsWorld } from './support/accounts-world.ts';
import { databasesOf, EVERY } from './support/databases.ts';
import { aPerson } from './support/stage.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const NEW = 'a quite different one';
const OPEN = [[], []];
const CLOSED = [[4401], [4401]];

describe('the login name', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';
  it.each([
    [FIREFOX, 'Firefox', 'Linux'],
    [IPHONE, 'Safari', 'iPhone'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, 'Chrome', 'Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0.0.0`, 'Edge', 'Windows'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} Safari/537.36 OPR/120.0.0.0`, 'Opera', 'macOS'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, 'Chrome', 'ChromeOS'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
      'Chrome',
      'iPhone',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Line/15.5',
      'LINE',
      'iPad',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
      'Samsung Internet',
      'Android',
    ],
    [`Mozilla/5.0 (X11; Linux x86_64) ${chrome.replace('Chrome', 'HeadlessChrome')} Safari/537.36`, 'Chrome', 'Linux'],
    ['curl/8.5.0', null, null],
    ['<b>Chrome</b> for Windowsill', null, null],
    ['', null, null],
    [null, null, null],
  ])('%s is %s on %s', (userAgent, browser, system) => {
    expect(clientOf(userAgent)).toEqual({ browser, system });
  });
});

describe.each(EVERY)('access to an account, kept in %s', (kind) => {
  const databases = databasesOf(kind);
  let place: string;
  beforeEach(async (context) => {
    databases.skipIfMissing(context);
    place = await databases.place();
  });
  const worlds: AccountsWorld[] = [];
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.close();
    await databases.close();
  });

  /**
   * A man who is signed in on a computer and on a phone, each with its sockets and its pushes, and a woman beside him.
   */
  async function signedIn() {
    const world = await openAccountsWorld({}, place);
    const { signedOut } = world;
    worlds.push(world);
    const desk = await world.register(aMan, { nickname: 'Mangosteen' });
    const woman = await world.register(aWoman);
    world.clock.advance(SECOND);
    const login = (password: string = aMan.password, header = IPHONE) =>
      world.http('login', { body: { user_id: desk.u_id, password }, header }, '');
    const phone = (await login()).body as typeof desk;
    const socketsOf = ({ u_id, token }: typeof desk) =>
      Promise.all(['/ws/events', `/ws/online/${u_id}`].map((path) => world.openSocket(path, token)));
    const sockets = { desk: await socketsOf(desk), phone: await socketsOf(phone), woman: await socketsOf(woman) };
    const devices = new Map<string, string>();
    for (const [name, session] of Object.entries({ desk, phone, woman })) {
      const { token } = pushReceiver(`https://fcm.googleapis.com/fcm/send/${name}`);
      devices.set(token, name);
      await world.ask('savePushToken', { body: { token } }, session.token);
    }
    return {
      ...{ world, desk, phone, woman, sockets, signedOut, login },
      /** The sessions that may still send requests, and call. */
      isGood: (...whom: readonly (typeof desk)[]) =>
        Promise.all(
          whom.map(async ({ u_id, token, calling_access_token }) => {
            const { status } = await world.http('refreshToken', {}, token);
            return [status === 200, await world.product.mayLogIn(u_id, calling_access_token)];
          }),
        ),
      /** The devices of his that get pushes. */
      async devices() {
        const rows = await world.database.db
          .selectFrom('ringback_devices')
          .where('u_id', '=', desk.u_id)
          .select('token')
          .execute();
        return rows.map(({ token }) => devices.get(token) ?? 'none of his').toSorted();
      },
      change: (body: object, { token } = desk) => world.http('changePassword', { body }, token),
      list: async ({ token } = desk) => (await world.ask('sessions', {}, token)).sessions,
    };
  }

  const GOOD = [true, true];
  const OVER = [false, false];

  it('S08 S42 a new password replaces the old one, ends every other session at once, and every contact is notified', async () => {
    const { world, desk, phone, woman, sockets, signedOut, login, ...he } = await signedIn();
    await world.ask('changeContact', { body: { contact: '0912 000 111' } }, desk.token);
    const code = (await world.letters('0912000111'))[0]?.code ?? '';
    const proof = { password: aMan.password };
    await world.ask('confirmContact', { body: { contact: '0912000111', code, proof } }, desk.token);
    expect(await he.change({ password: NEW, proof })).toEqual({ status: 200, body: {} });
    expect(sockets).toEqual({ desk: OPEN, phone: CLOSED, woman: OPEN });
    expect(await he.isGood(desk, phone, woman)).toEqual([GOOD, OVER, GOOD]);
    expect(signedOut).toEqual([phone.calling_access_token]);
    expect(await he.devices()).toEqual(['desk']);
    expect((await login()).body).toMatchObject({ code: 'wrong_credentials' });
    expect((await login(NEW)).status).toBe(200);
    for (const contact of [aMan.contact, '0912000111']) {
      expect((await world.letters(contact))[0]).toMatchObject({ about: 'password_changed', code: null });
    }
    expect((await world.letters(aWoman.contact)).map(({ about }) => about)).toEqual(['register']);
  });

  it('S14 a new password is refused without a proof or when it is weak, and then nothing changes', async () => {
    const { world, desk, phone, woman, sockets, login, ...he } = await signedIn();
    const proof = { password: aMan.password };
    for (const [body, status, code, field] of [
      [{ password: NEW }, 400, 'invalid', 'proof'],
      [{ password: NEW, proof: { password: 'a guess' } }, 401, 'wrong_credentials', 'proof'],
      [{ password: NEW, proof: { code: '123456' } }, 410, 'code_expired', 'proof'],
      [{ password: 'short', proof }, 400, 'weak_password', 'password'],
      [{ password: 'x'.repeat(129), proof }, 400, 'weak_password', 'password'],
      [{ password: 'password123', proof }, 400, 'weak_password', 'password'],
      [{ password: aMan.contact, proof }, 400, 'weak_password', 'password'],
      [{ password: 'mangosteen2026', proof }, 400, 'weak_password', 'password'],
    ] as const) {
      expect([body, await he.change(body)]).toMatchObject([body, { status, body: { code, field } }]);
    }
    expect(sockets).toEqual({ desk: OPEN, phone: OPEN, woman: OPEN });
    expect(await he.isGood(desk, phone, woman)).toEqual([GOOD, GOOD, GOOD]);
    expect((await login()).status).toBe(200);
    expect((await world.letters(aMan.contact)).map(({ about }) => about)).toEqual(['register']);
  });

  it('S14: a stolen session has the same limit of password guesses as other clients, and locks no login', async () => {
    const { login, ...he } = await signedIn();
    const guess = { password: NEW, proof: { password: 'a guess' } };
    for (let tries = 0; tries < 5; tries += 1) expect((await he.change(guess)).status).toBe(401);
    expect(await he.change({ ...guess, proof: { password: aMan.password } })).toMatchObject({
      status: 423,
      body: { code: 'locked', field: 'proof' },
    });
    expect((await login()).status).toBe(200);
  });

  it('S08 of two sessions that set a new password by the old one at once, one succeeds and the other ends', async () => {
    const { world, desk, phone, ...he } = await signedIn();
    const proof = { password: aMan.password };
    const both = await Promise.all([
      he.change({ password: NEW, proof }, desk),
      he.change({ password: `${NEW} still`, proof }, phone),
    ]);
    const won = both.findIndex(({ status }) => status === 200);
    expect(both[1 - won]).toMatchObject({ status: 401 });
    expect(await he.isGood(desk, phone)).toEqual(won === 0 ? [GOOD, OVER] : [OVER, GOOD]);
    const password = [NEW, `${NEW} still`][won];
    expect((await world.http('login', { body: { user_id: desk.u_id, password } }, '')).status).toBe(200);
    expect((await world.letters(aMan.contact)).filter(({ about }) => about === 'password_changed')).toHaveLength(1);
  });

  it('S08 of two sessions that end each other at once, one continues', async (context) => {
    if (kind !== 'PostgreSQL') context.skip('SQLite does one after the other');
    const { world, desk, phone, ...he } = await signedIn();
    const { db } = world.database;
    const both = await db.transaction().execute(async (transaction) => {
      // Both begin before either can end the other.
      await transaction.updateTable('ringback_sign_ins').set({ used_at: 0 }).where('u_id', '=', desk.u_id).execute();
      const ends = [desk, phone].map(({ token }) => world.http('endOtherSessions', {}, token));
      await expect
        .poll(async () => {
          const { rows } = await sql<{ waiting: number }>`
            select count(*) as waiting from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database()
          `.execute(db);
          return rows[0]?.waiting;
        })
        .toBeGreaterThanOrEqual(2);
      return ends;
    });
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect(await he.isGood(desk, phone)).toEqual(statuses[0] === 200 ? [GOOD, OVER] : [OVER, GOOD]);
  });

  it('a user without a password sets one by a code, and can then sign in with it', async () => {
    const world = await openAccountsWorld({ people: [aPerson('mei', 'woman')] }, place);
    worlds.push(world);
    const { token } = await world.ask('login', { body: { user_id: 'mei' } });
    const change = async (proof: object) => world.http('changePassword', { body: { password: NEW, proof } }, token);
    for (const password of ['', NEW, 'mei']) {
      expect((await change({ password })).body).toMatchObject({ code: 'wrong_credentials', field: 'proof' });
    }
    expect((await change({ code: '123456' })).body).toMatchObject({ code: 'incomplete', field: 'proof' });
    await world.database.db
      .insertInto('ringback_contacts')
      .values({ u_id: 'mei', kind: 'email', value: 'mei@example.com', verified_at: 0 })
      .execute();
    await world.ask('sendOwnerCode', { body: { change: 'password' } }, token);
    const code = (await world.letters('mei@example.com'))[0]?.code;
    expect(await change({ code })).toEqual({ status: 200, body: {} });
    expect(await change({ code })).toMatchObject({ status: 410 });
    expect((await world.ask('ownerProofs', {}, token)).has_password).toBe(true);
    expect((await world.ask('login', { body: { user_id: 'mei', password: NEW } })).u_id).toBe('mei');
  });

  it('S08 lists the sessions of a user, this one first, with browser and start, by ids that are no credentials', async () => {
    const { world, desk, phone, woman, ...he } = await signedIn();
    const now = world.clock.wallTime();
    const told = { session_id: expect.any(String) };
    const onDesk = { ...told, browser: null, system: null, began_at: now - SECOND, used_at: now - SECOND };
    const onPhone = { ...told, browser: 'Safari', system: 'iPhone', began_at: now, used_at: now };
    expect(await he.list(desk)).toEqual([
      { ...onDesk, is_this: true },
      { ...onPhone, is_this: false },
    ]);
    expect(await he.list(phone)).toEqual([
      { ...onPhone, is_this: true },
      { ...onDesk, is_this: false },
    ]);
    const ids = (await he.list()).map(({ session_id }) => session_id);
    expect(ids).not.toContain((await he.list(woman))[0]?.session_id);
    for (const { token, calling_access_token } of [desk, phone]) {
      for (const secret of [token, calling_access_token]) {
        const hash = createHash('sha256').update(secret).digest('hex');
        for (const id of ids) expect([secret, hash]).not.toContain(id);
      }
    }
    for (const id of ids) expect((await world.http('refreshToken', {}, id)).status).toBe(401);
  });

  it('shows when a session was last used, to the hour, and omits an expired one', async () => {
    const { world, desk, phone, woman: _, ...he } = await signedIn();
    const start = world.clock.wallTime();
    const used = async () => (await he.list(desk)).map(({ used_at }) => used_at - start);
    world.clock.advance(HOUR - SECOND - 1);
    expect(await used()).toEqual([-SECOND, 0]);
    world.clock.advance(1);
    expect(await used()).toEqual([HOUR - SECOND, 0]);
    world.clock.advance(DAY);
    await world.http('refreshToken', {}, phone.token);
    expect(await used()).toEqual([DAY + HOUR - SECOND, DAY + HOUR - SECOND]);
    world.clock.advance(6 * DAY - HOUR);
    expect((await he.list(phone)).map(({ is_this }) => is_this)).toEqual([true]);
  });

  it('S08 S42 ends one session with its sockets, calls and pushes at once; the others continue', async () => {
    const { world, desk, phone, woman, sockets, signedOut, ...he } = await signedIn();
    const [, other] = await he.list(desk);
    await world.ask('endSession', { params: { session_id: other?.session_id ?? '' } }, desk.token);
    expect(sockets).toEqual({ desk: OPEN, phone: CLOSED, woman: OPEN });
    expect(await he.isGood(desk, phone, woman)).toEqual([GOOD, OVER, GOOD]);
    expect(signedOut).toEqual([phone.calling_access_token]);
    expect(await he.devices()).toEqual(['desk']);
    expect(await he.list()).toHaveLength(1);
  });

  it('S06 ends no session of another user, and no unknown one', async () => {
    const { world, desk, woman, sockets, ...he } = await signedIn();
    const [hers] = await he.list(woman);
    const hash = createHash('sha256').update(desk.token).digest('hex');
    for (const session_id of [hers?.session_id ?? '', desk.token, hash, 'none']) {
      const refused = await world.refusal('endSession', { params: { session_id } }, desk.token);
      expect(refused).toMatchObject({ status: 404, code: 'not_found' });
    }
    expect(sockets).toEqual({ desk: OPEN, phone: OPEN, woman: OPEN });
    expect(await he.devices()).toEqual(['desk', 'phone']);
  });

  it('S08 S42 ends every session except the present one, for any number, and lists the latest of them', async () => {
    const { world, desk, phone, woman, sockets, ...he } = await signedIn();
    for (let more = 0; more < MOST_SESSIONS; more += 1) {
      world.clock.advance(2 * SECOND);
      await world.database.db
        .insertInto('ringback_sign_ins')
        .values({
          ...{ token_hash: `hash ${more}`, calling_hash: `calling ${more}`, session_id: `more ${more}` },
          ...{ u_id: desk.u_id, expires_at: world.clock.wallTime() + DAY, browser: null, system: null },
          ...{ began_at: world.clock.wallTime(), used_at: world.clock.wallTime() },
        })
        .execute();
    }
    const listed = await he.list();
    expect([listed.length, listed[0]?.is_this, listed[1]?.session_id]).toEqual([MOST_SESSIONS, true, 'more 49']);
    await world.ask('endOtherSessions', {}, desk.token);
    expect(sockets).toEqual({ desk: OPEN, phone: CLOSED, woman: OPEN });
    expect(await he.isGood(desk, phone, woman)).toEqual([GOOD, OVER, GOOD]);
    expect(await he.devices()).toEqual(['desk']);
    expect(await he.list()).toMatchObject([{ is_this: true }]);
    const rows = await world.database.db.selectFrom('ringback_sign_ins').select('u_id').execute();
    expect(rows.map(({ u_id }) => u_id).toSorted()).toEqual([desk.u_id, woman.u_id].toSorted());
  });
});
