import sharp, { type Sharp } from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PHOTO_BYTES } from '../../../src/protocol/product/media.ts';
import { byteRange } from '../../../sim/product/media/byte-range.ts';
import type { HttpResponse } from '../../../sim/http/request.ts';
import { startSim } from '../../../sim/server/start-sim.ts';
import { openMigrated } from '../../../sim/store/open-store.ts';
import { migratedSchema, NO_POSTGRES } from '../../contract/store/postgres-schema.ts';
import { file, openPeopleWorld, type PeopleWorld, type Somebody } from './support/people-world.ts';

const REVIEW_MS = 20_000;
const DAY = 24 * 3_600_000;
const ADDRESS = 'http://product.test';

/** A picture with visible content. */
const photo = (width = 300, height = 400) =>
  sharp({
    create: { width, height, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 40 }, background: '#000' },
  });
const blank = (width = 300, height = 400) => sharp({ create: { width, height, channels: 3, background: '#c46' } });
const voice = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(2_000, 7)]);

/** A PNG of a few bytes that claims to be this large. */
function claiming(width: number, height: number): Buffer {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

let world: PeopleWorld;
let mina: Somebody;
let kai: Somebody;
beforeAll(async () => {
  world = await openPeopleWorld({ mina: {}, kai: { gender_type: 'man' } });
});
afterEach(() => world.clock.advance(60_000));
afterAll(() => world.close());
beforeAll(async () => {
  mina = await world.signIn('mina');
  kai = await world.signIn('kai');
});

const add = (who: Somebody, type: string, bytes: Uint8Array, purpose = 'chat') =>
  who.ask('uploadMedia', { query: { for: purpose as 'chat' }, body: file(type, bytes) });
const refused = (type: string, bytes: Uint8Array) =>
  mina.refused('uploadMedia', { query: { for: 'chat' }, body: file(type, bytes) });
const fetched = (who: Somebody, url: string | null, headers = {}): Promise<HttpResponse> =>
  who.http('GET', (url ?? '').replace(ADDRESS, ''), undefined, headers);
const ids = (all: readonly { media_id: string }[]) => all.map(({ media_id }) => media_id);
const bytesOf = ({ body }: HttpResponse): Buffer => Buffer.from(body as Uint8Array);

describe('an uploaded picture', () => {
  it.each(['jpeg', 'png', 'webp'] as const)(
    'is encoded again from a %s: upright, without data of the camera and the place',
    async (format) => {
      const original = await photo(400, 300)
        .withMetadata({ orientation: 6 })
        .withExifMerge({ IFD0: { Make: 'Spy Camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '25/1 2/1 0/1' } })
        .toFormat(format)
        .toBuffer();
      expect(original.includes('Spy Camera')).toBe(true);
      const kept = await add(mina, `image/${format}`, original);
      expect(kept).toMatchObject({ kind: 'photo', width: 300, height: 400, status: 'approved' });

      const answer = await fetched(kai, kept.url);
      expect([answer.status, answer.mediaType]).toEqual([200, 'image/webp']);
      expect(bytesOf(answer).includes('Spy Camera')).toBe(false);
      const { width, height, exif, orientation } = await sharp(bytesOf(answer)).metadata();
      expect({ width, height, exif, orientation }).toEqual({ width: 300, height: 400 });
    },
  );

  it('is at most 1600 pixels wide and high, and 480 in lists', async () => {
    const kept = await add(mina, 'image/jpeg', await blank(3_200, 2_400).jpeg().toBuffer());
    expect([kept.width, kept.height]).toEqual([1_600, 1_200]);
    const small = await sharp(bytesOf(await fetched(mina, kept.small))).metadata();
    expect([small.width, small.height]).toEqual([480, 360]);
  });

  it('is refused when its type is wrong, or when it cannot be decoded', async () => {
    const png = await blank(300, 300).png().toBuffer();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    expect(await refused('image/jpeg', png)).toEqual([415, 'wrong_file']);
    expect(await refused('image/png', svg)).toEqual([415, 'wrong_file']);
    expect(await refused('image/svg+xml', svg)).toEqual([415, 'wrong_file']);
    expect(await refused('image/png', png.subarray(0, png.length / 2))).toEqual([415, 'wrong_file']);
    expect(await refused('image/png', Buffer.alloc(0))).toEqual([415, 'wrong_file']);
    expect(await refused('audio/webm', png)).toEqual([415, 'wrong_file']);
  });

  it('is refused when its header has more pixels than a phone camera', async () => {
    expect(await refused('image/png', claiming(60_000, 60_000))).toEqual([413, 'too_large']);
    expect(await refused('image/png', claiming(8_000, 6_251))).toEqual([413, 'too_large']);
  });

  it('is refused above 8 MB, a voice note above 2 MB', async () => {
    const padded = Buffer.concat([await blank(300, 300).jpeg().toBuffer(), Buffer.alloc(PHOTO_BYTES)]);
    expect(await refused('image/jpeg', padded)).toEqual([413, 'too_large']);
    const long = Buffer.concat([voice, Buffer.alloc(2 * 1024 * 1024)]);
    expect(await refused('audio/webm', long)).toEqual([413, 'too_large']);
  });

  it('is reviewed for a profile: pending first, then approved, or rejected with the reason', async () => {
    const profile = async (picture: Sharp) => add(mina, 'image/png', await picture.png().toBuffer(), 'profile');
    const all = [await profile(photo()), await profile(blank()), await profile(photo(180, 400))];
    expect(all.map(({ status, reason }) => [status, reason])).toEqual(all.map(() => ['pending', null]));
    world.clock.advance(REVIEW_MS);
    const { media: library } = await world.product.opened();
    const photos = await library.ofOwner('mina', ids(all));
    expect(await library.ofOwner('kai', ids(all))).toEqual([]);
    expect(photos.map(({ status, reason }) => [status, reason])).toEqual([
      ['approved', null],
      ['rejected', 'blank'],
      ['rejected', 'too_small'],
    ]);
  });
});

describe('a stored file', () => {
  it('S06: is visible only to its owner when it shows an identity, and does not exist for other users', async () => {
    const kept = await add(mina, 'image/png', await photo(300, 300).png().toBuffer(), 'identity');
    const mine = await fetched(mina, kept.url);
    expect([mine.status, mine.headers?.['cache-control']]).toEqual([200, 'no-store']);
    const others = await fetched(kai, kept.url);
    expect(others).toEqual(await fetched(kai, `${ADDRESS}/media/nothing-here`));
    expect(others).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await fetched(mina, kept.url, { authorization: '' })).toMatchObject({ status: 404 });
  });

  it('S06 S10: opens by an address of the day, and not by a plain, expired, foreign or invented address', async () => {
    const [one, other] = [await add(mina, 'audio/webm', voice), await add(mina, 'audio/webm', voice)];
    const { status, headers } = await fetched(kai, one.url, { authorization: '' });
    const goodFor = Number(new URL(one.url).searchParams.get('until')) - world.clock.wallTime();
    expect([status, headers?.['cache-control']]).toEqual([200, `private, max-age=${goodFor / 1_000}, immutable`]);
    expect([goodFor >= DAY / 2, goodFor <= DAY]).toEqual([true, true]);
    const changed = (change: (query: URLSearchParams) => void) => {
      const url = new URL(one.url);
      change(url.searchParams);
      return url.href;
    };
    const wrong = [
      changed((query) => ['until', 'sign'].forEach((name) => query.delete(name))),
      changed((query) => query.delete('sign')),
      changed((query) => query.set('sign', 'x')),
      changed((query) => query.set('until', String(world.clock.wallTime() + 10 * DAY))),
      changed((query) => query.set('sign', new URL(other.url).searchParams.get('sign') ?? '')),
    ];
    const none = await fetched(kai, `${ADDRESS}/media/nothing-here`);
    for (const url of wrong) for (const who of [kai, mina]) expect(await fetched(who, url)).toEqual(none);

    // Half a day later the server gives a new address. The old one is valid until its end.
    const { media } = await world.product.opened();
    expect(media.url(one.media_id)).toBe(one.url);
    world.clock.advance(goodFor - 1_000);
    expect(media.url(one.media_id)).not.toBe(one.url);
    expect(await fetched(kai, one.url)).toMatchObject({ status: 200 });
    world.clock.advance(1_000);
    expect(await fetched(kai, one.url)).toEqual(none);
    expect(await fetched(kai, media.url(one.media_id))).toMatchObject({ status: 200 });
  });

  it('S06: opens for every user by its plain address while it is the cover of a user', async () => {
    const add3 = async (picture: Sharp) =>
      (await add(mina, 'image/png', await picture.png().toBuffer(), 'profile')).media_id;
    const [bad, first, second] = [await add3(blank()), await add3(photo()), await add3(photo())];
    const put = (photos: string[]) => mina.ask('changeProfile', { body: { photos } });
    const statuses = () =>
      Promise.all(
        [bad, first, second].map(
          async (id) => (await fetched(kai, `${ADDRESS}/media/${id}`, { authorization: '' })).status,
        ),
      );
    await put([bad, first, second]);
    expect(await statuses()).toEqual([404, 404, 404]);
    world.clock.advance(REVIEW_MS);
    expect(await statuses()).toEqual([404, 200, 404]);
    const face = await fetched(kai, `${ADDRESS}/media/${first}/small`);
    expect([face.status, face.headers?.['cache-control']]).toEqual([200, 'private, max-age=3600, immutable']);
    const shown = await kai.ask('person', { params: { u_id: 'mina' } });
    expect(shown.profile_url).toBe(`${ADDRESS}/media/${first}`);
    // The others are in the profile, and open by the addresses in it.
    expect(ids(shown.photos)).toEqual([first, second]);
    for (const { url, small } of shown.photos) {
      for (const at of [url, small]) expect((await fetched(kai, at, { authorization: '' })).status).toBe(200);
    }
    await put([second, first]);
    expect(await statuses()).toEqual([404, 404, 200]);
    const suspend = (suspended_at: number | null) =>
      world.database.db.updateTable('ringback_accounts').set({ suspended_at }).where('u_id', '=', 'mina').execute();
    await suspend(1);
    expect(await statuses()).toEqual([404, 404, 404]);
    await suspend(null);
    await put([]);
    expect(await statuses()).toEqual([404, 404, 404]);
  });

  it('has an address that cannot be guessed', async () => {
    const one = await add(mina, 'audio/webm', voice);
    const other = await add(mina, 'audio/webm', voice);
    expect(one.media_id).toMatch(/^[\w-]{43}$/);
    expect(other.media_id).not.toBe(one.media_id);
  });

  it('S06: is deleted only by its owner', async () => {
    const kept = await add(mina, 'audio/webm', voice);
    const params = { media_id: kept.media_id };
    expect(await kai.refused('deleteMedia', { params })).toEqual([404, 'not_found']);
    expect(await fetched(kai, kept.url)).toMatchObject({ status: 200, mediaType: 'audio/webm' });
    await mina.ask('deleteMedia', { params });
    expect(await fetched(mina, kept.url)).toMatchObject({ status: 404 });
    expect(await mina.refused('deleteMedia', { params })).toEqual([404, 'not_found']);
    const left = await world.database.db
      .selectFrom('ringback_media_contents')
      .where('media_id', '=', kept.media_id)
      .select('size')
      .execute();
    expect(left).toEqual([]);
  });

  it('is served in ranges for players that request ranges', async () => {
    const { url } = await add(mina, 'audio/webm', voice);
    const part = await fetched(mina, url, { range: 'bytes=0-3' });
    expect([part.status, part.headers?.['content-range']]).toEqual([206, `bytes 0-3/${voice.length}`]);
    expect(bytesOf(part)).toEqual(voice.subarray(0, 4));
    const beyond = await fetched(mina, url, { range: `bytes=${voice.length}-` });
    expect([beyond.status, beyond.headers?.['content-range'], bytesOf(beyond).length]).toEqual([
      416,
      `bytes */${voice.length}`,
      0,
    ]);
  });

  it.each([
    [undefined, 'whole'],
    ['bytes=0-', { first: 0, last: 9 }],
    ['bytes=4-5', { first: 4, last: 5 }],
    ['bytes=4-99', { first: 4, last: 9 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-99', { first: 0, last: 9 }],
    ['bytes=10-', null],
    ['bytes=-0', null],
    ['bytes=5-4', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['bytes=-', 'whole'],
    ['lines=0-1', 'whole'],
  ])('returns the part of ten bytes that %s requests', (header, range) => {
    expect(byteRange(header, 10)).toEqual(range);
  });

  it('is stored equally by PostgreSQL and SQLite', async (context) => {
    if (NO_POSTGRES !== undefined) context.skip(NO_POSTGRES);
    const schema = await migratedSchema();
    onTestFinished(() => schema.drop());
    const there = await openPeopleWorld({ mina: {} }, await openMigrated(schema.url, { warn: () => undefined }));
    onTestFinished(() => there.close());
    const she = await there.signIn('mina');
    const { url } = await add(she, 'audio/webm', voice);
    expect(bytesOf(await fetched(she, url)).equals(voice)).toBe(true);
  });

  it('is refused after thirty uploads at once', async () => {
    const all = await Promise.allSettled(Array.from({ length: 31 }, () => add(kai, 'audio/webm', voice)));
    expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(await kai.refused('uploadMedia', { query: { for: 'chat' }, body: file('audio/webm', voice) })).toEqual([
      429,
      'too_many',
    ]);
  });
});

describe('the edge of the server', () => {
  it('S05: accepts files only at one path, of the accepted types and sizes', async () => {
    const sim = await startSim({ demo: true, port: 0 });
    onTestFinished(() => sim.close());
    const login = await fetch(`${sim.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: 'alice' }),
    });
    const { token } = (await login.json()) as { token: string };
    const post = (path: string, type: string, body: Uint8Array<ArrayBuffer>, authorization = `Bearer ${token}`) =>
      fetch(`${sim.url}${path}`, { method: 'POST', headers: { 'content-type': type, authorization }, body });
    const jpeg = new Uint8Array(await photo(300, 300).jpeg().toBuffer());

    const kept = await post('/media?for=profile', 'image/jpeg', jpeg);
    expect(kept.status).toBe(200);
    const { url } = (await kept.json()) as { url: string };
    const picture = await fetch(url);
    expect(picture.headers.get('content-type')).toBe('image/webp');
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff');
    expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect((await sharp(await picture.arrayBuffer()).metadata()).format).toBe('webp');

    const statuses = await Promise.all([
      post('/media?for=profile', 'image/jpeg', jpeg, 'Bearer forged'),
      post('/media?for=profile', 'text/plain', jpeg),
      post('/media?for=profile', 'multipart/form-data', jpeg),
      post('/media/x?for=profile', 'image/jpeg', jpeg),
      post('/auth/logout', 'image/jpeg', jpeg),
      post('/media?for=profile', 'image/jpeg', new Uint8Array(PHOTO_BYTES + 1)).catch(() => ({ status: 413 })),
      post('/media?for=profile', 'application/json', new Uint8Array(Buffer.from('{"bytes":[1]}'))),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 415, 415, 405, 415, 413, 415]);
  });
});
