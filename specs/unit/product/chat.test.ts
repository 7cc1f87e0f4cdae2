import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import sharp from 'sharp';
import * as v from 'valibot';
import type { HttpResponse } from '../../../sim/http/request.ts';
import { Product } from '../../../sim/product/product.ts';
import { nodeIds } from '../../../sim/server/node-ports.ts';
import type { Database } from '../../../sim/store/database.ts';
import { channel, message } from '../../../src/protocol/product/chat.ts';
import { media } from '../../../src/protocol/product/media.ts';
import { eventFrame, eventsOpened } from '../../../src/protocol/product/event-frames.ts';
import { type ProductEvent, productEvent } from '../../../src/protocol/product/events.ts';
import { migratedSchema, NO_POSTGRES } from '../../contract/store/postgres-schema.ts';
import { aCallingService } from './support/calling-service.ts';
import { cheapPasswords } from './support/cheap-passwords.ts';
import { clockedLimits } from './support/clocked-limits.ts';
import { openTestDatabase } from './support/test-database.ts';
import { productLog } from './support/product-log.ts';

const KINDS = ['SQLite', 'PostgreSQL'] as const;
const page = v.object({ items: v.array(channel), next: v.nullable(v.string()) });
const messages = v.object({ items: v.array(message), next: v.nullable(v.string()) });

const PEOPLE = ['mina', 'ken', 'yui', 'leo'] as const;
type Name = (typeof PEOPLE)[number];

/** Chats on a real product and a real database, at a time that the test sets. */
async function stage(database: Database) {
  let now = Date.UTC(2026, 10, 20, 12);
  const clock = {
    now: () => now,
    wallTime: () => now,
    after: () => ({ cancel: () => undefined }),
    every: () => ({ cancel: () => undefined }),
  };
  const product = new Product({
    clock,
    rateLimits: clockedLimits(clock),
    ids: nodeIds,
    log: productLog(() => undefined, clock),
    database: () => Promise.resolve(database),
    people: PEOPLE.map((u_id, at) => ({
      u_id,
      nickname: u_id === 'yui' ? '100%_Yui' : `${u_id} 小`,
      gender_type: at % 2 === 0 ? 'woman' : 'man',
      age: 30,
      city: '台北',
      price: 20,
      verified: true,
      accepts_video: true,
      joined_at: at,
    })),
    isDemo: true,
    ports: { passwords: cheapPasswords },
    calling: aCallingService(),
    apiUrl: 'http://product.test',
    portrait: () => '<svg/>',
  });
  const ask = (method: string, path: string, token: string, body?: unknown): Promise<HttpResponse> => {
    const url = new URL(path, 'http://product.test');
    return product.http({
      method,
      path: url.pathname,
      address: '192.0.2.1',
      query: Object.fromEntries(url.searchParams),
      headers: token === '' ? {} : { authorization: `Bearer ${token}` },
      body,
    });
  };
  async function person(uId: Name) {
    const { body: login } = await ask('POST', '/auth/login', '', { user_id: uId });
    const { token } = v.parse(v.object({ token: v.string() }), login);
    let count = 0;
    const good = async <Schema extends v.GenericSchema>(
      schema: Schema,
      method: string,
      path: string,
      body?: unknown,
    ): Promise<v.InferOutput<Schema>> => {
      const answer = await ask(method, path, token, body);
      expect(answer).toMatchObject({ status: 200 });
      return v.parse(schema, answer.body);
    };
    return {
      ask: (method: string, path: string, body?: unknown) => ask(method, path, token, body),
      open: (other: string) => good(channel, 'POST', '/channels', { u_id: other }),
      say: (url: string, text: string, client_id = `${uId}-message-${(count += 1)}`) =>
        good(message, 'POST', `/channels/${url}/messages`, { client_id, type: 'text', text }),
      list: (query = '') => good(page, 'GET', `/channels${query}`),
      see: (url: string) => good(channel, 'GET', `/channels/${url}`),
      said: (url: string, query = '') => good(messages, 'GET', `/channels/${url}/messages${query}`),
      read: (url: string, seq: number) => ask('POST', `/channels/${url}/read`, token, { seq }),
      change: (url: string, body: unknown) => good(channel, 'PATCH', `/channels/${url}`, body),
      unread: async () => (await good(v.object({ count: v.number() }), 'GET', '/channels/unread')).count,
      /** The events that the user's page gets from now on, without presence. */
      /** @param after - the last event of an earlier page. */
      async listen(after: string | null = null) {
        const heard: ProductEvent[] = [];
        let [stream, last] = ['', 0];
        const socket = await product.socket('/ws/events', token, after, {
          send(sent) {
            const frame: unknown = JSON.parse(sent);
            if (v.is(eventsOpened, frame)) {
              ({ stream, seq: last } = frame);
              return;
            }
            const { event: content, seq } = v.parse(eventFrame, frame);
            const event = v.parse(productEvent, content);
            last = seq;
            if (event.type !== 'presence_changed') heard.push(event);
          },
          close: () => undefined,
        });
        if ('status' in socket) throw new Error(socket.message);
        return {
          heard,
          types: () => heard.map(({ type }) => type),
          last: () => `${stream}.${last}`,
          close: () => socket.closed(),
        };
      },
    };
  }
  return { person, advance: (ms: number) => void (now += ms), product };
}

