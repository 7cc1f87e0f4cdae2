import * as v from 'valibot';
import { afterEach, describe, expect, it } from 'vitest';
import { isCommonPassword } from '../../../sim/product/accounts/weak-passwords.ts';
import { demoPeople } from '../../../sim/server/demo-people.ts';
import { openInstance } from '../../../sim/server/server-instance.ts';
import { PRODUCT_API } from '../../../src/protocol/product/api.ts';
import { readContact, maskContact } from '../../../src/protocol/product/contact.ts';
import { passwordFault, passwordStrength } from '../../../src/protocol/product/password-rules.ts';
import { migratedSchema, NO_POSTGRES } from '../../contract/store/postgres-schema.ts';
import { HandClock } from '../support/hand-clock.ts';
import { pushReceiver } from '../push/decrypt-push.ts';
import { aPerson } from './support/stage.ts';
import {
  aMan,
  aPhoto,
  aWoman,
  DAY,
  MINUTE,
  openAccountsWorld,
  SECOND,
  type AccountsWorld,
} from './support/accounts-world.ts';
import { clockedLimits } from './support/clocked-limits.ts';
import { openTestDatabase } from './support/test-database.ts';

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

async function open(...options: Parameters<typeof openAccountsWorld>): Promise<AccountsWorld> {
  const world = await openAccountsWorld(...options);
  undo.push(() => world.close());
  return world;
}

describe('a contact', () => {
  it.each([
    ['Kai.Lin+call@Example.COM ', 'email', 'kai.lin+call@example.com', 'k***@example.com'],
    ['0912-345-678', 'phone', '+886912345678', '+8869*****678'],
    ['０９１２ ３４５ ６７８', 'phone', '+886912345678', '+8869*****678'],
    ['+886 (0)912 345 678', 'phone', '+886912345678', '+8869*****678'],
    ['+81 90-1234-5678', 'phone', '+819012345678', '+8190*****678'],
  ])('%s is the %s %s, shown as %s', (typed, kind, value, masked) => {
    const contact = readContact(typed);
    expect(contact).toEqual({ kind, value });
    expect(contact && maskContact(contact)).toBe(masked);
  });

  it('is invalid when it is neither an email address nor a phone number', () => {
    for (const typed of [
      '',
      'kai',
      'kai@',
      '@example.com',
      'kai@example',
      'a b@example.com',
      '0812345678',
      '12345',
      '+0912345678',
      `${'x'.repeat(250)}@example.com`,
    ]) {
      expect([typed, readContact(typed)]).toEqual([typed, null]);
    }
  });
});

describe('a password', () => {
  it('is refused when it is short, long or common, and not for its kinds of characters', () => {
    expect(passwordFault('abcdef7')).toBe('short');
    expect(passwordFault('x'.repeat(129))).toBe('long');
    for (const common of [
      'password',
      'Password123!',
      'qwertyui',
      '12345678',
      '87654321',
      'aaaaaaaa',
      'abababab',
      'abcdefgh',
    ]) {
      expect([common, passwordFault(common)]).toEqual([common, 'common']);
    }
    expect(passwordFault('mina-chen', ['Mina-Chen'])).toBe('common');
    expect(passwordFault('mina-chen2026', ['mina-chen'])).toBe('common');
    expect(passwordFault('雨天的貓20261122', ['雨天的貓'])).toBe('common');
    for (const good of ['correct horse', 'mangosteen', '下雨天喝熱可可配書'])
      expect([good, passwordFault(good)]).toEqual([good, null]);
  });

  it('is refused by the server when it is one of the most common ones, in any letter case, in each request that sets one', async () => {
    for (const common of ['butterfly', 'football1', 'Liverpool', 'STARWARS', 'trustno1', 'ｆｏｏｔｂａｌｌ']) {
      expect([common, passwordFault(common)]).toEqual([common, null]);
      expect([common, isCommonPassword(common)]).toEqual([common, true]);
    }
    for (const good of ['correct horse battery', 'mangosteen-tart', '下雨天喝熱可可配書', 'butterfly in the rain']) {
      expect([good, isCommonPassword(good)]).toEqual([good, false]);
    }
    const world = await open();
    const weak = { status: 400, code: 'weak_password', field: 'password' };
    const code = await world.codeFor(aMan.contact, 'register');
    expect(await world.refusal('register', { body: { ...aMan, code, password: 'Butterfly' } })).toMatchObject(weak);
    const { token } = await world.register(aMan, { contact: 'other@example.com' });
    const proof = { password: aMan.password };
    const changed = { body: { password: 'butterfly', proof } };
    expect(await world.refusal('changePassword', changed, token)).toMatchObject(weak);
    const reset = { contact: 'other@example.com', code: '123456', password: 'butterfly' };
    expect(await world.refusal('resetPassword', { body: reset })).toMatchObject(weak);
  });

  it('is stronger when it is longer', () => {
    expect(
      ['short', 'mangosteen'.slice(0, 8), 'mangosteen', 'mangosteens go', 'mangosteens go home now'].map((one) =>
        passwordStrength(one),
      ),
    ).toEqual([0, 1, 2, 3, 4]);
    expect(passwordStrength('ababcabababcabababcab')).toBeLessThan(2);
  });
});

