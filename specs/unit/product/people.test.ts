import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createExchangeFixture } from '../exchange/exchange-fixture.ts';
import { isWithin } from '../../../sim/product/calendar.ts';
import type { AskOf } from '../../../src/protocol/product/api.ts';
import { openMigrated } from '../../../sim/store/open-store.ts';
import { migratedSchema, NO_POSTGRES } from '../../contract/store/postgres-schema.ts';
import { file, openPeopleWorld, type PeopleWorld, type PersonGiven, type Somebody } from './support/people-world.ts';

const DAY = 24 * 3_600_000;
const man = { gender_type: 'man' } as const;
const PEOPLE: Readonly<Record<string, PersonGiven>> = {
  kai: { ...man, city: '台中' },
  leo: man,
  ann: { city: '台北', age: 24, price: 20 },
  bea: { city: '台中', age: 31, price: 60, verified: true },
  cho: { city: '台北', age: 40, price: 120, accepts_video: false },
  dee: { city: '高雄', age: 24, price: 20 },
};

interface KeptCall {
  readonly lasted: number | null;
  readonly caller?: string;
  readonly callee?: string;
  readonly result?: string;
}

/** A call, by default to ann, as the exchange records it. A call of length zero was never connected. */
async function keepCall(
  { database, clock }: PeopleWorld,
  call_id: string,
  { lasted, caller = 'kai', callee = 'ann', result }: KeptCall,
): Promise<void> {
  const created_at = clock.wallTime();
  await database.db
    .insertInto('ringback_calls')
    .values({
      call_id,
      is_video_call: 1,
      participants: '[]',
      created_at,
      started_at: lasted === null ? null : created_at,
      ended_at: created_at + (lasted ?? 0),
      ended_by: null,
      duration: lasted ?? 0,
      end_result: result ?? (lasted === null ? 'no_answer' : 'completed'),
      custom_items: '{}',
      items_affected_at: created_at,
    })
    .execute();
  for (const [user_id, role] of [
    [caller, 'dc_caller'],
    [callee, 'dc_callee'],
  ] as const) {
    await database.db.insertInto('ringback_parts').values({ call_id, user_id, role, created_at }).execute();
  }
}

const KINDS = ['SQLite', 'PostgreSQL'] as const;

