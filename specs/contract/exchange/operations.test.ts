/** The probes and metrics that a server offers its operator, and its drain, over real sockets. */
import { request as httpRequest } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { type Sim, type SimOptions, startSim } from '../../../sim/server/start-sim.ts';
import { json, Terminal, until } from './terminals.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

async function start(options: Partial<SimOptions> = {}): Promise<Sim> {
  const sim = await startSim({ demo: true, port: 0, ...options });
  undo.push(() => sim.close());
  return sim;
}

/** Requests a probe with headers that `fetch` cannot set. Returns the status and the body. */
function probe(sim: Sim, path: string, headers: Record<string, string> = {}): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    httpRequest({ port: sim.port, host: '127.0.0.1', path, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve([response.statusCode ?? 0, body]));
    })
      .on('error', reject)
      .end();
  });
}

const AV = { audio: true, video: true };
const CONNECTION = { connection_type: 'host', relay_protocol: null, protocol: 'udp' };
const dial = (from: Terminal, callee_id: string) =>
  from.send('dial', { callee_id, is_video_call: false, constraints: AV, capabilities: [] });

/** Returns the value of a series. */
const valueOf = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1],
  );

it('/healthz and /readyz answer a supervisor by any host name, and contain no data of users', async () => {
  const sim = await start();
  const [status, body] = await probe(sim, '/healthz', { host: 'pod-10-1-2-3' });
  expect([status, JSON.parse(body)]).toEqual([
    200,
    {
      status: 'ok',
      database: 'ok',
      event_loop_delay_ms: { p99: expect.any(Number), max: expect.any(Number) },
      version: 'unknown',
      session_s: 86_400,
    },
  ]);
  expect(await probe(sim, '/readyz', { host: 'pod-10-1-2-3' })).toEqual([200, '{"status":"ready"}']);
  expect((await fetch(`${sim.url}/readyz`, { method: 'POST' })).status).toBe(404);
});

it('/metrics count connections, calls by state, set-ups, failures by code, event-loop delay and store latency', async () => {
  const sim = await start();
  const [alice, bob] = [await Terminal.signIn(sim, 'alice'), await Terminal.signIn(sim, 'bob')];
  const { call_id } = (await dial(alice, 'bob')).payload;
  await bob.send('accept', { call_id, constraints: AV, capabilities: [] });
  for (const side of [alice, bob]) await side.send('connected', { call_id, connection: CONNECTION, reconnect: false });
  await dial(alice, 'nobody');
  await fetch(`${sim.url}/auth/refresh_token`);
  await fetch(`${sim.url}/v1/nothing`);
  const form = { method: 'POST', body: 'a=b', headers: { 'content-type': 'text/csv' } };
  await fetch(`${sim.url}/auth/login`, form);
  const [status, text] = await probe(sim, '/metrics');
  expect(status).toBe(200);
  expect(valueOf(text, 'ringback_connections')).toBe(2);
  expect(valueOf(text, 'ringback_calls{state="connected"}')).toBe(1);
  expect(valueOf(text, 'ringback_calls{state="ringing"}')).toBe(0);
  expect(valueOf(text, 'ringback_call_setups_total')).toBe(1);
  expect(valueOf(text, 'ringback_failures_total{code="1400103"}')).toBe(1);
  expect(valueOf(text, 'ringback_failures_total{code="signed_out"}')).toBe(1);
  expect(valueOf(text, 'ringback_failures_total{code="1800200"}')).toBe(1);
  expect(valueOf(text, 'ringback_failures_total{code="415"}')).toBe(1);
  expect(valueOf(text, 'ringback_store_seconds_count')).toBeGreaterThan(0);
  expect(valueOf(text, 'ringback_event_loop_delay_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0);
  expect(text).not.toMatch(/alice|bob|127\.0/);
});

it('/metrics count rooms with participants, and their participants', async () => {
  const sim = await start();
  const counts = async () => {
    const [, text] = await probe(sim, '/metrics');
    return [valueOf(text, 'ringback_rooms'), valueOf(text, 'ringback_room_participants')];
  };
  const phones = [await Terminal.signIn(sim, 'alice', 'one'), await Terminal.signIn(sim, 'alice', 'two')];
  const [first, second] = phones;
  if (!first || !second) throw new Error('no terminals');
  const ask = async (by: Terminal, path: string, body: object) =>
    (await fetch(`${sim.url}/v1/rooms${path}`, json(body, by.headers))).json();
  const create = async () => (await ask(first, '', { type: 'small_room_for_video' })).room.room_id;
  const media = { is_audio_on: true, is_video_on: true };
  const room = await create();
  await create();
  expect(await counts()).toEqual([0, 0]);
  for (const phone of phones) await ask(phone, `/${room}/participants`, media);
  await ask(second, `/${await create()}/participants`, media);
  expect(await counts()).toEqual([2, 3]);
});

it('S04 only clients of this machine may read /metrics, or clients with the metrics token when one is set', async () => {
  const open = await start();
  for (const headers of [
    { 'x-forwarded-for': '203.0.113.5' },
    { forwarded: 'for=203.0.113.5' },
    { host: 'evil.test' },
  ]) {
    expect((await probe(open, '/metrics', headers))[0]).toBe(403);
  }
  const closed = await start({ metricsToken: 'a-token-of-the-operator' });
  expect((await probe(closed, '/metrics'))[0]).toBe(403);
  expect((await probe(closed, '/metrics', { authorization: 'Bearer wrong' }))[0]).toBe(403);
  expect((await probe(closed, '/metrics', { authorization: 'Bearer a-token-of-the-operator' }))[0]).toBe(200);
});

it('F59 a draining server starts no call and no session, continues its calls, and is drained when the last call ends', async () => {
  const sim = await start();
  const [alice, bob] = [await Terminal.signIn(sim, 'alice'), await Terminal.signIn(sim, 'bob')];
  const { call_id } = (await dial(alice, 'bob')).payload;
  let isOver = false;
  const drained = sim.drain(600_000).then(() => (isOver = true));
  expect(await probe(sim, '/readyz')).toEqual([503, '{"status":"draining"}']);
  const body = json({ app_id: 'ringback-demo', user_id: 'carol' }, { 'x-client-id': 'c' });
  const login = await fetch(`${sim.url}/v1/users/carol/login`, body);
  expect([login.status, login.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await fetch(`${sim.url}/auth/login`, json({ user_id: 'carol' }))).status).toBe(503);
  expect((await dial(bob, 'carol')).error).toMatchObject({
    code: ErrorCode.ERR_SERVER_INTERNAL_ERROR,
    message: expect.stringContaining('restart'),
  });
  expect(sim.exchange.liveCalls).toHaveLength(1);
  expect(isOver).toBe(false);
  await bob.send('decline', { call_id });
  await drained;
  await sim.close();
  await until(() => alice.closeCode === 1012, 'the socket of alice is closed with 1012');
  await expect(probe(sim, '/readyz')).rejects.toThrow();
  await sim.close();
});
