import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { loginAnswer } from '../../../src/protocol/product/accounts.ts';
import { PRODUCT_API } from '../../../src/protocol/product/api.ts';
import { eventFrame } from '../../../src/protocol/product/event-frames.ts';
import { type PresenceChanged, productEvent } from '../../../src/protocol/product/events.ts';
import { usersJson } from '../../../fixtures/make-users.ts';
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compressFiles } from '../../../src/app/build/compressed-files.ts';
import { appConfigFor, startAppServer } from '../../../sim/server/start-app-server.ts';
import type { ClientOptions, WebSocket } from 'ws';
import { startSim, type Sim } from '../../../sim/server/start-sim.ts';
import { answerOf, json, Terminal, until, upgrade } from './terminals.ts';

let sim: Sim;
beforeAll(async () => {
  sim = await startSim({ demo: true, port: 0 });
});
afterAll(() => sim.close());

const ws = (path: string) => `${sim.url.replace('http', 'ws')}${path}`;
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${sim.url}${path}`, { headers }).then(answerOf);

async function signIn(user_id: string) {
  const { status, body } = await answerOf(await fetch(`${sim.url}/auth/login`, json({ user_id })));
  expect(status).toBe(200);
  return v.parse(v.strictObject(loginAnswer.entries), body);
}

describe('accounts', () => {
  it('signs the users of the demo in without a password, with a token the calling service takes', async () => {
    const { token, u_id, gender_type, calling_user_id, calling_access_token } = await signIn('alice');
    expect([u_id, gender_type, calling_user_id]).toEqual(['alice', 'woman', 'alice']);
    expect(token).not.toBe(calling_access_token);
    const login = (access_token?: string) =>
      fetch(
        `${sim.url}/v1/users/alice/login`,
        json({ app_id: 'ringback-demo', user_id: 'alice', access_token }, { 'x-client-id': 'c' }),
      ).then(({ status }) => status);
    expect(await Promise.all([login(calling_access_token), login('forged'), login()])).toEqual([200, 401, 200]);
  });

  it('checks a bearer token at /auth/refresh_token', async () => {
    const { token } = await signIn('alice');
    expect(await get('/auth/refresh_token', { authorization: `Bearer ${token}` })).toEqual({
      status: 200,
      body: { u_id: 'alice' },
    });
    for (const authorization of ['', 'Bearer', 'Bearer forged', `Basic ${token}`, token, `Bearer ${token} x`]) {
      expect(await get('/auth/refresh_token', { authorization })).toMatchObject({
        status: 401,
        body: { code: 'signed_out' },
      });
    }
  });

  it('lists women for men and men for women, page by page, and never all users at once', async () => {
    const { token } = await signIn('bob');
    const asBob = { authorization: `Bearer ${token}` };
    const { body } = await get('/users/discover?limit=5', asBob);
    const { items, next } = v.parse(PRODUCT_API.discover.answer, body);
    expect([items.length, next, new Set(items.map(({ gender_type }) => gender_type))]).toEqual([
      5,
      expect.any(String),
      new Set(['woman']),
    ]);
    expect(JSON.stringify(body)).not.toContain('password');
    expect(await get('/users/discover')).toMatchObject({ status: 401 });
    expect(await get('/users/discover?limit=51', asBob)).toMatchObject({ status: 400 });
    expect(await get('/users', asBob)).toMatchObject({ status: 404 });
    const demo = v.parse(PRODUCT_API.demoUsers.answer, (await get('/demo/users')).body);
    expect(demo.users.map(({ u_id }) => u_id)).toEqual(
      expect.arrayContaining(['alice', 'bob', 'carol', 'dave', 'testUser']),
    );
    expect(new Set(demo.users.map(({ gender_type }) => gender_type))).toEqual(new Set(['man', 'woman']));
  });

  it('serves a picture for every user', async () => {
    const response = await fetch(`${sim.url}/portraits/alice.svg`);
    expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.text()).toMatch(/^<svg /);
    expect(await get('/portraits/nobody.svg')).toMatchObject({ status: 404 });
    expect(await get('/portraits/%zz.svg')).toMatchObject({ status: 400 });
  });

  it('D19 S14 S43 a server for real users asks for passwords, has no demo and no testUser', async () => {
    const real = await startSim({
      demo: false,
      port: 0,
      users: ['alice', 'testUser'].map((u_id) => ({
        u_id,
        nickname: u_id,
        gender_type: 'woman' as const,
        age: 30,
        city: '',
        price: 1,
        verified: false,
        accepts_video: true,
        joined_at: 0,
        password: 'open sesame',
      })),
    });
    const login = async (body: unknown) => (await fetch(`${real.url}/auth/login`, json(body))).status;
    expect(await login({ user_id: 'alice', password: 'open sesame' })).toBe(200);
    expect(await login({ user_id: 'alice' })).toBe(401);
    expect(await login({ user_id: 'alice', password: '' })).toBe(401);
    expect(await login({ user_id: 'testUser', password: 'open sesame' })).toBe(401);
    expect(await login({})).toBe(400);
    const guesses = await Promise.all(
      Array.from({ length: 70 }, (_, at) => login({ user_id: 'alice', password: `${at}` })),
    );
    expect(new Set(guesses)).toEqual(new Set([401, 423]));
    expect((await fetch(`${real.url}/demo/users`)).status).toBe(404);
    const calling = await fetch(
      `${real.url}/v1/users/alice/login`,
      json({ app_id: 'ringback-demo', user_id: 'alice' }, { 'x-client-id': 'c' }),
    );
    expect(calling.status).toBe(401);
    await real.close();
  });
});

describe('presence', () => {
  it('D17 S50 opens the presence socket only for the user of the token', async () => {
    const { token } = await signIn('alice');
    const page = { origin: 'http://localhost:1' };
    const status = async (path: string, protocols: string[], options: ClientOptions = page) =>
      (await upgrade(ws(path), options, { protocols })).status;
    expect(await status('/ws/online/alice', [], {})).toBe(401);
    expect(await status('/ws/online/alice', ['forged'], {})).toBe(401);
    expect(await status('/ws/events', [], {})).toBe(401);
    expect(await status('/ws/online/bob', [token])).toBe(403);
    expect(await status('/ws/online/%zz', [token])).toBe(403);
    expect(await status('/ws/online/alice', [token], { origin: 'https://evil.example' })).toBe(403);
    // A browser hides the status of an upgrade, so the page receives only the close code (D07).
    for (const [path, protocols] of [
      ['/ws/online/alice', []],
      ['/ws/online/alice', ['forged']],
      ['/ws/events', ['forged']],
    ] as const) {
      const closes: number[] = [];
      const messages: unknown[] = [];
      await upgrade(ws(path), page, {
        protocols: [...protocols],
        listen: (socket) =>
          socket.on('close', (code) => closes.push(code)).on('message', (data) => messages.push(data)),
      });
      expect(await until(() => closes[0], 'the close')).toBe(4401);
      expect(messages).toEqual([]);
    }
    expect(await status('/ws/online/alice', [token])).toBe(101);
  });

  it('S08 S42 the presence socket closes with the session, and so do the live events and the calling service', async () => {
    const [alice, elsewhere] = [await signIn('alice'), await signIn('alice')];
    const closes: string[] = [];
    const listen = (name: string) => (socket: WebSocket) =>
      void socket.on('close', (code) => closes.push(`${name} ${code}`));
    const open = (name: string, path: string, token: string) =>
      upgrade(ws(path), {}, { protocols: [token], listen: listen(name) });
    await open('events', '/ws/events', alice.token);
    await open('presence', '/ws/online/alice', alice.token);
    const others = await open('other events', '/ws/events', elsewhere.token);
    const login = (access_token: string, client: string) =>
      fetch(
        `${sim.url}/v1/users/alice/login`,
        json({ app_id: 'ringback-demo', user_id: 'alice', access_token }, { 'x-client-id': client }),
      ).then(answerOf);
    const { sbcall_session_token } = (await login(alice.calling_access_token, 'phone')).body;
    const query = new URLSearchParams({ session_token: sbcall_session_token, client_id: 'phone', version: '1' });
    await upgrade(ws(`/v1/realtime?${query}`), {}, { listen: listen('calls') });

    await fetch(`${sim.url}/auth/logout`, { method: 'POST', headers: { authorization: `Bearer ${alice.token}` } });
    await until(() => closes.length === 3, 'three closes');
    expect(closes.toSorted()).toEqual(['calls 4401', 'events 4401', 'presence 4401']);
    expect((await login(alice.calling_access_token, 'phone')).status).toBe(401);
    expect((await login(elsewhere.calling_access_token, 'tablet')).status).toBe(200);
    others.socket.close();
  });

  it('B75 S12 ignores messages, and closes after one that is too large or binary', async () => {
    const { token } = await signIn('alice');
    const opened = async (path: string) => {
      const closes: number[] = [];
      const { socket } = await upgrade(
        ws(path),
        {},
        { protocols: [token], listen: (opening) => opening.on('close', (code) => closes.push(code)) },
      );
      return { socket, closes };
    };
    for (const path of ['/ws/online/alice', '/ws/events']) {
      const { socket, closes } = await opened(path);
      for (const text of ['', '<script>alert(1)</script>', '['.repeat(60_000), '{"type":"presence_changed"}']) {
        socket.send(text);
      }
      // The server answers later requests only if the message did no harm.
      const answered = new Promise<void>((resolve) => socket.once('pong', () => resolve()));
      socket.ping();
      await answered;
      expect(closes).toEqual([]);
      socket.send('x'.repeat(1_000_000));
      expect(await until(() => closes[0], 'the close of what is too much')).toBe(1009);
      const binary = await opened(path);
      binary.socket.send(Buffer.from([1, 2, 3]));
      expect(await until(() => binary.closes[0], 'the close of bytes')).toBe(1003);
    }
    expect((await get('/demo/users')).status).toBe(200);
  });

  it('PRES-06 PROD-03 other users receive an event when a user comes online, is in a call, and goes offline', async () => {
    const [alice, dave] = [await signIn('alice'), await signIn('dave')];
    const changes: PresenceChanged[] = [];
    const events = await upgrade(ws('/ws/events'), {}, { protocols: [alice.token] });
    events.socket.on('message', (data) => {
      // A message has one frame or several.
      for (const body of [JSON.parse(String(data))].flat()) {
        const frame = v.safeParse(eventFrame, body);
        const event = frame.success ? v.parse(productEvent, frame.output.event) : null;
        if (event?.type === 'presence_changed') changes.push(event);
      }
    });
    const discovered = async () => {
      const answer = await get('/users/discover', { authorization: `Bearer ${alice.token}` });
      return v.parse(PRODUCT_API.discover.answer, answer.body).items.find(({ u_id }) => u_id === 'dave')?.presence;
    };
    expect(await discovered()).toBe('offline');
    const seen = (presence: string) =>
      until(() => changes.findLast((change) => change.u_id === 'dave' && change.presence === presence), presence);
    const online = await upgrade(ws('/ws/online/dave'), {}, { protocols: [dave.token] });
    expect(online.socket.protocol).toBe(dave.token);
    await seen('online');
    const device = await Terminal.signIn(sim, 'dave');
    const carol = await Terminal.signIn(sim, 'carol');
    const dial = {
      callee_id: 'dave',
      is_video_call: false,
      constraints: { audio: true, video: false },
      capabilities: [],
    };
    const { call_id } = (await carol.send('dial', dial)).payload;
    await device.send('accept', { call_id, constraints: dial.constraints, capabilities: [] });
    await seen('in_call');
    expect(await discovered()).toBe('in_call');
    await carol.send('end', { call_id });
    online.socket.close();
    await device.disconnect();
    expect((await seen('offline')).last_seen_at).toBeGreaterThan(0);
    expect(changes.filter(({ u_id }) => u_id === 'dave').map(({ presence }) => presence)).toEqual([
      'online',
      'in_call',
      'online',
      'offline',
    ]);
    await carol.disconnect();
    events.socket.close();
  });
});

/** Sends the address as written. `fetch` would remove its dots, and sets the host itself. */
function askPlainly(
  port: number,
  path: string,
  init: { readonly method?: string; readonly headers?: Record<string, string> },
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ host: '127.0.0.1', port, path, ...init }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    asked.on('error', reject);
    asked.end();
  });
}

describe('the web app’s server', () => {
  it('serves the app, its routes and its settings', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'app-'));
    await writeFile(join(dir, 'index.html'), '<!doctype html>page');
    await writeFile(join(dir, 'favicon.svg'), '<svg/>');
    await expect(startAppServer({ dir: join(dir, 'none'), port: 0, config: appConfigFor(sim.url) })).rejects.toThrow(
      'npm run build',
    );
    const app = await startAppServer({ dir, port: 0, config: appConfigFor(sim.url) });
    const status = async (path: string, init: RequestInit = {}) => (await fetch(`${app.url}${path}`, init)).status;
    expect(await Promise.all(['/', '/login', '/home-man', '/home-woman', '/home'].map((path) => status(path)))).toEqual(
      [200, 200, 200, 200, 200],
    );
    expect(
      await Promise.all(['/assets/x.js', '/nothing.js', '/nonsense', '//', '/%'].map((path) => status(path))),
    ).toEqual([404, 404, 404, 404, 404]);
    expect(await status('/', { method: 'POST' })).toBe(405);
    const config = await fetch(`${app.url}/config.js`);
    expect(config.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await config.text()).toBe(`window.__CONFIG__ = ${JSON.stringify(appConfigFor(sim.url))};\n`);
    await app.close();
    await rm(dir, { recursive: true });
  });

  it('S38 S39 restricts its pages with every answer: no inline code, no other host, no unused device', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'app-'));
    for (const name of ['index.html', 'favicon.svg', 'sw.js']) await writeFile(join(dir, name), name);
    const [http, sockets] = [sim.url, sim.url.replace('http', 'ws')];
    const secure = { ...appConfigFor('https://api.example'), calling_ws_url: 'wss://calls.example/v1' };
    const halfSecure = { ...secure, calling_api_url: http };
    for (const [config, connect, pictures, hsts] of [
      [appConfigFor(sim.url), `${http} ${sockets}`, http, null],
      [secure, 'https://api.example wss://api.example wss://calls.example', 'https://api.example', 'max-age=31536000'],
      [
        halfSecure,
        `https://api.example ${http} wss://api.example wss://calls.example`,
        `https://api.example ${http}`,
        null,
      ],
    ] as const) {
      const app = await startAppServer({ dir, port: 0, config });
      const { headers: first } = await fetch(app.url);
      const kept = { 'if-none-match': first.get('etag') ?? '' };
      for (const [status, path, asked] of [
        [200, '/', {}],
        [200, '/login', {}],
        [200, '/favicon.svg', {}],
        [200, '/config.js', {}],
        [200, '/sw.js', {}],
        [200, '/', { method: 'HEAD' }],
        [304, '/', { headers: kept }],
        [404, '/nonsense', {}],
        [404, '/nothing.js', {}],
        [405, '/', { method: 'POST' }],
        [421, '/', { headers: { host: 'evil.example' } }],
      ] as const) {
        const answer = await askPlainly(app.port, path, asked);
        const said = (name: string) => answer.headers[name] ?? null;
        expect([path, answer.status]).toEqual([path, status]);
        expect(said('content-security-policy')?.toString().split('; ')).toEqual([
          "default-src 'self'",
          "script-src 'self'",
          "style-src 'self'",
          `connect-src 'self' ${connect}`,
          `img-src 'self' data: blob: ${pictures}`,
          `media-src 'self' blob: ${pictures}`,
          "object-src 'none'",
          "base-uri 'none'",
          "form-action 'self'",
          "frame-ancestors 'none'",
        ]);
        expect(said('permissions-policy')?.toString().split(', ')).toEqual([
          'camera=(self)',
          'microphone=(self)',
          'display-capture=(self)',
          'accelerometer=()',
          'browsing-topics=()',
          'clipboard-read=()',
          'compute-pressure=()',
          'encrypted-media=()',
          'gamepad=()',
          'geolocation=()',
          'gyroscope=()',
          'hid=()',
          'identity-credentials-get=()',
          'idle-detection=()',
          'keyboard-map=()',
          'local-fonts=()',
          'magnetometer=()',
          'midi=()',
          'otp-credentials=()',
          'payment=()',
          'publickey-credentials-create=()',
          'publickey-credentials-get=()',
          'serial=()',
          'sync-xhr=()',
          'usb=()',
          'window-management=()',
          'xr-spatial-tracking=()',
        ]);
        expect(said('x-content-type-options')).toBe('nosniff');
        expect(said('referrer-policy')).toBe('no-referrer');
        expect(said('cross-origin-opener-policy')).toBe('same-origin');
        expect(said('cross-origin-resource-policy')).toBe('same-origin');
        expect(said('strict-transport-security')).toBe(hsts);
      }
      await app.close();
    }
    await rm(dir, { recursive: true });
  });

  it('sends a text in the encoding that the browser accepts: compressed by the build, or plain', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'app-'));
    const script = 'console.log("the app");\n'.repeat(100);
    const page = `<!doctype html>${'<p>page</p>'.repeat(200)}`;
    await mkdir(join(dir, 'assets'));
    await writeFile(join(dir, 'index.html'), page);
    await writeFile(join(dir, 'favicon.svg'), '<svg/>');
    await writeFile(join(dir, 'sw.js'), script);
    await writeFile(join(dir, 'assets/index-abc.js'), script);
    await compressFiles(dir);
    expect((await readdir(join(dir, 'assets'))).toSorted()).toEqual([
      'index-abc.js',
      'index-abc.js.br',
      'index-abc.js.gz',
    ]);
    expect((await readdir(dir)).toSorted(), 'what fits into one packet is left alone, and the worker').toEqual([
      'assets',
      'favicon.svg',
      'index.html',
      'index.html.br',
      'index.html.gz',
      'sw.js',
    ]);
    const app = await startAppServer({ dir, port: 0, config: appConfigFor(sim.url) });
    for (const [takes, coding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await fetch(`${app.url}/assets/index-abc.js`, { headers: { 'accept-encoding': takes } });
      expect([answer.status, answer.headers.get('content-encoding'), await answer.text()]).toEqual([
        200,
        coding,
        script,
      ]);
      expect(answer.headers.get('content-type')).toBe('text/javascript');
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      for (const path of ['/', '/login', '/man-chat-list/a/b']) {
        const deep = await fetch(`${app.url}${path}`, { headers: { 'accept-encoding': takes } });
        expect([deep.status, deep.headers.get('content-encoding'), await deep.text()]).toEqual([200, coding, page]);
        expect(deep.headers.get('cache-control')).toBe('no-cache');
      }
      const worker = await fetch(`${app.url}/sw.js`, { headers: { 'accept-encoding': takes } });
      expect(worker.headers.get('content-encoding')).toBe(coding === null ? null : 'gzip');
      expect(await worker.text()).toContain(script);
    }
    await app.close();
    await rm(dir, { recursive: true });
  });

  it('B72 S37 S40 answers any address of a screen with the unchanged page, the worker without a cache, and repeats no part of an address', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'app-'));
    await writeFile(join(dir, 'index.html'), '<!doctype html>page');
    await writeFile(join(dir, 'sw.js'), 'worker()');
    const app = await startAppServer({ dir, port: 0, config: appConfigFor(sim.url) });
    const ask = async (port: number, path: string, headers: Record<string, string> = {}) => {
      const { status, headers: answered, body } = await askPlainly(port, path, { headers });
      return { status, type: answered['content-type'] ?? '', body };
    };
    const evil = '%3Cscript%3Ealert(1)%3C%2Fscript%3E';
    const page = { type: 'text/html; charset=utf-8', body: '<!doctype html>page' };
    for (const path of [
      `/woman-info/${evil}`,
      '/woman-info/../..',
      '/woman-info/..%2f..%2fetc%2fpasswd',
      '/man-chat-list/javascript:alert(1)',
      '/man-chat-list/data:text%2Fhtml,x',
      '/transactions-record/zzz',
      `/home?next=${evil}`,
      `/login?next=//evil.example`,
    ]) {
      expect([path, await ask(app.port, path)]).toEqual([path, { ...page, status: 200 }]);
    }
    expect(await ask(app.port, `/nowhere/${evil}`)).toEqual({ ...page, status: 404 });
    expect(await ask(app.port, `/nowhere/${evil}.js`)).toMatchObject({
      status: 404,
      type: expect.stringMatching(/^application\/json/),
    });
    const worker = await fetch(`${app.url}/sw.js`);
    expect(worker.headers.get('cache-control')).toBe('no-cache');

    // The product does the same: an unknown name gets the error of the contract.
    const { token } = await signIn('bob');
    for (const path of [
      `/users/${evil}`,
      '/users/..%2f..%2fetc%2fpasswd',
      '/channels/javascript:alert(1)',
      `/channels/${evil}/messages`,
      `/deposits/${evil}`,
    ]) {
      const { status, type, body } = await ask(sim.port, path, { authorization: `Bearer ${token}` });
      expect([path, status, type]).toEqual([path, 404, 'application/json; charset=utf-8']);
      expect(JSON.parse(body)).toMatchObject({ code: 'not_found' });
      expect(body).not.toMatch(/script|alert|passwd/);
    }
    await app.close();
    await rm(dir, { recursive: true });
  });

  it('S18 survives a range that cannot be served, and a build that deletes its files', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'ringback-app-'));
    await Promise.all(['index.html', 'app.js'].map((name) => writeFile(join(dir, name), `this is ${name}`)));
    const app = await startAppServer({ dir, port: 0, config: appConfigFor(sim.url) });
    const ask = (path: string, range?: string) =>
      fetch(`${app.url}${path}`, range === undefined ? {} : { headers: { range } }).then((answer) => answer.text());
    expect(await ask('/app.js', 'bytes=8-3')).toBe('this is app.js');
    await rm(dir, { recursive: true });
    for (const path of ['/app.js', '/', '/login']) await expect(ask(path)).rejects.toThrow();
    expect(await ask('/config.js')).toContain(sim.url);
    await app.close();
  });
});

describe('the demo users', () => {
  it('are the same each time the script runs', async () => {
    expect(await readFile(new URL('../../../fixtures/users.json', import.meta.url), 'utf8')).toBe(usersJson());
  });
});