describe.each(KINDS)('people, kept in %s', (kind) => {
  let world: PeopleWorld;
  let kai: Somebody;
  let ann: Somebody;

  beforeEach(async (context) => {
    if (kind === 'PostgreSQL') {
      if (NO_POSTGRES !== undefined) context.skip(NO_POSTGRES);
      const schema = await migratedSchema();
      onTestFinished(() => schema.drop());
      world = await openPeopleWorld(PEOPLE, await openMigrated(schema.url, { warn: () => undefined }));
    } else {
      world = await openPeopleWorld(PEOPLE);
    }
    kai = await world.signIn('kai');
    ann = await world.signIn('ann');
  });
  afterEach(() => world?.close());

  const found = async (who: Somebody, query: AskOf<'discover'>['query'] = {}) =>
    (await who.ask('discover', { query })).items.map(({ u_id }) => u_id);

  it('S44: men see women and women see men, the newest first', async () => {
    expect(await found(kai)).toEqual(['dee', 'cho', 'bea', 'ann']);
    expect(await found(ann)).toEqual(['leo', 'kai']);
    expect(await kai.refused('person', { params: { u_id: 'leo' } })).toEqual([404, 'not_found']);
  });

  it('PRES-06: online users come first, and changes are sent to the users who saw them', async () => {
    await kai.hear();
    expect(await found(kai)).toEqual(['dee', 'cho', 'bea', 'ann']);
    const bea = await world.signIn('bea');
    const leave = await bea.comeOnline();
    expect(await found(kai)).toEqual(['bea', 'dee', 'cho', 'ann']);
    expect(await found(kai, { online: 'yes' })).toEqual(['bea']);
    world.setCalling('bea', 'in_call');
    expect(await found(kai, { online: 'yes' })).toEqual([]);
    world.setCalling('bea', 'offline');
    leave();
    expect(await found(kai)).toEqual(['dee', 'cho', 'bea', 'ann']);
    await world.product.settled();
    expect(kai.heard.map((event) => event.type === 'presence_changed' && [event.u_id, event.presence])).toEqual([
      ['bea', 'online'],
      ['bea', 'in_call'],
      ['bea', 'online'],
      ['bea', 'offline'],
    ]);
  });

  it('PRES-06 S06: changes are not sent to users of the same kind, viewers of other users, or across a block', async () => {
    const [leo, bea, cho, dee] = await Promise.all(['leo', 'bea', 'cho', 'dee'].map((uId) => world.signIn(uId)));
    const told = async (who: Somebody | undefined) => {
      await world.product.settled();
      return who?.heard
        .splice(0)
        .map((event) => event.type === 'presence_changed' && `${event.u_id} ${event.presence}`);
    };
    for (const one of [kai, leo, bea, dee]) await one?.hear();
    // A list, a portrait by name, the favourites, a chat: each shows a user to another.
    await kai.ask('discover', { query: {} });
    await leo?.ask('person', { params: { u_id: 'bea' } });
    await leo?.ask('addFavorite', { body: { u_id: 'dee' } });
    await leo?.ask('favorites', { query: {} });
    await cho?.ask('openChannel', { body: { u_id: 'kai' } });
    await bea?.ask('openChannel', { body: { u_id: 'leo' } });
    for (const uId of ['ann', 'bea', 'dee', 'kai', 'leo']) world.setCalling(uId, 'online');
    expect(await told(kai)).toEqual(['ann online', 'bea online', 'dee online']);
    expect(await told(leo)).toEqual(['bea online', 'dee online']);
    expect(await told(bea)).toEqual(['leo online']);
    expect(await told(dee)).toEqual([]);

    await bea?.ask('block', { body: { u_id: 'kai' } });
    await leo?.ask('block', { body: { u_id: 'bea' } });
    for (const uId of ['bea', 'leo', 'kai']) world.setCalling(uId, 'offline');
    expect([await told(kai), await told(leo), await told(bea)]).toEqual([[], [], []]);
    await bea?.ask('unblock', { params: { u_id: 'kai' } });
    world.setCalling('bea', 'online');
    expect([await told(kai), await told(leo)]).toEqual([['bea online'], []]);
  });

  it('PRES-06 S06: an existing chat does not reveal presence across a block', async () => {
    const { channel_url } = await kai.ask('openChannel', { body: { u_id: 'ann' } });
    const seen = async (who: Somebody) => {
      const { companion } = await who.ask('channel', { params: { channel_url } });
      return [companion.presence, companion.last_seen_at];
    };
    world.setCalling('ann', 'online');
    world.setCalling('kai', 'online');
    world.setCalling('kai', 'offline');
    expect([await seen(kai), await seen(ann)]).toEqual([
      ['online', null],
      ['offline', world.clock.wallTime()],
    ]);
    await kai.ask('block', { body: { u_id: 'ann' } });
    expect([await seen(kai), await seen(ann)]).toEqual([
      ['offline', null],
      ['offline', null],
    ]);
  });

  it('PRES-06: a user follows a limited number at once; the one shown longest ago is dropped', async () => {
    const { events } = await world.product.opened();
    await kai.hear();
    events.follow('kai', ['ann', ...Array.from({ length: 499 }, (_, at) => `one ${at}`), 'kai']);
    expect(['ann', 'one 0', 'kai'].map((uId) => events.followersOf(uId))).toEqual([['kai'], ['kai'], []]);
    events.follow('kai', ['ann', 'bea']);
    expect(['ann', 'bea', 'one 0', 'one 1'].map((uId) => events.followersOf(uId).length)).toEqual([1, 1, 0, 1]);
    events.follow('ann', ['kai']);
    expect(events.followersOf('kai')).toEqual([]);
  });

  it('come in pages that omit no user and repeat none', async () => {
    for (const uId of ['ann', 'cho']) await (await world.signIn(uId)).comeOnline();
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await kai.ask('discover', { query: { limit: '1', ...(cursor === undefined ? {} : { cursor }) } });
      seen.push(...page.items.map(({ u_id }) => u_id));
      cursor = page.next ?? undefined;
      pages += 1;
    } while (cursor !== undefined && pages < 10);
    expect(seen).toEqual(['ann', 'cho', 'dee', 'bea']);
  });

  it.each([
    [{ city: '台北' }, ['cho', 'ann']],
    [{ near: 'yes' }, ['bea']],
    [{ verified: 'yes' }, ['bea']],
    [{ video: 'yes' }, ['dee', 'bea', 'ann']],
    [{ new: 'yes' }, []],
    [{ age_from: '30' }, ['cho', 'bea']],
    [{ age_to: '30' }, ['dee', 'ann']],
    [{ age_from: '25', age_to: '35', city: '台中' }, ['bea']],
    [{ price_to: '60' }, ['dee', 'bea', 'ann']],
    [{ language: 'ja' }, []],
  ] as const)('are filtered by %o', async (query, expected) => {
    expect(await found(kai, query)).toEqual(expected);
  });

  it.each(['2026-01-01', '2027-02-28', '2028-02-29', '2028-03-01'])(
    'are filtered by their displayed age on %s, also on their birthday',
    async (today) => {
      const birthdays = { ann: '1996-01-01', bea: '1996-02-28', cho: '1996-02-29', dee: '1997-03-01' };
      for (const [u_id, birthday] of Object.entries(birthdays)) {
        await world.database.db.updateTable('ringback_profiles').set({ birthday }).where('u_id', '=', u_id).execute();
      }
      // A step of the date: years of timers prove nothing here.
      world.clock.set(Date.parse(today) - world.clock.wallTime());
      const him = await world.signIn('kai');
      const { items } = await him.ask('discover', { query: {} });
      expect(items).toHaveLength(4);
      for (const age of [29, 30, 31, 32].map(String)) {
        const whose = (is: (shown: number) => boolean) => items.filter((one) => is(one.age)).map(({ u_id }) => u_id);
        expect(await found(him, { age_to: age }), `up to ${age}`).toEqual(whose((shown) => shown <= Number(age)));
        expect(await found(him, { age_from: age }), `from ${age}`).toEqual(whose((shown) => shown >= Number(age)));
      }
    },
  );

  it('are filtered to the favourites of the reader, also with another filter', async () => {
    const leo = await world.signIn('leo');
    for (const u_id of ['ann', 'bea']) await kai.ask('addFavorite', { body: { u_id } });
    await leo.ask('addFavorite', { body: { u_id: 'cho' } });
    expect(await found(kai, { favorite: 'yes' })).toEqual(['bea', 'ann']);
    expect(await found(kai, { favorite: 'yes', verified: 'yes' })).toEqual(['bea']);
    await kai.ask('removeFavorite', { params: { u_id: 'bea' } });
    expect(await found(kai, { favorite: 'yes' })).toEqual(['ann']);
  });

  it('have a price when a call to them is paid, which is not the case for men', async () => {
    const prices = async (who: Somebody) => (await who.ask('discover', { query: {} })).items.map(({ price }) => price);
    expect(await prices(kai)).toEqual([20, 120, 60, 20]);
    expect(await prices(ann)).toEqual([0, 0]);
    expect((await ann.ask('person', { params: { u_id: 'kai' } })).price).toBe(0);
  });

  it('speak the languages that they list', async () => {
    await ann.ask('changeProfile', { body: { languages: ['zh', 'ja'] } });
    expect(await found(kai, { language: 'ja' })).toEqual(['ann']);
  });

  it('S06: a block by either user hides both from each other, and only the user who made it can remove it', async () => {
    await kai.ask('block', { body: { u_id: 'ann' } });
    expect(await found(kai)).toEqual(['dee', 'cho', 'bea']);
    expect(await found(ann)).toEqual(['leo']);
    const unknown = await kai.http('GET', '/users/nobody');
    expect(await kai.http('GET', '/users/ann')).toEqual(unknown);
    expect(await ann.http('GET', '/users/kai')).toEqual(unknown);
    expect(await ann.refused('addFavorite', { body: { u_id: 'kai' } })).toEqual([404, 'not_found']);
    expect((await kai.ask('blocks', { query: {} })).items).toMatchObject([{ u_id: 'ann', nickname: 'ann' }]);
    expect((await ann.ask('blocks', { query: {} })).items).toEqual([]);

    await ann.ask('unblock', { params: { u_id: 'kai' } });
    expect(await found(ann)).toEqual(['leo']);
    await kai.ask('unblock', { params: { u_id: 'ann' } });
    expect(await found(ann)).toEqual(['leo', 'kai']);
    expect(await kai.refused('block', { body: { u_id: 'kai' } })).toEqual([400, 'invalid']);
    expect(await kai.refused('block', { body: { u_id: 'nobody' } })).toEqual([404, 'not_found']);
  });

  it('who are suspended cannot be listed, found or called', async () => {
    await kai.ask('addFavorite', { body: { u_id: 'ann' } });
    await world.database.db
      .updateTable('ringback_accounts')
      .set({ suspended_at: world.clock.wallTime() })
      .where('u_id', '=', 'ann')
      .execute();
    expect(await found(kai)).toEqual(['dee', 'cho', 'bea']);
    expect((await kai.ask('favorites', { query: {} })).items).toEqual([]);
    expect(await kai.refused('person', { params: { u_id: 'ann' } })).toEqual([404, 'not_found']);
    const quote = (callee: string) => kai.ask('quoteCall', { body: { callee, kind: 'voice' } });
    expect(await quote('ann')).toMatchObject({ allowed: false, reason: 'unavailable' });
    expect(await quote('bea')).toMatchObject({ allowed: true });
  });

  it('cause one reminder when they come online, for each user who set one and may still see them', async () => {
    const [leo, bea] = [await world.signIn('leo'), await world.signIn('bea')];
    await kai.hear();
    await leo.hear();
    for (const one of [kai, leo]) await one.ask('notifyWhenOnline', { params: { u_id: 'bea' } });
    await bea.ask('block', { body: { u_id: 'leo' } });
    const pushes = ({ heard }: Somebody) => heard.filter(({ type }) => type === 'push');
    const isWatched = async () => (await kai.ask('person', { params: { u_id: 'bea' } })).watched;
    expect([pushes(kai), await isWatched()]).toEqual([[], true]);
    const leave = await bea.comeOnline();
    await world.product.settled();
    const payload = { type: 'ONLINE', name: 'bea', gift_name: '', coin: '', icon: world.product.portraitUrl('bea') };
    expect(pushes(kai)).toEqual([{ type: 'push', payload }]);
    expect([pushes(leo), await isWatched()]).toEqual([[], false]);
    leave();
    await bea.comeOnline();
    await world.product.settled();
    expect(pushes(kai)).toHaveLength(1);
  });

  it('cause the reminder at the next arrival when the database failed at one', async () => {
    const bea = await world.signIn('bea');
    await kai.hear();
    await kai.ask('notifyWhenOnline', { params: { u_id: 'bea' } });
    const { db } = world.database;
    const deletes = vi.spyOn(db, 'deleteFrom').mockImplementationOnce(() => db.deleteFrom('no_table' as never));
    const leave = await bea.comeOnline();
    await world.product.settled();
    expect(deletes).toHaveBeenCalledWith('ringback_watches');
    leave();
    const pushes = () => kai.heard.filter(({ type }) => type === 'push');
    expect(pushes()).toEqual([]);
    await bea.comeOnline();
    await world.product.settled();
    expect(pushes()).toHaveLength(1);
  });

  it('show the share of callers and writers of thirty days that a woman has answered, when there are at least ten', async () => {
    const rate = async (who = kai, uId = 'ann') => (await who.ask('person', { params: { u_id: uId } })).response_rate;
    const write = async (from: Somebody, to: string) => {
      const { channel_url } = await from.ask('openChannel', { body: { u_id: to } });
      const body = { type: 'text', client_id: `from-${from.uId}-to-${to}`, text: '嗨' } as const;
      await from.ask('sendMessage', { params: { channel_url }, body });
    };
    await keepCall(world, 'long-ago', { lasted: null });
    world.clock.advance(30 * DAY + 1);
    [kai, ann] = [await world.signIn('kai'), await world.signIn('ann')];
    for (let at = 0; at < 6; at += 1) await keepCall(world, `kept-${at}`, { lasted: 60_000 });
    for (const at of [1, 2]) await keepCall(world, `missed-${at}`, { lasted: null });
    await keepCall(world, 'taken-back', { lasted: null, result: 'canceled' });
    await write(kai, 'ann');
    expect(await rate()).toBeNull();
    const leo = await world.signIn('leo');
    // No user has written to her in it yet.
    await write(ann, 'leo');
    expect(await rate()).toBeNull();
    await write(leo, 'ann');
    expect([await rate(), await rate(ann)]).toEqual([70, 70]);
    await write(ann, 'kai');
    await keepCall(world, 'declined', { lasted: null, result: 'declined' });
    expect(await rate()).toBe(73);
    expect(await rate(ann, 'kai')).toBeNull();
    await ann.ask('block', { body: { u_id: 'kai' } });
    expect(await kai.refused('person', { params: { u_id: 'ann' } })).toEqual([404, 'not_found']);
    world.clock.advance(30 * DAY + 1);
    // Neither the earlier chats nor her own calls bring it to ten.
    for (let at = 0; at < 8; at += 1) await keepCall(world, `later-${at}`, { lasted: 60_000 });
    for (const at of [1, 2]) await keepCall(world, `hers-${at}`, { lasted: null, caller: 'ann', callee: 'leo' });
    expect(await rate(await world.signIn('leo'))).toBeNull();
  });

  it('do not learn who favours them; favourites are listed by pages, the last one first', async () => {
    for (const u_id of ['ann', 'bea', 'cho', 'bea']) {
      world.clock.advance(1_000);
      await kai.ask('addFavorite', { body: { u_id } });
    }
    const first = await kai.ask('favorites', { query: { limit: '2' } });
    expect(first.items.map(({ u_id }) => u_id)).toEqual(['cho', 'bea']);
    const second = await kai.ask('favorites', { query: { limit: '2', cursor: first.next ?? '' } });
    expect([second.items.map(({ u_id }) => u_id), second.next]).toEqual([['ann'], null]);
    expect(await kai.ask('person', { params: { u_id: 'bea' } })).toMatchObject({ favorite: true });
    await kai.ask('removeFavorite', { params: { u_id: 'bea' } });
    expect(await kai.ask('person', { params: { u_id: 'bea' } })).toMatchObject({ favorite: false });
    expect((await ann.ask('favorites', { query: {} })).items).toEqual([]);
  });

  it('are reviewed after three users reported them within a day, and can still use the product', async () => {
    const flagged = () =>
      world.database.db
        .selectFrom('ringback_profiles')
        .where('u_id', '=', 'kai')
        .select('flagged_at')
        .executeTakeFirstOrThrow();
    const report = async (uId: string) =>
      (await world.signIn(uId)).ask('report', { body: { u_id: 'kai', reason: 'harassment', note: '<b>rude</b>' } });
    for (const uId of ['ann', 'ann', 'bea']) await report(uId);
    world.clock.advance(DAY + 1);
    await report('cho');
    expect(await flagged()).toEqual({ flagged_at: null });
    await report('ann');
    await report('bea');
    expect(await flagged()).toEqual({ flagged_at: world.clock.wallTime() });
    expect(await found(ann)).toContain('kai');
    expect(await kai.refused('report', { body: { u_id: 'leo', reason: 'fake' } })).toEqual([404, 'not_found']);
  });
});