describe('registration', () => {
  it.for(['SQLite', 'PostgreSQL'])(
    'creates an account for a man and for a woman, who can then sign in by each of their names, on %s',
    async (kind, context) => {
      if (kind === 'PostgreSQL' && NO_POSTGRES !== undefined) context.skip(NO_POSTGRES);
      let place = ':memory:';
      if (kind === 'PostgreSQL') {
        const schema = await migratedSchema();
        undo.push(() => schema.drop());
        place = schema.url;
      }
      const world = await open({}, place);
      const man = await world.register(aMan);
      const woman = await world.register(aWoman);
      expect([man.gender_type, woman.gender_type]).toEqual(['man', 'woman']);
      expect(man.u_id).toMatch(/^[1-9]\d{8}$/);
      expect(world.callers).toEqual([man.u_id, woman.u_id]);
      expect(await world.product.mayLogIn(woman.u_id, woman.calling_access_token)).toBe(true);
      for (const name of [man.u_id, 'kai@example.com', 'KAI@example.com']) {
        expect((await world.ask('login', { body: { user_id: name, password: aMan.password } })).u_id).toBe(man.u_id);
      }
      for (const name of [woman.u_id, '0912345678', '+886912345678']) {
        expect((await world.ask('login', { body: { user_id: name, password: aWoman.password } })).u_id).toBe(
          woman.u_id,
        );
      }
      const [shown] = (await world.ask('discover', { query: {} }, man.token)).items;
      expect(shown).toMatchObject({
        u_id: woman.u_id,
        nickname: '小雨',
        city: '台北',
        age: 30,
        price: 40,
        verified: false,
      });
    },
  );

  it('requires eighteen years of age, to the day', async () => {
    const world = await open();
    const code = await world.codeFor(aMan.contact, 'register');
    const born = (birthday: string) => world.refusal('register', { body: { ...aMan, code, birthday } });
    expect(await born('2008-01-02')).toMatchObject({ status: 403, code: 'too_young', field: 'birthday' });
    expect(await born('2027-01-01')).toMatchObject({ status: 400, code: 'invalid', field: 'birthday' });
    expect(await born('1850-01-01')).toMatchObject({ status: 400, code: 'invalid', field: 'birthday' });
    expect(await born('1999-02-30')).toMatchObject({ status: 400, code: 'invalid', field: 'birthday' });
    await world.ask('register', { body: { ...aMan, code, birthday: '2008-01-01' } });
  });

  it('requires accepted terms, a strong password, and for a woman the data of her service', async () => {
    const world = await open();
    const code = await world.codeFor(aMan.contact, 'register');
    const changed = (changes: object) => world.refusal('register', { body: { ...aMan, code, ...changes } });
    expect(await changed({ terms_accepted: false })).toMatchObject({ code: 'invalid', field: 'terms_accepted' });
    expect(await changed({ password: '12345678' })).toMatchObject({ code: 'weak_password', field: 'password' });
    expect(await changed({ password: 'kai@example.com' })).toMatchObject({ code: 'weak_password' });
    expect(await changed({ gender_type: 'woman' })).toMatchObject({ code: 'invalid', field: 'service' });
    expect(await changed({ gender_type: 'admin' })).toMatchObject({ code: 'invalid', field: 'gender_type' });
    expect(await changed({ service: aWoman.service })).toMatchObject({ code: 'invalid' });
    expect(await changed({ nickname: ' ' })).toMatchObject({ code: 'invalid', field: 'nickname' });
    expect(await changed({ contact: 'nobody' })).toMatchObject({ code: 'invalid', field: 'contact' });
  });

  it('allows a nickname once, and reports early whether it is free', async () => {
    const world = await open();
    const ask = (nickname: string) => world.ask('available', { query: { nickname } });
    expect(await ask('Kai')).toEqual({ nickname: true });
    await world.register(aMan, { nickname: 'Kai' });
    expect(await ask('kAI')).toEqual({ nickname: false });
    expect(await ask('Ｋａｉ')).toEqual({ nickname: false });
    const code = await world.codeFor('0911000111', 'register');
    const other = { ...aMan, contact: '0911000111', code };
    expect(await world.refusal('register', { body: { ...other, nickname: 'KAI' } })).toMatchObject({
      status: 409,
      code: 'taken',
      field: 'nickname',
    });
    // The code is still valid: only the fault has to be corrected.
    await world.ask('register', { body: other });
  });

  it.for(['SQLite', 'PostgreSQL'])(
    'treats names that look equal as one name, stored in %s: capitals, composed accents and wide letters',
    async (kind, context) => {
      if (kind === 'PostgreSQL' && NO_POSTGRES !== undefined) context.skip(NO_POSTGRES);
      const schema = kind === 'PostgreSQL' ? await migratedSchema() : null;
      if (schema) undo.push(() => schema.drop());
      const world = await open({}, schema?.url ?? ':memory:');
      const eva = await world.register(aMan, { nickname: 'ÉVA' });
      const isFree = async (nickname: string) => (await world.ask('available', { query: { nickname } })).nickname;
      // The accent is a separate character in the second and the third.
      for (const alike of ['éva', 'E\u0301VA', 'e\u0301va', 'ｅ\u0301ｖａ']) {
        expect([alike, await isFree(alike)]).toEqual([alike, false]);
      }
      expect(await isFree('eva')).toBe(true);

      const other = await world.register(aWoman, { nickname: 'eva' });
      const rename = (nickname: string) => ({ body: { nickname } });
      expect(await world.refusal('changeProfile', rename('e\u0301vA'), other.token)).toMatchObject({
        status: 409,
        code: 'taken',
        field: 'nickname',
      });
      expect((await world.ask('changeProfile', rename('e\u0301va'), eva.token)).nickname).toBe('éva');
      expect(await world.ask('changeProfile', rename('Ｍei'), other.token)).toMatchObject({ nickname: 'Mei' });
      expect([await isFree('eva'), await isFree('mEI'), await isFree('ÉVA')]).toEqual([true, false, false]);

      // A registration for a name that another transaction is taking waits, and then finds it taken.
      const { accounts, database } = await world.product.opened();
      let second: Promise<unknown> | undefined;
      await database.db.transaction().execute(async (transaction) => {
        const name = await accounts.claimNickname(transaction, eva.u_id, 'Ö');
        second = world.refusal('changeProfile', rename('ö'), other.token);
        for (let turn = 0; turn < 20; turn += 1) await accounts.find(eva.u_id, transaction);
        await transaction.updateTable('ringback_profiles').set(name).where('u_id', '=', eva.u_id).execute();
      });
      expect(await second).toMatchObject({ code: 'taken' });
    },
  );

  it('accepts a code once, also when two requests use it at the same time', async () => {
    const world = await open();
    const code = await world.codeFor(aMan.contact, 'register');
    const both = await Promise.all(
      ['Kai', 'Ren'].map((nickname) => world.http('register', { body: { ...aMan, code, nickname } }, '')),
    );
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('the service of a woman at registration', () => {
  it('sets her call settings and her profile', async () => {
    const world = await open();
    const service = { voice: true, video: false, tier: 'premium', languages: ['ja', 'zh', 'ja'], intro: '聊聊電影吧' };
    const { token, u_id } = await world.register(aWoman, { service });
    expect(await world.ask('mySettings', {}, token)).toMatchObject({
      accepts_voice: true,
      accepts_video: false,
      prices: { voice: 40, video: 80 },
    });
    expect(await world.ask('myProfile', {}, token)).toMatchObject({ languages: ['ja', 'zh'], intro: '聊聊電影吧' });
    const man = await world.register(aMan);
    expect(await world.ask('person', { params: { u_id } }, man.token)).toMatchObject({
      accepts_voice: true,
      accepts_video: false,
      languages: ['ja', 'zh'],
    });
  });
});

describe('the people of a server', () => {
  it('can be more than one statement takes', async () => {
    const people = Array.from({ length: 5_000 }, (_, at) => aPerson(`person-${at}`, 'man'));
    const { database, letters } = await open({ people });
    // The first request opens the product.
    await letters();
    const count = (table: 'ringback_accounts' | 'ringback_profiles') =>
      database.db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirst();
    expect([await count('ringback_accounts'), await count('ringback_profiles')]).toEqual([
      { count: 5_000 },
      { count: 5_000 },
    ]);
  });
});

describe('the welcome gift', () => {
  it('is a hundred coins for every man, and none for women', async () => {
    const world = await open();
    const [man, woman] = [await world.register(aMan), await world.register(aWoman)];
    const entries = await world.database.db
      .selectFrom('ringback_entries')
      .orderBy('account')
      .select(['account', 'delta'])
      .execute();
    expect(entries).toEqual([
      { account: `coins:${man.u_id}`, delta: 100 },
      { account: 'house:bonus', delta: -100 },
    ]);
    expect(JSON.stringify(entries)).not.toContain(woman.u_id);
  });
});

describe('a code', () => {
  it('has six digits, is valid for ten minutes, and for half an hour once it was verified', async () => {
    const world = await open();
    const code = await world.codeFor(aMan.contact, 'register');
    expect(code).toMatch(/^\d{6}$/);
    const check = { body: { to: aMan.contact, purpose: 'register', code } } as const;
    world.clock.advance(10 * MINUTE - SECOND);
    await world.ask('checkCode', check);
    world.clock.advance(30 * MINUTE - SECOND);
    await world.ask('register', { body: { ...aMan, code } });
    const late = await world.codeFor('ren@example.com', 'register');
    world.clock.advance(10 * MINUTE);
    expect(
      await world.refusal('checkCode', { body: { ...check.body, to: 'ren@example.com', code: late } }),
    ).toMatchObject({ status: 410, code: 'code_expired', field: 'code' });
  });

  it('uses no attempt when it is correct', async () => {
    const world = await open();
    const code = await world.codeFor(aMan.contact, 'register');
    const check = { body: { to: aMan.contact, purpose: 'register', code } } as const;
    for (let times = 0; times < 6; times += 1) await world.ask('checkCode', check);
    await world.ask('register', { body: { ...aMan, code } });
  });

  it('allows five attempts', async () => {
    const world = await open();
    const code = await world.codeFor(aMan.contact, 'register');
    const wrong = code === '000000' ? '000001' : '000000';
    const tried = (given: string) =>
      world.refusal('checkCode', { body: { to: aMan.contact, purpose: 'register', code: given } });
    for (let tries = 0; tries < 5; tries += 1)
      expect(await tried(wrong)).toMatchObject({ status: 400, code: 'code_wrong' });
    expect(await tried(code)).toMatchObject({ status: 410, code: 'code_spent' });
  });

  it('is sent again after a minute, and three times in ten; the previous one is no longer valid', async () => {
    const world = await open();
    const send = () => world.refusal('sendCode', { body: { to: '0912345678', purpose: 'register' } });
    const first = await world.codeFor('0912345678', 'register');
    world.clock.advance(59 * SECOND);
    expect(await send()).toMatchObject({ status: 429, code: 'too_many', retry_after: 1 });
    world.clock.advance(SECOND);
    const second = await world.codeFor('+886912345678', 'register');
    const check = (code: string) => ({ body: { to: '0912345678', purpose: 'register', code } }) as const;
    if (first !== second) expect((await world.refusal('checkCode', check(first))).code).toBe('code_wrong');
    await world.ask('checkCode', check(second));
    world.clock.advance(MINUTE);
    await world.codeFor('0912345678', 'register');
    world.clock.advance(MINUTE);
    expect(await send()).toMatchObject({ status: 429, retry_after: 7 * 60 });
  });

  it('is valid for one purpose and one contact, and is stored as a hash', async () => {
    const world = await open();
    const code = await world.codeFor(aMan.contact, 'register');
    for (const body of [
      { to: aMan.contact, purpose: 'login', code },
      { to: 'ren@example.com', purpose: 'register', code },
    ]) {
      expect((await world.refusal('checkCode', { body })).code).toBe('code_expired');
    }
    const rows = JSON.stringify(
      await world.database.db.selectFrom('ringback_codes').select(['code_hash', 'purpose', 'destination']).execute(),
    );
    expect(rows).not.toContain(code);
    expect(world.logged.join()).not.toContain(code);
  });

  it('S06: for registration reveals an account of the contact only in its letter: the answers are equal', async () => {
    const world = await open();
    await world.register(aMan);
    world.clock.advance(60 * MINUTE);
    const answers = [];
    for (const to of [aMan.contact, 'ren@example.com']) {
      answers.push([
        await world.ask('sendCode', { body: { to, purpose: 'register' } }),
        (await world.refusal('sendCode', { body: { to, purpose: 'register' } })).code,
        (await world.refusal('checkCode', { body: { to, purpose: 'register', code: '000000' } })).code,
        (await world.refusal('register', { body: { ...aMan, contact: to, nickname: 'Ren', code: '000000' } })).code,
      ]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect((await world.letters(aMan.contact))[0]).toMatchObject({ about: 'account_exists', code: null });
    expect((await world.letters('ren@example.com'))[0]).toMatchObject({ about: 'register' });
    expect(await world.refusal('available', { query: { contact: aMan.contact } })).toMatchObject({ code: 'invalid' });
  });

  it('is not sent to a contact without an account, and the answer does not reveal that', async () => {
    const world = await open();
    await world.register(aMan);
    world.clock.advance(MINUTE);
    const answers = [];
    for (const to of [aMan.contact, 'nobody@example.com']) {
      answers.push([
        await world.ask('sendCode', { body: { to, purpose: 'reset' } }),
        (await world.refusal('sendCode', { body: { to, purpose: 'reset' } })).code,
        (await world.refusal('checkCode', { body: { to, purpose: 'reset', code: '000000' } })).code,
      ]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(await world.letters('nobody@example.com')).toEqual([]);
    expect((await world.letters(aMan.contact))[0]?.about).toBe('reset');
  });

  it('S14: cannot be guessed by many attempts: ten wrong codes of an address lock it, and wrong passwords do not count', async () => {
    const world = await open();
    const { u_id } = await world.register(aMan);
    const guess = async (code: string) =>
      (await world.refusal('checkCode', { body: { to: aMan.contact, purpose: 'reset', code } })).code;
    const another = (code: string) => (code === '000000' ? '111111' : '000000');
    const told: string[] = [];
    // Without a sent code there is nothing to guess, and no user to lock out.
    for (let tried = 0; tried < 15; tried += 1) expect(await guess('000000')).toBe('code_expired');
    for (const tries of [5, 5]) {
      world.clock.advance(MINUTE);
      const wrong = another(await world.codeFor(aMan.contact, 'reset'));
      for (let tried = 0; tried < tries; tried += 1) told.push(await guess(wrong));
    }
    expect(new Set(told)).toEqual(new Set(['code_wrong']));
    for (let tried = 0; tried < 5; tried += 1) {
      await world.refusal('login', { body: { user_id: u_id, password: 'not this one' } });
    }
    world.clock.advance(9 * MINUTE);
    const code = await world.codeFor(aMan.contact, 'reset');
    const body = { contact: aMan.contact, code, password: 'a new and long one' };
    expect(await world.refusal('resetPassword', { body })).toMatchObject({
      status: 423,
      code: 'locked',
      retry_after: 4 * 60,
    });
    world.clock.advance(4 * MINUTE);
    expect((await world.ask('resetPassword', { body })).u_id).toBe(u_id);
  });

  it('S14: stays valid after wrong attempts of another address, and after a request for another code within the minute', async () => {
    const world = await open();
    const { u_id } = await world.register(aMan);
    world.clock.advance(MINUTE);
    const stranger = '198.51.100.7';
    const mine = await world.codeFor(aMan.contact, 'login');
    const sent = await world.http('sendCode', { body: { to: aMan.contact, purpose: 'login' }, address: stranger }, '');
    expect(sent.status).toBe(200);
    const guess = { body: { to: aMan.contact, purpose: 'login', code: mine === '000000' ? '1' : '000000' } };
    const told: string[] = [];
    for (let tries = 0; tries < 6; tries += 1) {
      told.push((await world.refusal('checkCode', { ...guess, address: stranger })).code);
    }
    expect(told).toEqual([...Array<string>(5).fill('code_wrong'), 'code_spent']);
    expect((await world.ask('login', { body: { user_id: aMan.contact, code: mine } })).u_id).toBe(u_id);
    // A user of one address has used both.
    const second = (await world.letters(aMan.contact))[0]?.code ?? '';
    expect((await world.refusal('login', { body: { user_id: aMan.contact, code: second } })).code).toMatch(/^code_/);
  });

  it('S14: is sent to a contact three times in ten minutes for each address, so other clients do not use up the limit', async () => {
    const world = await open();
    await world.register(aMan);
    const send = (address: string) =>
      world.http('sendCode', { body: { to: aMan.contact, purpose: 'login' }, address }, '');
    for (let times = 0; times < 3; times += 1) {
      world.clock.advance(MINUTE);
      expect((await send('198.51.100.7')).status).toBe(200);
    }
    world.clock.advance(MINUTE);
    expect(await send('198.51.100.7')).toMatchObject({ status: 429, body: { code: 'too_many' } });
    expect((await send('192.0.2.1')).status).toBe(200);
  });

  it('S14: is stored for at most forty minutes after it was sent, however often it is verified', async () => {
    const world = await open();
    const code = await world.codeFor(aMan.contact, 'register');
    const check = { body: { to: aMan.contact, purpose: 'register', code } } as const;
    for (const minutes of [9, 20, 10]) {
      world.clock.advance(minutes * MINUTE);
      await world.ask('checkCode', check);
    }
    world.clock.advance(MINUTE);
    expect((await world.refusal('checkCode', check)).code).toBe('code_expired');
  });

  it('S14: is limited in letters to all contacts together, and in letters requested by one address', async () => {
    const carried: unknown[] = [];
    const world = await open({ ports: { courier: { deliver: (letter) => void carried.push(letter) } } });
    const send = (at: number, address: string) =>
      world.http('sendCode', { body: { to: `user${at}@example.com`, purpose: 'register' }, address }, '');
    const ofOne = await Promise.all(Array.from({ length: 21 }, (_, at) => send(at, '198.51.100.7')));
    expect(ofOne.map(({ status }) => status)).toEqual([...Array<number>(20).fill(200), 429]);
    expect(ofOne[20]?.headers).toEqual({ 'retry-after': '600' });
    for (let at = 20; at < 2_000; at += 1) await send(at, `10.0.0.${Math.floor(at / 20)}`);
    expect(carried).toHaveLength(2_000);
    expect(await send(2_000, '203.0.113.1')).toMatchObject({ status: 429, body: { code: 'too_many' } });
  });

  it('is sent by the courier of the server; without one the request is refused, and only a demo has a mailbox', async () => {
    const none = await open({ isDemo: false });
    const send = { body: { to: aMan.contact, purpose: 'register' } } as const;
    expect(await none.refusal('sendCode', send)).toMatchObject({ status: 503, code: 'undeliverable' });
    expect(await none.refusal('demoMailbox', {})).toMatchObject({ status: 404 });
    const carried: unknown[] = [];
    const own = await open({ isDemo: true, ports: { courier: { deliver: (letter) => void carried.push(letter) } } });
    await own.ask('sendCode', send);
    expect(carried).toEqual([
      { to: aMan.contact, at: own.clock.wallTime(), about: 'register', code: expect.stringMatching(/^\d{6}$/) },
    ]);
    expect(await own.refusal('demoMailbox', {})).toMatchObject({ status: 404 });
    const broken = await open({ ports: { courier: { deliver: () => Promise.reject(new Error('no line')) } } });
    expect(await broken.refusal('sendCode', send)).toMatchObject({ code: 'undeliverable' });
  });
});

describe('a sign-in', () => {
  it('is also possible with a code, which is then invalid', async () => {
    const world = await open();
    const { u_id } = await world.register(aMan);
    world.clock.advance(MINUTE);
    const code = await world.codeFor(aMan.contact, 'login');
    const login = { body: { user_id: aMan.contact, code } };
    expect((await world.ask('login', login)).u_id).toBe(u_id);
    expect((await world.refusal('login', login)).code).toMatch(/^code_/);
  });

  it('S08 returns a new token each time, which ends with the sign-out', async () => {
    const world = await open();
    const first = await world.register(aMan);
    const second = await world.ask('login', { body: { user_id: first.u_id, password: aMan.password } });
    expect(second.token).not.toBe(first.token);
    expect(Buffer.from(second.token, 'base64url').length).toBeGreaterThanOrEqual(16);
    await world.ask('logout', {}, second.token);
    expect((await world.refusal('refreshToken', {}, second.token)).status).toBe(401);
    expect(await world.ask('refreshToken', {}, first.token)).toEqual({ u_id: first.u_id });
    world.clock.advance(7 * DAY);
    expect((await world.refusal('refreshToken', {}, first.token)).status).toBe(401);
  });

  it('is refused with the same message for every cause, and locks after five wrong passwords with a time to wait', async () => {
    const world = await open();
    const { u_id } = await world.register(aMan);
    const guess = (user_id: string, password = 'wrong') => world.refusal('login', { body: { user_id, password } });
    for (const name of [aMan.contact, 'nobody@example.com']) {
      for (let tries = 0; tries < 5; tries += 1) {
        expect(await guess(name)).toMatchObject({ status: 401, code: 'wrong_credentials' });
      }
      expect(await guess(name)).toMatchObject({ status: 423, code: 'locked', retry_after: 300 });
    }
    // The lock is of the account, by any name. Not even the right password opens it before its time.
    expect((await guess(u_id, aMan.password)).code).toBe('locked');
    world.clock.advance(5 * MINUTE);
    expect((await guess(u_id)).code).toBe('wrong_credentials');
    await world.ask('login', { body: { user_id: u_id, password: aMan.password } });
    // A correct password resets the count of wrong passwords.
    for (let tries = 0; tries < 5; tries += 1) expect((await guess(u_id)).code).toBe('wrong_credentials');
    expect((await guess(u_id)).code).toBe('locked');
  });

  it('S14: is locked by one client only for that client, and by many clients only for passwords: a code still signs in', async () => {
    const world = await open();
    const { u_id, token } = await world.register(aMan);
    world.clock.advance(MINUTE);
    const guess = (address: string) => world.http('login', { body: { user_id: u_id, password: 'wrong' }, address }, '');
    for (let tries = 0; tries < 5; tries += 1) expect((await guess('198.51.100.7')).status).toBe(401);
    expect((await guess('198.51.100.7')).status).toBe(423);
    await world.ask('login', { body: { user_id: u_id, password: aMan.password } });
    for (let at = 0; at < 100; at += 1) await guess(`10.0.0.${at}`);
    expect(await world.refusal('login', { body: { user_id: u_id, password: aMan.password } })).toMatchObject({
      status: 423,
      code: 'locked',
    });
    const code = await world.codeFor(aMan.contact, 'login');
    expect((await world.ask('login', { body: { user_id: aMan.contact, code } })).u_id).toBe(u_id);
    // A signed-in user still proves by the password that the account is theirs.
    await world.ask(
      'changePassword',
      { body: { password: 'a new and long one', proof: { password: aMan.password } } },
      token,
    );
  });

  it('S14: a wrong password writes nothing to the database', async () => {
    const world = await open();
    const { u_id } = await world.register(aMan);
    const queries: string[] = [];
    const { db } = world.database;
    const executor = db.getExecutor();
    const execute = executor.executeQuery.bind(executor);
    executor.executeQuery = (query, ...rest) => {
      queries.push(query.sql);
      return execute(query, ...rest);
    };
    await world.refusal('login', { body: { user_id: u_id, password: 'wrong' } });
    expect(queries.length).toBeGreaterThan(0);
    expect(queries.filter((sql) => !sql.startsWith('select'))).toEqual([]);
  });

  it('S14 permits no more attempts for requests at the same time', async () => {
    const world = await open();
    await world.register(aMan);
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        world.http('login', { body: { user_id: aMan.contact, password: `guess ${at}` } }, ''),
      ),
    );
    expect(all.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(all.filter(({ status }) => status === 423)).toHaveLength(25);
  });

  it('B55 is refused with a time to wait after many attempts of one user', async () => {
    const world = await open();
    const all = await Promise.all(
      Array.from({ length: 100 }, () => world.http('login', { body: { user_id: 'nobody', password: 'x' } }, '')),
    );
    expect(all.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  it('is refused to a suspended user, who gets that cause only with the correct password', async () => {
    const world = await open();
    const { u_id, token } = await world.register(aMan);
    await world.database.db
      .updateTable('ringback_accounts')
      .set({ suspended_at: 1 })
      .where('u_id', '=', u_id)
      .execute();
    expect(await world.refusal('login', { body: { user_id: u_id, password: aMan.password } })).toMatchObject({
      status: 403,
      code: 'suspended',
    });
    expect((await world.refusal('login', { body: { user_id: u_id, password: 'x' } })).code).toBe('wrong_credentials');
    expect((await world.refusal('refreshToken', {}, token)).code).toBe('signed_out');
  });

  it('S43 is not possible as the testUser of the specification on a server for real users', async () => {
    const world = await open({ isDemo: false });
    expect(await world.refusal('login', { body: { user_id: 'testUser' } })).toMatchObject({ status: 401 });
    expect(await world.product.mayLogIn('testUser', null)).toBe(false);
  });
});

describe('the calling login of a demo', () => {
  it('S06 S43 accepts the users of the demo without a token, and no account that a user registered', async () => {
    const world = await open({ isDemo: true, people: demoPeople().slice(0, 1) });
    const [person] = demoPeople();
    const { u_id } = await world.register(aMan);
    expect(await world.product.mayLogIn(person?.u_id ?? '', null)).toBe(true);
    expect(await world.product.mayLogIn(u_id, null)).toBe(false);
    expect(await world.product.mayLogIn('nobody', null)).toBe(false);
  });
});

describe('a session that has ended', () => {
  /** Two sessions of one man, each with its sockets, and one of a woman beside them. */
  async function sessions() {
    const world = await open();
    const { signedOut } = world;
    const first = await world.register(aMan);
    const second = await world.ask('login', { body: { user_id: first.u_id, password: aMan.password } });
    const woman = await world.register(aWoman);
    const socketsOf = ({ u_id, token }: typeof first) =>
      Promise.all(['/ws/events', `/ws/online/${u_id}`].map((path) => world.openSocket(path, token)));
    const mayCall = ({ u_id, calling_access_token }: typeof first) =>
      world.product.mayLogIn(u_id, calling_access_token);
    return {
      ...{ world, first, second, woman, signedOut, mayCall },
      sockets: {
        first: await socketsOf(first),
        second: await socketsOf(second),
        woman: await socketsOf(woman),
      },
      suspend: (uId: string, suspended_at: number | null) =>
        world.database.db.updateTable('ringback_accounts').set({ suspended_at }).where('u_id', '=', uId).execute(),
      async pass(ms: number) {
        world.clock.advance(ms);
        await world.product.settled();
      },
    };
  }
  const OPEN = [[], []];
  const CLOSED = [[4401], [4401]];

  it('S08 S50 by sign-out closes its sockets, and its calling token is no longer valid', async () => {
    const { world, first, second, woman, sockets, signedOut, mayCall } = await sessions();
    expect(new Set([first, second, woman].map((one) => one.calling_access_token)).size).toBe(3);
    expect(await Promise.all([first, second, woman].map(mayCall))).toEqual([true, true, true]);
    expect(await world.product.mayLogIn(woman.u_id, first.calling_access_token)).toBe(false);
    await world.ask('logout', {}, first.token);
    expect(sockets).toEqual({ first: CLOSED, second: OPEN, woman: OPEN });
    expect(await Promise.all([first, second, woman].map(mayCall))).toEqual([false, true, true]);
    expect(signedOut).toEqual([first.calling_access_token]);
    await expect(world.openSocket('/ws/events', first.token)).rejects.toThrow('Sign in first.');
  });

  it('S08 by a new password closes every socket of the user', async () => {
    const { world, first, second, woman, sockets, signedOut, mayCall } = await sessions();
    world.clock.advance(MINUTE);
    const code = await world.codeFor(aMan.contact, 'reset');
    const fresh = await world.ask('resetPassword', {
      body: { contact: aMan.contact, code, password: 'a quite different one' },
    });
    expect(sockets).toEqual({ first: CLOSED, second: CLOSED, woman: OPEN });
    expect(await Promise.all([first, second, woman, fresh].map(mayCall))).toEqual([false, false, true, true]);
    expect(signedOut).toEqual([undefined]);
  });

  it('S08 with its account closes every socket, and the user can neither call nor be called', async () => {
    const { world, first, second, woman, sockets, mayCall } = await sessions();
    await world.ask('deleteMe', { body: { password: aMan.password } }, first.token);
    expect(sockets).toEqual({ first: CLOSED, second: CLOSED, woman: OPEN });
    expect(await Promise.all([first, second, woman].map(mayCall))).toEqual([false, false, true]);
    for (const [caller, callee] of [[first, woman] as const, [woman, first] as const]) {
      const dial = { callId: 'asked', caller: caller.u_id, callee: callee.u_id, isVideoCall: false };
      expect(await world.product.mayDial(dial)).toBe(false);
    }
  });

  it('S08 by a suspension closes every socket within half a minute, and the user can neither call nor be called at once', async () => {
    const { world, first, second, woman, sockets, mayCall, suspend, pass } = await sessions();
    const dials = () =>
      Promise.all(
        [[first, woman] as const, [woman, first] as const].map(([caller, callee]) =>
          world.product.mayDial({ callId: 'asked', caller: caller.u_id, callee: callee.u_id, isVideoCall: false }),
        ),
      );
    expect(await dials()).toEqual([true, true]);
    await suspend(first.u_id, 1);
    expect(await dials()).toEqual([false, false]);
    expect(await Promise.all([first, second, woman].map(mayCall))).toEqual([false, false, true]);
    expect(await world.product.mayLogIn(first.u_id, null)).toBe(false);
    await expect(world.openSocket('/ws/events', first.token)).rejects.toThrow('Sign in first.');
    expect(sockets.first).toEqual(OPEN);
    await pass(30 * SECOND);
    expect(sockets).toEqual({ first: CLOSED, second: CLOSED, woman: OPEN });
    expect(world.gone).toEqual([first.u_id]);
    // After the end of the suspension they sign in, and the calling service has them again.
    await suspend(first.u_id, null);
    world.callers.length = 0;
    await world.ask('login', { body: { user_id: first.u_id, password: aMan.password } });
    expect(world.callers).toEqual([first.u_id]);
  });

  it('S42 removes the devices that it registered; a new password removes all devices of the user', async () => {
    const told: string[] = [];
    const post = (url: string) => Promise.resolve((told.push(url), 201));
    const world = await open({ ports: { push: { post } } });
    const phone = await world.register(aMan);
    const desk = await world.ask('login', { body: { user_id: phone.u_id, password: aMan.password } });
    const [atPhone, atDesk] = [
      'https://fcm.googleapis.com/fcm/send/phone',
      'https://fcm.googleapis.com/fcm/send/desk',
    ] as const;
    const save = (endpoint: string, session: string) =>
      world.ask('savePushToken', { body: { token: pushReceiver(endpoint).token } }, session);
    const ring = async () => {
      told.length = 0;
      await world.product.notify(phone.u_id, { type: 'CALL', name: 'Mei', gift_name: '', coin: '', icon: '' });
      return new Set(told);
    };
    await save(atPhone, phone.token);
    await save(atDesk, desk.token);
    expect(await ring()).toEqual(new Set([atPhone, atDesk]));
    await world.ask('logout', {}, phone.token);
    expect(await ring()).toEqual(new Set([atDesk]));

    const suspend = (suspended_at: number | null) =>
      world.database.db.updateTable('ringback_accounts').set({ suspended_at }).where('u_id', '=', phone.u_id).execute();
    await suspend(1);
    expect(await ring()).toEqual(new Set());
    await suspend(null);
    expect(await ring()).toEqual(new Set([atDesk]));
    world.clock.advance(MINUTE);
    const code = await world.codeFor(aMan.contact, 'reset');
    await world.ask('resetPassword', { body: { contact: aMan.contact, code, password: 'a quite different one' } });
    expect(await ring()).toEqual(new Set());
  });

  it('S42 sends no message to its devices after it has expired, and the next login removes them', async () => {
    const told: string[] = [];
    const world = await open({ ports: { push: { post: (url) => Promise.resolve((told.push(url), 201)) } } });
    const phone = await world.register(aMan);
    const save = (name: string, { token }: typeof phone) =>
      world.ask(
        'savePushToken',
        { body: { token: pushReceiver(`https://fcm.googleapis.com/fcm/send/${name}`).token } },
        token,
      );
    const ring = async () => {
      told.length = 0;
      await world.product.notify(phone.u_id, { type: 'CALL', name: 'Mei', gift_name: '', coin: '', icon: '' });
      return told.map((url) => url.split('/').at(-1));
    };
    const login = () => world.ask('login', { body: { user_id: phone.u_id, password: aMan.password } });
    await save('phone', phone);
    world.clock.advance(DAY);
    const desk = await login();
    await save('desk', desk);
    world.clock.advance(6 * DAY - 1);
    expect(new Set(await ring())).toEqual(new Set(['phone', 'desk']));
    world.clock.advance(1);
    expect(await ring()).toEqual(['desk']);
    await login();
    expect(await world.database.db.selectFrom('ringback_devices').select('u_id').execute()).toHaveLength(1);
  });

  it('S08 by its expiry, or on another server with the same database, closes its sockets within half a minute', async () => {
    const { world, first, second, woman, sockets, signedOut, pass } = await sessions();
    await world.database.db.deleteFrom('ringback_sign_ins').where('u_id', '=', woman.u_id).execute();
    await pass(30 * SECOND);
    expect(sockets).toEqual({ first: OPEN, second: OPEN, woman: CLOSED });
    expect(signedOut).toEqual([woman.calling_access_token]);
    await pass(7 * DAY);
    expect(sockets.first).toEqual(CLOSED);
    expect(new Set(signedOut)).toEqual(new Set([first, second, woman].map((one) => one.calling_access_token)));
  });
});

describe('a session of the calling service', () => {
  const PEOPLE = [aPerson('mei', 'woman'), aPerson('kai', 'man')];

  /** The platform as it is served, without a client on the product's sockets. */
  async function fixture() {
    const clock = new HandClock(Date.UTC(2026, 0, 1));
    const database = await openTestDatabase(':memory:');
    const opened = openInstance({
      people: PEOPLE,
      isDemo: true,
      apiUrl: 'http://product.test',
      settings: { appId: 'ringback-demo' },
      clock,
      endOfTurn: () => Promise.resolve(),
      rateLimits: clockedLimits(clock),
      log: () => undefined,
      postWebhook: () => Promise.resolve(),
      database,
    });
    await opened.ready();
    const ask = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
      opened.http({ method, path, query: {}, headers, address: '192.0.2.1', body });
    /** A device of a signed-in user, with the close code of its channel. */
    async function device(who: string, clientId = who) {
      const { token, calling_access_token } = v.parse(
        PRODUCT_API.login.answer,
        (await ask('POST', '/auth/login', { user_id: who })).body,
      );
      const access = { app_id: 'ringback-demo', user_id: who, access_token: calling_access_token };
      const answer = await ask('POST', `/v1/users/${who}/login`, access, { 'x-client-id': clientId });
      const { sbcall_session_token: sessionToken } = v.parse(
        v.object({ sbcall_session_token: v.string() }),
        answer.body,
      );
      const closes: number[] = [];
      const link = { send: () => undefined, close: (code: number) => void closes.push(code) };
      expect(opened.connect({ sessionToken, clientId, version: '1' }, link)).not.toHaveProperty('status');
      return { token, closes };
    }
    undo.push(async () => {
      await opened.dispose();
      await database.db.destroy();
    });
    return {
      ask,
      database,
      device,
      async pass(ms: number) {
        clock.advance(ms);
        await opened.settled();
      },
    };
  }

  it('S08 ends within half a minute after its product session, also without an open page', async () => {
    const { database, device, pass } = await fixture();
    const [mei, kai] = [await device('mei'), await device('kai')];
    await pass(30 * SECOND);
    expect([mei.closes, kai.closes]).toEqual([[], []]);
    // This is possible on another server, for example.
    await database.db.deleteFrom('ringback_sign_ins').where('u_id', '=', 'mei').execute();
    await pass(30 * SECOND);
    expect([mei.closes, kai.closes]).toEqual([[4401], []]);
    await pass(7 * DAY);
    expect(kai.closes).toEqual([4401]);
  });

  it('S08 ends at once when another session of the user ends it, also without an open page', async () => {
    const { ask, device } = await fixture();
    const [phone, desk, kai] = [await device('mei', 'phone'), await device('mei', 'desk'), await device('kai')];
    const answer = await ask('DELETE', '/me/sessions', undefined, { authorization: `Bearer ${desk.token}` });
    expect(answer.status).toBe(200);
    expect([phone.closes, desk.closes, kai.closes]).toEqual([[4401], [], []]);
  });
});

describe('a forgotten password', () => {
  it('is replaced with a code; every session ends, and the user is notified', async () => {
    const world = await open();
    const old = await world.register(aMan);
    world.clock.advance(MINUTE);
    const code = await world.codeFor(aMan.contact, 'reset');
    const reset = { contact: aMan.contact, code, password: 'a quite different one' };
    expect((await world.refusal('resetPassword', { body: { ...reset, password: 'password' } })).code).toBe(
      'weak_password',
    );
    const fresh = await world.ask('resetPassword', { body: reset });
    expect(fresh.u_id).toBe(old.u_id);
    expect((await world.refusal('refreshToken', {}, old.token)).code).toBe('signed_out');
    expect(await world.ask('refreshToken', {}, fresh.token)).toEqual({ u_id: old.u_id });
    expect((await world.refusal('login', { body: { user_id: old.u_id, password: aMan.password } })).code).toBe(
      'wrong_credentials',
    );
    await world.ask('login', { body: { user_id: old.u_id, password: reset.password } });
    expect((await world.letters(aMan.contact))[0]).toMatchObject({ about: 'password_changed', code: null });
    expect((await world.refusal('resetPassword', { body: reset })).code).toMatch(/^code_/);
  });
});

describe('the deletion of an account', () => {
  it('requires the password, and leaves no personal data', async () => {
    const world = await open();
    const { u_id, token } = await world.register(aMan);
    expect((await world.refusal('deleteMe', { body: { password: 'x' } }, token)).code).toBe('wrong_credentials');
    await world.ask('deleteMe', { body: { password: aMan.password } }, token);
    // The request runs before, so that calls end and are written, and after: a login in between opens no session.
    expect(world.gone).toEqual([u_id, u_id]);
    expect((await world.refusal('refreshToken', {}, token)).code).toBe('signed_out');
    expect((await world.refusal('login', { body: { user_id: aMan.contact, password: aMan.password } })).code).toBe(
      'wrong_credentials',
    );
    const left = await Promise.all(
      (['ringback_accounts', 'ringback_profiles', 'ringback_contacts', 'ringback_sign_ins'] as const).map((table) =>
        world.database.db.selectFrom(table).selectAll().execute(),
      ),
    );
    expect(left).toEqual([[], [], [], []]);
    world.clock.advance(MINUTE);
    await world.register(aMan);
  });

  it('removes pictures, devices, the bank account, the list of favourites and their notes', async () => {
    const world = await open();
    const { u_id, token } = await world.register(aWoman);
    const { u_id: man } = await world.register(aMan);
    const { db } = world.database;
    await db.insertInto('ringback_gift_counts').values({ u_id, gift_id: 'rose', count: 1 }).execute();
    const body = { mediaType: 'image/jpeg', bytes: Buffer.from(await aPhoto(), 'base64') } as const;
    expect((await world.http('uploadMedia', { query: { for: 'profile' }, body }, token)).status).toBe(200);
    await world.ask('addFavorite', { body: { u_id: man } }, token);
    await world.ask('block', { body: { u_id: man } }, token);
    const account = { bank_code: '012', account_number: '123456789012', holder: '王小雨' } as const;
    const proof = { password: aWoman.password };
    await world.ask('setPayoutAccount', { body: { ...account, proof } }, token);
    await db.insertInto('ringback_devices').values({ token_hash: 'hash', u_id, token: 't', saved_at: 0 }).execute();
    await world.ask('deleteMe', { body: { password: aWoman.password } }, token);
    const tables = [
      'media',
      'media_contents',
      'favorites',
      'blocks',
      'payout_accounts',
      'devices',
      'gift_counts',
    ] as const;
    const left = tables.map((table) => db.selectFrom(`ringback_${table}`).selectAll().execute());
    expect(await Promise.all(left)).toEqual(tables.map(() => []));
  });

  it('S19 logs and refusals contain no password, code or token', async () => {
    const world = await open();
    const { token } = await world.register(aMan);
    const refused = [
      await world.refusal('login', { body: { user_id: aMan.contact, password: 'my secret word' } }),
      await world.refusal('register', { body: { ...aMan, code: '123456', password: 'my secret word' } }),
      await world.refusal('deleteMe', { body: { password: 'my secret word' } }, token),
    ];
    const said = JSON.stringify(refused) + world.logged.join();
    for (const secret of ['my secret word', '123456', token, 'node_modules', 'at /'])
      expect(said).not.toContain(secret);
  });
});