const textOf = (one: v.InferOutput<typeof message> | null): string =>
  one?.type === 'text' ? one.data.text : String(one?.type);

describe.each(KINDS)('chat on %s', (kind) => {
  const undo: (() => Promise<unknown>)[] = [];
  let database: Database;
  let here: Awaited<ReturnType<typeof stage>>;

  beforeEach(async (context) => {
    if (kind === 'PostgreSQL') {
      if (NO_POSTGRES !== undefined) context.skip(NO_POSTGRES);
      const schema = await migratedSchema();
      undo.push(() => schema.drop());
      database = await openTestDatabase(schema.url);
    } else {
      database = await openTestDatabase(':memory:');
    }
    const { db } = database;
    undo.push(() => db.destroy());
    here = await stage(database);
  });
  afterEach(async () => {
    for (const one of undo.splice(0).toReversed()) await one();
  });

  it('PROD-01: users chat in real time: a message reaches the other user at once, and so do read receipts and typing', async () => {
    const [mina, ken] = [await here.person('mina'), await here.person('ken')];
    const { channel_url: url } = await mina.open('ken');
    const [hers, his] = [await mina.listen(), await ken.listen()];
    const said = await mina.say(url, '  晚安 <b>x</b>  ');
    expect(said).toMatchObject({ seq: 1, from: 'mina', type: 'text', data: { text: '晚安 <b>x</b>' } });
    expect(his.heard).toEqual([{ type: 'message', message: said, unread_count: 1, unread_total: 1 }]);
    expect(hers.heard).toEqual([
      { type: 'message', message: said, unread_count: 0, unread_total: 0 },
      { type: 'delivered', channel_url: url, u_id: 'ken', seq: 1 },
    ]);
    expect([await mina.see(url), await ken.see(url)]).toMatchObject([
      { companion_delivered_seq: 1, unread_count: 0 },
      { companion_delivered_seq: 0, unread_count: 1 },
    ]);
    await ken.ask('POST', `/channels/${url}/typing`, { typing: true });
    expect(hers.heard.at(-1)).toEqual({ type: 'typing', channel_url: url, u_id: 'ken', typing: true });
    await ken.read(url, 99);
    expect(hers.heard.at(-1)).toEqual({ type: 'read', channel_url: url, u_id: 'ken', seq: 1 });
    expect(his.heard.at(-1)).toEqual({ type: 'channel_changed', channel_url: url, unread_count: 0, unread_total: 0 });
    expect(await mina.see(url)).toMatchObject({ companion_read_seq: 1, companion_delivered_seq: 1, unread_count: 0 });
    const before = hers.heard.length;
    await ken.read(url, 1);
    expect(hers.heard).toHaveLength(before);
  });

  it('keeps a message for a page that reconnects soon', async () => {
    const [mina, ken] = [await here.person('mina'), await here.person('ken')];
    const { channel_url: url } = await mina.open('ken');
    const his = await ken.listen();
    his.close();
    const said = await mina.say(url, 'come back');
    const again = await ken.listen(his.last());
    expect(again.heard).toEqual([{ type: 'message', message: said, unread_count: 1, unread_total: 1 }]);
  });

  it('two users have one chat, also when both open it several times at once; a user has none alone or with an unknown user', async () => {
    const [mina, ken] = [await here.person('mina'), await here.person('ken')];
    const opened = await Promise.all([mina.open('ken'), ken.open('mina'), mina.open('ken'), ken.open('mina')]);
    expect(new Set(opened.map(({ channel_url }) => channel_url)).size).toBe(1);
    expect(opened[0]?.channel_url).toMatch(/^[\w-]{32,}$/);
    expect(opened.map(({ companion }) => companion.u_id)).toEqual(['ken', 'mina', 'ken', 'mina']);
    for (const u_id of ['mina', 'nobody']) {
      expect(await mina.ask('POST', '/channels', { u_id })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  it('S06 a chat of other users is not found, for any request', async () => {
    const [mina, leo] = [await here.person('mina'), await here.person('leo')];
    const { channel_url: url } = await mina.open('ken');
    await mina.say(url, 'for ken alone');
    const text = { client_id: 'leo-message', type: 'text', text: 'hello' };
    for (const [method, path, body] of [
      ['GET', `/channels/${url}`, undefined],
      ['GET', `/channels/${url}/messages`, undefined],
      ['POST', `/channels/${url}/messages`, text],
      ['POST', `/channels/${url}/read`, { seq: 1 }],
      ['POST', `/channels/${url}/typing`, { typing: true }],
      ['PATCH', `/channels/${url}`, { pinned: true }],
      ['GET', '/channels/javascript%3Aalert(1)', undefined],
    ] as const) {
      expect(await leo.ask(method, path, body)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect((await leo.list()).items).toEqual([]);
    expect((await mina.said(url)).items).toHaveLength(1);
  });

  it('a message sent twice is one message, also when both come together, and its client id cannot be used elsewhere', async () => {
    const [mina, ken] = [await here.person('mina'), await here.person('ken')];
    const { channel_url: url } = await mina.open('ken');
    const his = await ken.listen();
    const both = await Promise.all([mina.say(url, 'once', 'same-name'), mina.say(url, 'once', 'same-name')]);
    expect(both.map(({ seq }) => seq)).toEqual([1, 1]);
    expect((await mina.say(url, 'other words', 'same-name')).data).toEqual({ text: 'once' });
    expect(his.types()).toEqual(['message']);
    expect((await ken.say(url, 'mine', 'same-name')).seq).toBe(2);
    const { channel_url: other } = await mina.open('leo');
    expect(
      await mina.ask('POST', `/channels/${other}/messages`, { client_id: 'same-name', type: 'text', text: 'x' }),
    ).toMatchObject({ status: 400, body: { field: 'client_id' } });
  });

  it('gives each message a separate number, for any number of messages at once', async () => {
    const [mina, ken] = [await here.person('mina'), await here.person('ken')];
    const { channel_url: url } = await mina.open('ken');
    await Promise.all(Array.from({ length: 10 }, (_, at) => (at % 2 ? mina : ken).say(url, `${at}`)));
    expect((await mina.said(url)).items.map(({ seq }) => seq)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await mina.unread()).toBe(5);
  });

  it('is read by pages, backwards from the end and forwards from a message', async () => {
    const mina = await here.person('mina');
    const { channel_url: url } = await mina.open('ken');
    for (const text of ['1', '2', '3', '4', '5']) await mina.say(url, text);
    const texts = async (query: string) => {
      const { items, next } = await mina.said(url, query);
      return [items.map(textOf).join(''), next];
    };
    expect(await texts('?limit=2')).toEqual(['54', '4']);
    expect(await texts('?limit=2&before=4')).toEqual(['32', '2']);
    expect(await texts('?limit=2&before=2')).toEqual(['1', null]);
    expect(await texts('?limit=2&after=1')).toEqual(['23', '3']);
    expect(await texts('?limit=2&after=3')).toEqual(['45', null]);
    for (const query of ['?limit=0', '?limit=51', '?before=x', '?after=-1', '?what=1']) {
      expect(await mina.ask('GET', `/channels/${url}/messages${query}`)).toMatchObject({ status: 400 });
    }
  });

  it.each([
    ['empty', ''],
    ['only spaces', ' \n '],
    ['1001 characters', 'x'.repeat(1001)],
    ['no text', 5],
  ])('S19 refuses an invalid message: %s', async (_, text) => {
    const mina = await here.person('mina');
    const { channel_url: url } = await mina.open('ken');
    const send = (body: unknown) => mina.ask('POST', `/channels/${url}/messages`, body);
    expect(await send({ client_id: 'message-1', type: 'text', text })).toMatchObject({
      status: 400,
      body: { code: 'invalid', field: 'text' },
    });
    expect(await send({ client_id: 'x', type: 'text', text: 'x' })).toMatchObject({ body: { field: 'client_id' } });
    expect(await send({ client_id: 'message-1', type: 'system', text: 'x' })).toMatchObject({ status: 400 });
    expect(await send({ client_id: 'message-1', type: 'text', text: 'x', from: 'ken' })).toMatchObject({ status: 400 });
    expect((await mina.said(url)).items).toEqual([]);
  });

  it('accepts 20 messages a minute of one user, returns the seconds to wait, and counts no repetition', async () => {
    const mina = await here.person('mina');
    const { channel_url: url } = await mina.open('ken');
    for (let at = 0; at < 20; at++) await mina.say(url, `${at}`, `message-${at}`);
    const again = { client_id: 'message-20', type: 'text', text: 'x' };
    const more = await mina.ask('POST', `/channels/${url}/messages`, again);
    expect(more).toMatchObject({ status: 429, body: { code: 'too_many', retry_after: 60 } });
    expect((await mina.say(url, 'x', 'message-3')).seq).toBe(4);
    here.advance(60_000);
    expect((await mina.say(url, 'x', 'message-20')).seq).toBe(21);
  });

  it('counts the unread messages of each chat and of all, and subtracts the read ones', async () => {
    const [mina, ken, leo] = [await here.person('mina'), await here.person('ken'), await here.person('leo')];
    const { channel_url: one } = await ken.open('mina');
    const { channel_url: two } = await leo.open('mina');
    for (const text of ['a', 'b', 'c']) await ken.say(one, text);
    await leo.say(two, 'd');
    await mina.say(one, 'mine');
    expect(await mina.unread()).toBe(4);
    expect((await mina.see(one)).unread_count).toBe(3);
    await mina.read(one, 2);
    expect([await mina.unread(), (await mina.see(one)).unread_count]).toEqual([2, 1]);
    await mina.read(one, 1);
    expect((await mina.see(one)).read_seq).toBe(2);
    expect(await ken.unread()).toBe(1);
  });

  it('notifies the sender when a message reaches the other user, at once or at the next visit of that user', async () => {
    const [mina, ken] = [await here.person('mina'), await here.person('ken')];
    const { channel_url: url } = await mina.open('ken');
    const hers = await mina.listen();
    await mina.say(url, 'while you are away');
    expect(hers.types()).toEqual(['message']);
    expect((await mina.see(url)).companion_delivered_seq).toBe(0);
    await ken.list();
    expect(hers.heard.at(-1)).toEqual({ type: 'delivered', channel_url: url, u_id: 'ken', seq: 1 });
    expect(await mina.see(url)).toMatchObject({ companion_delivered_seq: 1, companion_read_seq: 0 });
    const heard = hers.heard.length;
    await ken.list();
    expect(hers.heard).toHaveLength(heard);
  });

  it('lists chats with messages: pinned ones first, then the latest ones, by pages', async () => {
    const mina = await here.person('mina');
    const people = [await here.person('ken'), await here.person('yui'), await here.person('leo')];
    for (const [at, other] of people.entries()) {
      const { channel_url } = await other.open('mina');
      here.advance(1_000);
      await other.say(channel_url, `${at}`);
    }
    const names = async (query = '') => {
      const { items, next } = await mina.list(query);
      return { names: items.map(({ companion }) => companion.u_id).join(' '), next };
    };
    expect((await names()).names).toBe('leo yui ken');
    const { channel_url: kens } = await mina.open('ken');
    await mina.change(kens, { pinned: true });
    const first = await names('?limit=1');
    expect(first.names).toBe('ken');
    const second = await names(`?limit=1&cursor=${first.next}`);
    const third = await names(`?limit=1&cursor=${second.next}`);
    expect([second.names, third]).toEqual(['leo', { names: 'yui', next: null }]);
    await mina.read(kens, 1);
    expect((await names('?filter=unread')).names).toBe('leo yui');
    expect((await names('?search=LEO')).names).toBe('leo');
    expect((await names(`?search=${encodeURIComponent('ｌＥO')}`)).names).toBe('leo');
    expect((await names(`?search=${encodeURIComponent('%_y')}`)).names).toBe('yui');
    expect((await names(`?search=${encodeURIComponent('小')}`)).names).toBe('ken leo');
    expect(await mina.ask('GET', '/channels?cursor=what')).toMatchObject({ status: 400, body: { field: 'cursor' } });
    const { channel_url: silent } = await people[0]!.open('yui');
    expect((await people[0]!.list()).items.map(({ channel_url }) => channel_url)).not.toContain(silent);
  });

  it('hides a cleared chat from one user only, until the next message', async () => {
    const [mina, ken] = [await here.person('mina'), await here.person('ken')];
    const { channel_url: url } = await mina.open('ken');
    await ken.say(url, 'old');
    const hers = await mina.listen();
    expect(await mina.change(url, { cleared: true })).toMatchObject({ last_message: null, unread_count: 0 });
    expect(hers.types()).toEqual(['channel_changed']);
    expect((await mina.list()).items).toEqual([]);
    expect((await mina.said(url)).items).toEqual([]);
    expect((await ken.said(url)).items.map(textOf)).toEqual(['old']);
    await ken.say(url, 'new');
    expect((await mina.said(url, '?after=0')).items.map(textOf)).toEqual(['new']);
    expect((await mina.list()).items.map(({ last_message }) => textOf(last_message))).toEqual(['new']);
  });

  it('sends only photos and voice notes of the sender, and no file of another user', async () => {
    const [mina, ken] = [await here.person('mina'), await here.person('ken')];
    const { channel_url: url } = await mina.open('ken');
    const note = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(99, 7)]);
    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#c46' } })
      .png()
      .toBuffer();
    const upload = async (mediaType: string, bytes: Uint8Array) =>
      v.parse(media, (await mina.ask('POST', '/media?for=chat', { mediaType, bytes })).body).media_id;
    const [voiceId, photoId] = [await upload('audio/webm', note), await upload('image/png', picture)];
    const voice = { client_id: 'message-1', type: 'voice', media_id: voiceId, duration_ms: 1_200 };
    const photo = { client_id: 'message-2', type: 'photo', media_id: photoId };
    const send = async (who: typeof mina, body: unknown) => who.ask('POST', `/channels/${url}/messages`, body);
    expect((await send(mina, voice)).body).toMatchObject({
      data: { url: expect.stringContaining(`http://product.test/media/${voiceId}?`), duration_ms: 1_200 },
    });
    const kens = await ken.listen();
    expect((await send(mina, photo)).body).toMatchObject({ type: 'photo', data: { width: 40, height: 30 } });

    // S06: at each read it has an address that is valid then, and no other address.
    const openAt = async (address: string) => (await ken.ask('GET', address)).status;
    const addresses = async () => {
      const { items } = await ken.said(url);
      const last = (await ken.list()).items[0]?.last_message;
      return [...items, last].flatMap((one) => (one?.type === 'photo' || one?.type === 'voice' ? [one.data.url] : []));
    };
    const told = kens.heard.flatMap((event) =>
      event.type === 'message' && event.message.type === 'photo' ? [event.message.data.url] : [],
    );
    const first = await addresses();
    expect([...told, ...first].map((address) => address.split('?')[0])).toEqual(
      [photoId, photoId, voiceId, photoId].map((id) => `http://product.test/media/${id}`),
    );
    expect(new Set(await Promise.all([...told, ...first].map(openAt)))).toEqual(new Set([200]));
    expect(await openAt(`/media/${photoId}`)).toBe(404);
    here.advance(24 * 3_600_000);
    expect(new Set(await Promise.all(first.map(openAt)))).toEqual(new Set([404]));
    expect(new Set(await Promise.all((await addresses()).map(openAt)))).toEqual(new Set([200]));
    const kept = await database.db.selectFrom('ringback_messages').select('data').orderBy('seq').execute();
    expect(kept.map(({ data }) => JSON.parse(data).url)).toEqual(
      [voiceId, photoId].map((id) => `http://product.test/media/${id}`),
    );
    for (const [who, wrong] of [
      [ken, photo],
      [mina, { ...photo, client_id: 'message-3', media_id: voiceId }],
      [mina, { ...voice, client_id: 'message-4', media_id: 'nothing' }],
      [mina, { ...voice, client_id: 'message-5', duration_ms: 60_001 }],
    ] as const) {
      expect(await send(who, wrong)).toMatchObject({ status: 400, body: { code: 'invalid' } });
    }
  });

  it('with a suspended or deleted user accepts no message, and the earlier messages stay', async () => {
    const [mina, ken] = [await here.person('mina'), await here.person('ken')];
    const { channel_url: url } = await mina.open('ken');
    await ken.say(url, 'hello');
    const refused = async () => {
      const body = { client_id: 'message-2', type: 'text', text: 'x' };
      const answers = [
        await mina.ask('POST', `/channels/${url}/messages`, body),
        await mina.ask('POST', `/channels/${url}/typing`, { typing: true }),
        await mina.ask('POST', '/channels', { u_id: 'ken' }),
      ];
      return answers.map(({ status, body: said }) => [status, v.parse(v.object({ code: v.string() }), said).code]);
    };
    const three = Array.from({ length: 3 }, () => [404, 'not_found']);
    const kens = database.db.updateTable('ringback_accounts').where('u_id', '=', 'ken');
    await kens.set({ suspended_at: 1 }).execute();
    expect(await refused()).toEqual(three);
    expect((await mina.said(url)).items.map(textOf)).toEqual(['hello']);
    await kens.set({ suspended_at: null }).execute();
    const { accounts } = await here.product.opened();
    await accounts.close('ken');
    expect(await refused()).toEqual(three);
  });

  it('with a block in either direction accepts no message, from either side', async () => {
    const [mina, ken] = [await here.person('mina'), await here.person('ken')];
    const { channel_url: url } = await mina.open('ken');
    const hers = await mina.listen();
    await database.db.insertInto('ringback_blocks').values({ u_id: 'mina', other: 'ken', at: 1 }).execute();
    const body = { client_id: 'message-1', type: 'text', text: 'x' };
    for (const who of [mina, ken]) {
      expect(await who.ask('POST', `/channels/${url}/messages`, body)).toMatchObject({
        status: 403,
        body: { code: 'blocked' },
      });
      expect(await who.ask('POST', `/channels/${url}/typing`, { typing: true })).toMatchObject({ status: 403 });
    }
    expect(await ken.ask('POST', '/channels', { u_id: 'mina' })).toMatchObject({ status: 404 });
    expect([hers.heard, (await mina.said(url)).items]).toEqual([[], []]);
  });

  it('lists favourites', async () => {
    const mina = await here.person('mina');
    for (const name of ['ken', 'leo'] as const) {
      const { channel_url } = await mina.open(name);
      await mina.say(channel_url, name);
    }
    await database.db.insertInto('ringback_favorites').values({ u_id: 'mina', other: 'leo', at: 1 }).execute();
    const { items } = await mina.list('?filter=favourite');
    expect(items.map(({ companion }) => companion.u_id)).toEqual(['leo']);
  });

  it('notifies the devices of an absent user, unless they have muted the chat', async () => {
    const [mina, ken] = [await here.person('mina'), await here.person('ken')];
    const { channel_url: url } = await mina.open('ken');
    const told = vi.spyOn(here.product, 'notify').mockResolvedValue();
    await mina.say(url, 'away');
    expect(told.mock.calls).toEqual([['ken', { type: 'CHAT', name: 'mina 小', gift_name: '', coin: '', icon: '' }]]);
    await ken.change(url, { muted: true });
    await mina.say(url, 'muted');
    await ken.change(url, { muted: false });
    const his = await ken.listen();
    await mina.say(url, 'here');
    expect(told).toHaveBeenCalledTimes(1);
    his.close();
    await mina.say(url, 'away again');
    expect(told).toHaveBeenCalledTimes(2);
  });

  it('S14: sends typing ten times in ten seconds', async () => {
    const mina = await here.person('mina');
    const { channel_url: url } = await mina.open('ken');
    const type = async () => (await mina.ask('POST', `/channels/${url}/typing`, { typing: true })).status;
    const statuses = [];
    for (let at = 0; at < 11; at++) statuses.push(await type());
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    here.advance(10_000);
    expect(await type()).toBe(200);
  });
});