describe('the profile of a user', () => {
  let world: PeopleWorld;
  let kai: Somebody;
  let ann: Somebody;
  beforeEach(async () => {
    world = await openPeopleWorld(PEOPLE);
    kai = await world.signIn('kai');
    ann = await world.signIn('ann');
  });
  afterEach(() => world.close());

  const photo = async (who: Somebody, purpose: 'profile' | 'chat' = 'profile') => {
    const { default: sharp } = await import('sharp');
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const bytes = await sharp({ create: { width: 240, height: 320, channels: 3, noise, background: '#000' } })
      .jpeg()
      .toBuffer();
    return (await who.ask('uploadMedia', { query: { for: purpose }, body: file('image/jpeg', bytes) })).media_id;
  };

  it('shows its contents to other users after its pictures are approved, the cover first', async () => {
    const [one, two] = [await photo(ann), await photo(ann)];
    const said = { nickname: 'An <img onerror>', intro: 'Hi', height: 165, job: '老師', tags: ['旅行'] };
    const mine = await ann.ask('changeProfile', { body: { ...said, photos: [two, one] } });
    expect(mine.photos.map(({ media_id, status }) => [media_id, status])).toEqual([
      [two, 'pending'],
      [one, 'pending'],
    ]);
    const before = await kai.ask('person', { params: { u_id: 'ann' } });
    expect(before).toMatchObject({ ...said, photos: [], profile_url: 'http://product.test/portraits/ann.svg' });
    world.clock.advance(60_000);
    const after = await kai.ask('person', { params: { u_id: 'ann' } });
    expect(after.photos.map(({ media_id }) => media_id)).toEqual([two, one]);
    expect(after.profile_url).toBe(`http://product.test/media/${two}`);
    expect((await kai.ask('discover', { query: {} })).items.at(-1)?.profile_url).toBe(after.profile_url);
    await ann.ask('deleteMedia', { params: { media_id: two } });
    expect((await ann.ask('myProfile', {})).photos.map(({ media_id }) => media_id)).toEqual([one]);
  });

  it('S06: refuses a picture of another user, a repeated one, and one that was sent in a chat', async () => {
    const hers = await photo(ann);
    const refused = (photos: string[]) => kai.refused('changeProfile', { body: { photos } });
    expect(await refused([hers])).toEqual([400, 'invalid']);
    expect(await refused([await photo(kai, 'chat')])).toEqual([400, 'invalid']);
    const his = await photo(kai);
    expect(await refused([his, his])).toEqual([400, 'invalid']);
    expect((await kai.ask('myProfile', {})).photos).toEqual([]);
  });

  it.each([
    ['role', { role: 'admin' }],
    ['verified', { verified: true }],
    ['price', { price: 0 }],
    ['nickname', { nickname: '   ' }],
    ['profile_url', { profile_url: 'javascript:alert(1)' }],
    ['profile_url', { profile_url: '//evil.example/a.png' }],
    ['verified', { verified: true }],
    ['intro', { intro: 'x'.repeat(301) }],
    ['tags', { tags: Array.from({ length: 9 }, (_, at) => `tag${at}`) }],
    ['photos', { photos: Array.from({ length: 10 }, (_, at) => `photo${at}`) }],
    ['height', { height: 12 }],
    ['birthday', { birthday: '2010-01-01' }],
    ['birthday', { birthday: '1800-01-01' }],
  ])('S07 B74: accepts no %s of %o', async (_field, body) => {
    const [status] = await ann.refused('changeProfile', { body });
    expect([400, 403]).toContain(status);
  });

  it('keeps a verified birthday', async () => {
    const bea = await world.signIn('bea');
    const { birthday } = await bea.ask('myProfile', {});
    expect(await bea.refused('changeProfile', { body: { birthday: '1990-05-05' } })).toEqual([409, 'wrong_state']);
    await bea.ask('changeProfile', { body: { birthday, intro: 'Hi' } });
    await ann.ask('changeProfile', { body: { birthday: '1990-05-05' } });
    expect(await ann.ask('myProfile', {})).toMatchObject({ birthday: '1990-05-05', birthday_locked: false });
  });

  it('S44: has call settings only for women: the server refuses men', async () => {
    expect(await kai.refused('mySettings', {})).toEqual([403, 'not_yours']);
    expect(await kai.refused('changeSettings', { body: { resting: true } })).toEqual([403, 'not_yours']);
    const prices = { voice: 30, video: 50 };
    expect(await ann.ask('changeSettings', { body: { prices, accepts_voice: false } })).toMatchObject({ prices });
    expect(await kai.ask('person', { params: { u_id: 'ann' } })).toMatchObject({
      prices,
      price: 50,
      accepts_voice: false,
      accepts_video: true,
    });
    for (const wrong of [
      { voice: 35, video: 50 },
      { voice: 70, video: 50 },
      { voice: 30, video: 10 },
    ]) {
      expect(await ann.refused('changeSettings', { body: { prices: wrong } })).toEqual([400, 'invalid']);
    }
  });

  it('accepts no calls while she rests, nor in her quiet hours', async () => {
    const takes = async () => (await kai.ask('person', { params: { u_id: 'ann' } })).accepts_video;
    await ann.ask('changeSettings', { body: { resting: true } });
    expect(await takes()).toBe(false);
    // It is eight in the morning in Taipei.
    await ann.ask('changeSettings', { body: { resting: false, quiet_hours: { from: 7 * 60, to: 9 * 60 } } });
    expect(await takes()).toBe(false);
    world.clock.advance(3_600_000);
    expect(await takes()).toBe(true);
    expect(isWithin(world.clock.wallTime(), 22 * 60, 8 * 60)).toBe(false);
    expect(isWithin(world.clock.wallTime(), 22 * 60, 10 * 60)).toBe(true);
  });

  it('shows the figures of the day, from midnight in Taipei on', async () => {
    await kai.ask('addFavorite', { body: { u_id: 'ann' } });
    expect(await ann.ask('today', {})).toEqual({ calls: 0, seconds: 0, missed: 0, favorites: 1, rating: null });
    await keepCall(world, 'kept', { lasted: 90_000 });
    await keepCall(world, 'missed', { lasted: null });
    expect(await ann.ask('today', {})).toEqual({ calls: 1, seconds: 90, missed: 1, favorites: 1, rating: null });
    expect(await kai.ask('today', {})).toMatchObject({ calls: 1, seconds: 90, missed: 0 });
    world.clock.advance(DAY);
    expect(await ann.ask('today', {})).toMatchObject({ favorites: 0 });
  });

  it('is rated after a connected call, and the rating may be changed', async () => {
    await keepCall(world, 'kept', { lasted: 90_000 });
    await keepCall(world, 'missed', { lasted: null });
    const rate = (call_id: string, stars: number) => ({ params: { call_id }, body: { stars } });
    const kept = () =>
      world.database.db
        .selectFrom('ringback_call_ratings')
        .orderBy('u_id')
        .select(['call_id', 'u_id', 'stars'])
        .execute();
    await kai.ask('rateCall', rate('kept', 2));
    await kai.ask('rateCall', rate('kept', 5));
    await ann.ask('rateCall', rate('kept', 4));
    expect(await kept()).toEqual([
      { call_id: 'kept', u_id: 'ann', stars: 4 },
      { call_id: 'kept', u_id: 'kai', stars: 5 },
    ]);
    const bea = await world.signIn('bea');
    expect(await bea.refused('rateCall', rate('kept', 1))).toEqual([404, 'not_found']);
    expect(await kai.refused('rateCall', rate('another', 1))).toEqual([404, 'not_found']);
    expect(await kai.refused('rateCall', rate('missed', 1))).toEqual([409, 'wrong_state']);
    for (const stars of [0, 6, 1.5, -1]) {
      expect(await kai.refused('rateCall', rate('kept', stars))).toEqual([400, 'invalid']);
    }
    expect(await kept()).toHaveLength(2);
  });

  it('shows the ratings of the calls of thirty days after five users have rated', async () => {
    const rated = async (call_id: string, caller: string, stars: number) => {
      await keepCall(world, call_id, { lasted: 90_000, caller });
      const rating = { call_id, u_id: caller, stars, at: world.clock.wallTime() };
      await world.database.db.insertInto('ringback_call_ratings').values(rating).execute();
      // Her rating counts for him.
      await ann.ask('rateCall', { params: { call_id }, body: { stars: 1 } });
    };
    const rating = async () => (await ann.ask('today', {})).rating;
    for (const [place, stars] of [5, 5, 4, 2].entries()) await rated(`call-${place}`, `man-${place}`, stars);
    // A user who rates several times counts once.
    for (const place of [4, 5, 6]) await rated(`call-${place}`, 'man-0', 5);
    expect(await rating()).toBeNull();
    await rated('call-7', 'kai', 5);
    expect([await rating(), (await kai.ask('today', {})).rating]).toEqual([4.2, null]);
    world.clock.advance(30 * DAY + 1);
    ann = await world.signIn('ann');
    expect(await rating()).toBeNull();
  });
});

describe('a block', () => {
  it('ends only the call between both users', async () => {
    const fixture = createExchangeFixture();
    const [alice, bob, carol, dave] = await Promise.all(
      ['alice', 'bob', 'carol', 'dave'].map((id) => fixture.device(id)),
    );
    bob?.dial('alice');
    dave?.dial('carol');
    fixture.exchange.endCallsBetween('alice', 'bob');
    expect([alice?.told, bob?.told, carol?.told, dave?.told]).toEqual(['unknown', 'unknown', undefined, undefined]);

    const world = await openPeopleWorld(PEOPLE);
    onTestFinished(() => world.close());
    await (await world.signIn('ann')).ask('block', { body: { u_id: 'kai' } });
    expect(world.callsEnded).toEqual([['ann', 'kai']]);
  });
});
