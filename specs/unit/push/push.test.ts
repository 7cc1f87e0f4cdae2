/** Push messages of the server: their content, their devices and their signature. */
import { createPublicKey, verify } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWebPushSender, type PostPush, pushMessage } from '../../../sim/push/web-push-sender.ts';
import { isPushService, PUSH_HOSTS } from '../../../sim/push/subscription.ts';
import { makeVapidKeys, readVapidKeys } from '../../../sim/push/vapid.ts';
import { hashOf } from '../../../sim/product/accounts/sign-ins.ts';
import { Devices } from '../../../sim/product/push/devices.ts';
import { MemoryEventHub } from '../../../sim/product/events/memory-event-hub.ts';
import { lastHeartbeat } from '../../../sim/product/push/push-handlers.ts';
import type { Database } from '../../../sim/store/database.ts';
import { PUSH_LIMITS, type PushPayload } from '../../../src/protocol/product/push.ts';
import { openTestDatabase } from '../product/support/test-database.ts';
import { pushReceiver } from './decrypt-push.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

const payload = (some: Partial<PushPayload> = {}): PushPayload => ({
  type: 'CHAT',
  name: '小美',
  gift_name: '',
  coin: '',
  icon: '',
  ...some,
});

const endpoint = (name: string) => `https://fcm.googleapis.com/fcm/send/${name}`;

function sending(answer: (url: string) => number | Error = () => 201) {
  // The signing library refuses an expiry that is too far ahead.
  const clock = { at: Date.now(), now: () => clock.at };
  const keys = readVapidKeys(makeVapidKeys());
  const log = { warn: vi.fn() };
  const post = vi.fn<PostPush>((url) => {
    const status = answer(url);
    return status instanceof Error ? Promise.reject(status) : Promise.resolve(status);
  });
  const sender = createWebPushSender({
    keys,
    subject: 'mailto:push@example.org',
    hosts: PUSH_HOSTS,
    post,
    now: clock.now,
    log,
  });
  return { sender, post, log, keys, clock };
}

describe('a push message', () => {
  it('is encrypted so that only its device can read it', async () => {
    const { sender, post } = sending();
    const [mina, kai] = [pushReceiver(endpoint('mina')), pushReceiver(endpoint('kai'))];
    await sender.send([mina.token], payload({ type: 'GIFT', gift_name: '玫瑰', coin: '520' }));
    const [url, { headers, body }] = post.mock.calls[0]!;
    expect(url).toBe(endpoint('mina'));
    expect(headers).toMatchObject({ 'Content-Encoding': 'aes128gcm', TTL: 86_400, Urgency: 'normal' });
    expect(Buffer.from(body).toString('latin1')).not.toContain('GIFT');
    expect(JSON.parse(mina.read(body))).toEqual(payload({ type: 'GIFT', gift_name: '玫瑰', coin: '520' }));
    expect(() => kai.read(body)).toThrow();
    const spoilt = Uint8Array.from(body, (byte, at) => (at === body.length - 1 ? byte ^ 1 : byte));
    expect(() => mina.read(spoilt)).toThrow();
  });

  it('of a call is urgent, and expires with the call', async () => {
    const { sender, post } = sending();
    for (const type of ['CALL', 'VIDEO_CALL']) {
      await sender.send([pushReceiver(endpoint('mina')).token], payload({ type }));
      expect(post.mock.lastCall?.[1].headers).toMatchObject({ TTL: 45, Urgency: 'high' });
    }
  });

  it('fits into a push message, for any content', async () => {
    const { sender, post } = sending();
    const receiver = pushReceiver(endpoint('mina'));
    const sent = async (some: Partial<PushPayload>) => {
      await sender.send([receiver.token], payload(some));
      const { body } = post.mock.lastCall![1];
      expect(body.length).toBeLessThanOrEqual(PUSH_LIMITS.messageBytes);
      return JSON.parse(receiver.read(body)) as PushPayload;
    };
    expect(await sent({ icon: `https://pictures.example/${'a'.repeat(3_500)}` })).toMatchObject({
      icon: expect.stringMatching(/a$/),
    });
    expect(await sent({ icon: `https://pictures.example/${'a'.repeat(4_000)}` })).toEqual(payload());
    const long = '美'.repeat(200);
    expect(await sent({ name: long, icon: 'a'.repeat(4_000) })).toEqual(payload({ name: long }));
    const name = '\u0001'.repeat(10_000);
    expect(await sent({ type: name, name, gift_name: name, coin: name })).toMatchObject({ name: '\u0001'.repeat(100) });
    expect(pushMessage(payload())).toBe(JSON.stringify(payload()));
  });
});

