/** Push through the running server: a device registers, and receives a call while no client of its user can ring. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PostPush } from '../../../sim/push/web-push-sender.ts';
import { appConfigFor, startAppServer } from '../../../sim/server/start-app-server.ts';
import { startSim, type Sim } from '../../../sim/server/start-sim.ts';
import { pushReceiver } from '../../unit/push/decrypt-push.ts';
import { answerOf, json, Terminal, until, upgrade } from './terminals.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const posted: { readonly url: string; readonly body: Uint8Array }[] = [];
const post: PostPush = (url, { body }) => {
  posted.push({ url, body });
  return Promise.resolve(201);
};

let sim: Sim;
beforeAll(async () => {
  sim = await startSim({ demo: true, port: 0, ports: { push: { post } } });
});
afterAll(() => sim.close());
afterEach(() => {
  posted.length = 0;
});

async function tokenOf(user_id: string): Promise<string> {
  const { body } = await answerOf(await fetch(`${sim.url}/auth/login`, json({ user_id })));
  return String(body.token);
}

async function ask(bearer: string, method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${bearer}`, ...more };
  const init = body === undefined ? { headers } : json(body, headers);
  return fetch(`${sim.url}${path}`, { ...init, method }).then(answerOf);
}

const dialTo = (callee_id: string, is_video_call: boolean) => ({
  callee_id,
  is_video_call,
  constraints: { audio: true, video: is_video_call },
  capabilities: [],
});

/** Registers a user who has signed in before, and is offline. */
async function registerOffline(userId: string): Promise<void> {
  const terminal = await Terminal.signIn(sim, userId);
  await terminal.disconnect();
}

describe('push tokens', () => {
  it('every signed-in user receives the key of the server, and the key does not change', async () => {
    const bearer = await tokenOf('alice');
    const { status, body } = await ask(bearer, 'GET', '/push/public-key');
    expect(status).toBe(200);
    expect(Buffer.from(String(body.public_key), 'base64url')).toHaveLength(65);
    expect((await ask(bearer, 'GET', '/push/public-key')).body).toEqual(body);
    expect((await ask('', 'GET', '/push/public-key')).status).toBe(401);
  });

  it('the server refuses a token that is no subscription of a push service, because it would post to another host', async () => {
    const bearer = await tokenOf('alice');
    for (const endpoint of ['https://169.254.169.254/latest', 'http://fcm.googleapis.com/x', `${sim.url}/x`]) {
      const { status, body } = await ask(bearer, 'POST', '/push/tokens', { token: pushReceiver(endpoint).token });
      expect({ status, code: body.code, field: body.field }).toEqual({ status: 400, code: 'invalid', field: 'token' });
    }
    expect((await ask(bearer, 'POST', '/push/tokens', { token: '' })).status).toBe(400);
    expect((await ask('', 'POST', '/push/tokens', { token: 'x' })).status).toBe(401);
  });

  it('a page may report on which days the app was active', async () => {
    const { headers } = await fetch(`${sim.url}/push/tokens`, { method: 'OPTIONS' });
    expect(headers.get('access-control-allow-headers')).toContain('x-ringback-heartbeats');
    const report = { version: 1, heartbeats: [{ agent: 'ringback/1', dates: ['2026-11-20'] }] };
    const heartbeats = Buffer.from(JSON.stringify(report)).toString('base64url');
    const { token } = pushReceiver('https://fcm.googleapis.com/fcm/send/alice');
    const bearer = await tokenOf('alice');
    const { status } = await ask(bearer, 'POST', '/push/tokens', { token }, { 'x-ringback-heartbeats': heartbeats });
    expect(status).toBe(200);
    expect((await ask(bearer, 'DELETE', '/push/tokens', { token })).status).toBe(200);
  });
});

describe('a call to a user who is offline', () => {
  it('is pushed to the devices of the user, encrypted for each, and rings one that connects', async () => {
    await registerOffline('bob');
    const bob = await tokenOf('bob');
    const device = pushReceiver('https://fcm.googleapis.com/fcm/send/bob');
    await ask(bob, 'POST', '/push/tokens', { token: device.token });
    const alice = await Terminal.signIn(sim, 'alice');
    const { call_id } = (await alice.send('dial', dialTo('bob', false))).payload;
    const { url, body } = await until(() => posted[0], 'the push');
    expect(url).toBe('https://fcm.googleapis.com/fcm/send/bob');
    expect(JSON.parse(device.read(body))).toMatchObject({
      type: 'CALL',
      name: expect.stringMatching(/./),
      icon: expect.stringContaining('/portraits/alice.svg'),
    });
    const phone = await Terminal.signIn(sim, 'bob');
    await until(
      () => phone.events.find(({ payload }) => 'call_id' in payload && payload.call_id === call_id),
      'the ring',
    );
    await phone.disconnect();
    await alice.send('cancel', { call_id });
    await ask(bob, 'DELETE', '/push/tokens', { token: device.token });
    await alice.disconnect();
  });

  it('is sent to an open app as an event, and pushed to no device', async () => {
    await registerOffline('dave');
    const dave = await tokenOf('dave');
    const device = pushReceiver('https://fcm.googleapis.com/fcm/send/dave');
    await ask(dave, 'POST', '/push/tokens', { token: device.token });
    const received: string[] = [];
    const events = await upgrade(`${sim.url.replace('http', 'ws')}/ws/events`, {}, { protocols: [dave] });
    events.socket.on('message', (data) => received.push(String(data)));
    const carol = await Terminal.signIn(sim, 'carol');
    const { call_id } = (await carol.send('dial', dialTo('dave', true))).payload;
    const event = await until(() => received.find((text) => text.includes('"push"')), 'the event');
    expect(event).toContain('"VIDEO_CALL"');
    expect(posted).toEqual([]);
    await carol.send('cancel', { call_id });
    events.socket.close();
    await carol.disconnect();
  });

  it('a user with a connected device is rung, and no push is sent', async () => {
    const bob = await tokenOf('bob');
    const device = pushReceiver('https://fcm.googleapis.com/fcm/send/bob');
    await ask(bob, 'POST', '/push/tokens', { token: device.token });
    const [alice, there] = [await Terminal.signIn(sim, 'alice'), await Terminal.signIn(sim, 'bob')];
    const { call_id } = (await alice.send('dial', dialTo('bob', true))).payload;
    await until(() => there.events.find(({ type }) => type === 'dial'), 'the ringing');
    await alice.send('cancel', { call_id });
    expect(posted).toEqual([]);
    await Promise.all([alice.disconnect(), there.disconnect()]);
  });
});