/** Returns the claims of an `Authorization` with a valid signature. */
function claimsOf(authorization: string, publicKey: string): { aud: string; exp: number; sub: string } {
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  expect(key).toBe(publicKey);
  const [head, body = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  expect(isRight).toBe(true);
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as { aud: string; exp: number; sub: string };
}

describe('the signature', () => {
  it('is separate for each push service, and is renewed an hour before it expires', async () => {
    const { sender, post, keys, clock } = sending();
    const token = pushReceiver(endpoint('mina')).token;
    const authorization = async (of = token) => {
      await sender.send([of], payload());
      return post.mock.lastCall?.[1].headers['Authorization'] ?? '';
    };
    const first = await authorization();
    const { aud, exp, sub } = claimsOf(first, keys.publicKey);
    expect({ aud, sub }).toEqual({ aud: 'https://fcm.googleapis.com', sub: 'mailto:push@example.org' });
    const elsewhere = await authorization(pushReceiver('https://web.push.apple.com/x').token);
    expect(claimsOf(elsewhere, keys.publicKey).aud).toBe('https://web.push.apple.com');

    clock.at = exp * 1_000 - HOUR_MS;
    expect(await authorization()).toBe(first);
    clock.at += 1_000;
    const second = await authorization();
    expect(second).not.toBe(first);
    expect(claimsOf(second, keys.publicKey).exp).toBeGreaterThan(exp);
  });

  it('uses a key pair of P-256, whose public key is published', () => {
    const { sender, keys } = sending();
    expect(sender.publicKey).toBe(keys.publicKey);
    expect(Buffer.from(keys.publicKey, 'base64url')).toHaveLength(65);
    expect(Buffer.from(keys.privateKey, 'base64url')).toHaveLength(32);
  });
});

describe('the receivers', () => {
  it.each([
    ['https://fcm.googleapis.com/fcm/send/x', true],
    ['https://updates.push.services.mozilla.com/wpush/v2/x', true],
    ['https://wns2-par02p.notify.windows.com/w/?token=x', true],
    ['https://web.push.apple.com/x', true],
    ['http://fcm.googleapis.com/fcm/send/x', false],
    ['https://fcm.googleapis.com:8443/x', false],
    ['https://user:pass@fcm.googleapis.com/x', false],
    ['https://fcm.googleapis.com.evil.example/x', false],
    ['https://evilnotify.windows.com/x', false],
    ['https://fcm.googleapis.com@evil.example/x', false],
    ['https://127.0.0.1/x', false],
    ['https://169.254.169.254/latest/meta-data', false],
    ['https://[::ffff:127.0.0.1]/x', false],
    ['https://0x7f.1/x', false],
    ['file:///etc/passwd', false],
    ['nothing', false],
  ])('%s is a push service: %s', (url, isOne) => {
    expect(isPushService(url, PUSH_HOSTS)).toBe(isOne);
  });

  it('an address that is no subscription of a push service gets no request, and is removed', async () => {
    const { sender, post } = sending();
    const good = pushReceiver(endpoint('mina')).token;
    const withKeys = (keys: object) =>
      Buffer.from(JSON.stringify({ endpoint: endpoint('x'), keys })).toString('base64url');
    const bad = [
      pushReceiver('https://10.0.0.1/x').token,
      'not a token',
      withKeys({}),
      withKeys({ p256dh: 'short', auth: 'short' }),
    ];
    expect(bad.map((token) => sender.accepts(token))).toEqual([false, false, false, false]);
    expect(sender.accepts(good)).toBe(true);
    expect(await sender.send([...bad, good], payload())).toEqual(bad);
    expect(post).toHaveBeenCalledOnce();
  });

  it('devices that no longer exist are reported; others are kept, for any other answer of their push service', async () => {
    const answers: Record<string, number | Error> = { a: 404, b: 410, c: 429, d: 500, e: new Error('no way'), f: 201 };
    const { sender, log } = sending((url) => answers[url.at(-1) ?? ''] ?? 400);
    const tokens = Object.keys(answers).map((name) => pushReceiver(endpoint(name)).token);
    expect(await sender.send(tokens, payload())).toEqual(tokens.slice(0, 2));
    expect(log.warn).toHaveBeenCalledTimes(3);
    expect(JSON.stringify(log.warn.mock.calls)).not.toContain('fcm.googleapis.com');
  });

  it('an invalid public key affects no other device', async () => {
    const { sender, post } = sending();
    const wrong = { endpoint: endpoint('x'), keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) } };
    const token = Buffer.from(JSON.stringify(wrong)).toString('base64url');
    expect(await sender.send([token, pushReceiver(endpoint('mina')).token], payload())).toEqual([]);
    expect(post).toHaveBeenCalledOnce();
  });
});

describe('the devices of users', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase(':memory:');
  });
  afterEach(() => database.db.destroy());

  function product() {
    const clock = { at: Date.UTC(2026, 10, 20), now: () => clock.at, wallTime: () => clock.at };
    const events = new MemoryEventHub(clock, { uuid: () => 'stream' });
    const gone = new Set<string>();
    const sent: (readonly string[])[] = [];
    const sender = {
      publicKey: 'key',
      accepts: () => true,
      send: (tokens: readonly string[]) => {
        sent.push(tokens);
        return Promise.resolve(tokens.filter((token) => gone.has(token)));
      },
    };
    const devices = new Devices({ database, clock, events, sender });
    const told = async (uId: string) => {
      await devices.notify(uId, payload());
      return [...(sent.at(-1) ?? [])].sort();
    };
    const save = async (uId: string, token: string, aliveOn: string | null, session = `session of ${uId}`) => {
      await database.db
        .insertInto('ringback_accounts')
        .values({ u_id: uId, gender_type: 'man', password_hash: null, is_demo: 0, joined_at: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await database.db
        .insertInto('ringback_sign_ins')
        .values({
          token_hash: hashOf(session),
          calling_hash: '',
          u_id: uId,
          expires_at: clock.at + 365 * DAY_MS,
          session_id: session,
          began_at: clock.at,
          used_at: clock.at,
          browser: null,
          system: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await devices.save({ uId, token: session }, token, aliveOn);
    };
    return { clock, events, gone, sent, devices, save, told };
  }

  it('get only the messages of their user, until they are removed', async () => {
    const { devices, save, told } = product();
    await save('mina', 'phone', null);
    await save('mina', 'desk', '2026-11-20');
    expect(await told('mina')).toEqual(['desk', 'phone']);
    // Another user signs in on the same phone.
    await save('kai', 'phone', null);
    expect(await told('mina')).toEqual(['desk']);
    await devices.forget('mina', 'phone');
    expect(await told('kai')).toEqual(['phone']);
    await devices.forget('kai', 'phone');
    expect(await told('kai')).toEqual([]);
  });

  it('a device that no longer exists gets no more messages', async () => {
    const { save, gone, told } = product();
    await save('mina', 'old', null);
    await save('mina', 'new', null);
    gone.add('old');
    await told('mina');
    expect(await told('mina')).toEqual(['new']);
  });

  it('a device that was silent for sixty days is removed, and the latest of many devices are kept', async () => {
    const { clock, save, told } = product();
    await save('mina', 'old', null);
    clock.at += 30 * DAY_MS;
    await save('mina', 'new', null);
    clock.at += 30 * DAY_MS + 1;
    expect(await told('mina')).toEqual(['new']);
    for (let at = 0; at < 25; at += 1) {
      clock.at += 1;
      await save('mina', `device-${at}`, null);
    }
    const kept = await told('mina');
    expect(kept).toHaveLength(20);
    expect(kept).not.toContain('device-4');
    expect(kept).toContain('device-5');
  });

  it('a user with an open app gets the event in the app, and no push on a device', async () => {
    const { events, sent, devices, save } = product();
    await save('mina', 'phone', null);
    const heard: unknown[] = [];
    const leave = events.subscribe('mina', null, (frame) => heard.push(frame));
    await devices.notify('mina', payload());
    expect(heard.slice(1)).toEqual([{ seq: 1, event: { type: 'push', payload: payload() } }]);
    expect(sent).toEqual([]);
    leave();
    await devices.notify('mina', payload());
    expect(sent).toEqual([['phone']]);
  });
});

describe('the heartbeats of an app', () => {
  const header = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('record on which day it was last alive', () => {
    const heartbeats = [
      { agent: 'ringback/1', dates: ['2026-11-18', '2026-11-20'] },
      { agent: 'ringback/0', dates: ['2026-11-19'] },
    ];
    expect(lastHeartbeat(header({ version: 1, heartbeats }))).toBe('2026-11-20');
  });

  it.each([null, '', 'not base64 of json', header({ version: 2 }), header({ version: 1, heartbeats: [] })])(
    'an empty header is ignored: %j',
    (value) => expect(lastHeartbeat(value)).toBeNull(),
  );

  it('a header of more than 1024 bytes is not read', () => {
    const of = (length: number) => {
      const heartbeats = [{ agent: 'x'.repeat(length), dates: ['2026-11-20'] }];
      return header({ version: 1, heartbeats });
    };
    const fits = of(690);
    expect(fits.length).toBeLessThanOrEqual(1_024);
    expect(lastHeartbeat(fits)).toBe('2026-11-20');
    expect(lastHeartbeat(of(720))).toBeNull();
  });
});