describe('an invitation into a room', () => {
  const inRoom = async (by: Terminal, method: string, path: string, body: object) => {
    const { status, body: answer } = await answerOf(
      await fetch(`${sim.url}/v1/rooms${path}`, { ...json(body, by.headers), method }),
    );
    return { status, answer };
  };

  it.each(['small_room_for_audio_only', 'large_room_for_video'])(
    'into a %s is pushed to a user who is offline, with the id of the room',
    async (type) => {
      const url = 'https://fcm.googleapis.com/fcm/send/bob-of-rooms';
      await registerOffline('bob');
      const bob = await tokenOf('bob');
      const device = pushReceiver(url);
      await ask(bob, 'POST', '/push/tokens', { token: device.token });
      const alice = await Terminal.signIn(sim, 'alice');
      const { answer } = await inRoom(alice, 'POST', '', { type });
      const invitation = `/${answer.room.room_id}/invitation`;
      expect((await inRoom(alice, 'POST', invitation, { invitee_id: 'bob' })).status).toBe(200);
      const { body } = await until(() => posted.find((one) => one.url === url), 'the push');
      expect(JSON.parse(device.read(body))).toMatchObject({
        type: 'ROOM',
        room: answer.room.room_id,
        name: expect.stringMatching(/./),
        icon: expect.stringContaining('/portraits/alice.svg'),
      });
      await inRoom(alice, 'DELETE', invitation, { invitee_id: 'bob' });
      await ask(bob, 'DELETE', '/push/tokens', { token: device.token });
      await alice.disconnect();
    },
  );

  it('of a user that the invitee blocks is refused, and pushed to no device', async () => {
    const dave = await tokenOf('dave');
    const device = pushReceiver('https://fcm.googleapis.com/fcm/send/dave');
    await ask(dave, 'POST', '/push/tokens', { token: device.token });
    expect((await ask(dave, 'POST', '/blocks', { u_id: 'carol' })).status).toBe(200);
    const carol = await Terminal.signIn(sim, 'carol');
    const { answer } = await inRoom(carol, 'POST', '', { type: 'small_room_for_video' });
    const invite = () => inRoom(carol, 'POST', `/${answer.room.room_id}/invitation`, { invitee_id: 'dave' });
    expect(await invite()).toMatchObject({ status: 403, answer: { code: ErrorCode.ERR_NO_PERMISSION } });
    expect(posted).toEqual([]);
    expect((await ask(dave, 'DELETE', '/blocks/carol')).status).toBe(200);
    expect((await invite()).status).toBe(200);
    await until(() => posted[0], 'the push');
    await carol.disconnect();
  });
});

describe('the app server', () => {
  it('serves the service worker and the manifest so that the browser finds a new version or another deployment', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'ringback-app-'));
    try {
      await writeFile(join(dir, 'index.html'), '<!doctype html>');
      await writeFile(join(dir, 'sw.js'), 'self.x = 1;\n');
      await writeFile(join(dir, 'manifest.json'), '{}');
      const [here, there] = await Promise.all(
        ['http://127.0.0.1:1', 'http://127.0.0.1:2'].map((url) =>
          startAppServer({ dir, port: 0, config: appConfigFor(url) }),
        ),
      );
      if (!here || !there) throw new Error('there are two');
      const [one, again, other] = await Promise.all([here, here, there].map(({ url }) => fetch(`${url}/sw.js`)));
      expect(one?.headers.get('cache-control')).toBe('no-cache');
      expect(one?.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      const script = await one?.text();
      expect(script).toMatch(/^self\.__DEPLOYMENT__ = '[0-9a-f]{12}';\nself\.x = 1;\n$/);
      expect(await again?.text()).toBe(script);
      expect(await other?.text()).not.toBe(script);
      expect((await fetch(`${here.url}/sw.js`, { method: 'HEAD' })).status).toBe(200);
      const manifest = await fetch(`${here.url}/manifest.json`);
      expect(manifest.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
      expect(manifest.headers.get('cache-control')).toBe('no-cache');
      await Promise.all([here.close(), there.close()]);
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
