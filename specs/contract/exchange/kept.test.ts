/** The stored data of an exchange, over real sockets and in real databases. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../sim/exchange/ports.ts';
import { startSim, type Sim } from '../../../sim/server/start-sim.ts';
import { openDatabase } from '../../../sim/store/open-store.ts';
import { migratedSchema, NO_POSTGRES } from '../store/postgres-schema.ts';
import { answerOf, json, Terminal } from './terminals.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const AV = { audio: true, video: true };
const folder = mkdtempSync(join(tmpdir(), 'ringback-kept-'));
const endings: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
afterAll(async () => {
  for (const end of endings.toReversed()) await end();
});

const log: LogEntry[] = [];
async function start(database: string, name?: string): Promise<Sim> {
  const named = name === undefined ? {} : { name };
  const sim = await startSim({ demo: true, port: 0, database, ...named, log: (entry) => log.push(entry) });
  endings.push(() => sim.close());
  return sim;
}

const ask = async (from: Terminal, method: string, path: string, body?: unknown) =>
  answerOf(
    await fetch(`${from.sim.url}${path}`, {
      ...(body === undefined ? {} : json(body)),
      method,
      headers: { ...from.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    }),
  );
const history = async (from: Terminal) => (await ask(from, 'GET', `/v1/users/${from.userId}/calls`)).body;

const dial = (from: Terminal, callee_id: string, more: object = {}) =>
  from.send('dial', { callee_id, is_video_call: false, constraints: AV, capabilities: [], ...more });

/** Creates a call that is dialled, gets no reply, and is cancelled. */
async function cancelled(caller: Terminal, callee: Terminal): Promise<string> {
  const { call_id } = (await dial(caller, callee.userId, { custom_items: { a: '1' } })).payload;
  await caller.send('cancel', { call_id });
  return call_id;
}

const DATABASES = {
  'SQLite in a file': { missing: undefined, make: async () => join(folder, 'kept.db') },
  PostgreSQL: {
    missing: NO_POSTGRES,
    async make() {
      const schema = await migratedSchema();
      endings.push(() => schema.drop());
      return schema.url;
    },
  },
};

describe.each(Object.entries(DATABASES))('%s', (_, { missing, make }) => {
  it('HTTP-19 HTTP-20 HTTP-22 HTTP-27: an exchange has the stored data after a restart', async (context) => {
    if (missing !== undefined) context.skip(missing);
    const database = await make();
    const first = await startSim({ demo: true, port: 0, database, name: 'kept' });
    const [alice, bob] = [await Terminal.signIn(first, 'alice'), await Terminal.signIn(first, 'bob')];
    const call_id = await cancelled(alice, bob);
    const token = '/v1/users/alice/push/fcm_voip';
    expect(await ask(alice, 'POST', token, { token: 'one', is_unique: true })).toEqual({ status: 200, body: {} });
    const going = (await dial(alice, 'bob')).payload.call_id;
    const before = await history(bob);
    expect(before.calls.map((call: any) => [call.call_id, call.end_result])).toEqual([[call_id, 'canceled']]);
    await first.close();

    const again = await start(database, 'kept');
    const [alice2, bob2] = [await Terminal.signIn(again, 'alice'), await Terminal.signIn(again, 'bob')];
    expect((await history(bob2)).calls).toEqual(before.calls);
    expect(again.exchange.liveCalls).toEqual([{ callId: going, state: 'ringing' }]);
    const items = `/v1/direct_calls/${call_id}/custom_items`;
    const put = await ask(alice2, 'PUT', items, { custom_items: { b: '2' }, mode: 'upsert' });
    expect(put).toMatchObject({ status: 200, body: { custom_items: { a: '1', b: '2' }, updated: ['b'] } });
    expect(await bob2.event('custom_items_update')).toMatchObject({ call_id, affected_at: put.body.affected_at });
    expect(await ask(bob2, 'DELETE', items, { keys: ['a'] })).toMatchObject({ body: { deleted: ['a'] } });
    expect(await ask(bob2, 'DELETE', items)).toMatchObject({ body: { custom_items: {}, deleted: ['b'] } });
    expect(await ask(alice2, 'DELETE', `${token}/one`)).toMatchObject({ status: 200 });
    expect(await ask(alice2, 'DELETE', `${token}/one`)).toMatchObject({ status: 404 });
    expect(await ask(alice2, 'DELETE', token)).toEqual({ status: 200, body: {} });
  });
});

describe('two exchanges on one PostgreSQL', () => {
  it('write the histories of the same users and change the same call, and lose nothing', async (context) => {
    if (NO_POSTGRES !== undefined) context.skip(NO_POSTGRES);
    const database = await DATABASES.PostgreSQL.make();
    const sims = await Promise.all([start(database), start(database)]);
    const sides = await Promise.all(
      sims.map(async (sim) => ({ alice: await Terminal.signIn(sim, 'alice'), bob: await Terminal.signIn(sim, 'bob') })),
    );
    const calls = await Promise.all(
      sides.flatMap(({ alice, bob }) =>
        [0, 1, 2, 3].map((at) => (at % 2 === 0 ? cancelled(alice, bob) : cancelled(bob, alice))),
      ),
    );
    for (const { alice } of sides) await history(alice);
    for (const { bob } of sides) {
      expect((await history(bob)).calls.map(({ call_id }: any) => call_id).sort()).toEqual([...calls].sort());
    }
    const [call_id = ''] = calls;
    const changes = await Promise.all(
      sides.flatMap(({ alice, bob }, sim) =>
        [alice, bob].map((from) =>
          ask(from, 'PUT', `/v1/direct_calls/${call_id}/custom_items`, {
            custom_items: { [`${from.userId}${sim}`]: 'x' },
            mode: 'upsert',
          }),
        ),
      ),
    );
    expect(changes.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(changes.map(({ body }) => body.affected_at)).size).toBe(4);
    const found = (await history(sides[1]?.alice as Terminal)).calls.find((call: any) => call.call_id === call_id);
    expect(Object.keys(found.custom_items).sort()).toEqual(['a', 'alice0', 'alice1', 'bob0', 'bob1']);
  });
});

describe('refusals, each by its cause', () => {
  it('ERR-1400101 ERR-1400102 ERR-1400103 ERR-1400104 ERR-1400105 ERR-1400106: of commands', async () => {
    const sim = await start(':memory:');
    const [alice, bob] = [await Terminal.signIn(sim, 'alice'), await Terminal.signIn(sim, 'bob')];
    const code = async (reply: Promise<{ error: any }>) => (await reply).error;
    const { call_id } = (await dial(alice, 'bob')).payload;
    expect(await code(alice.send('end', { call_id }))).toEqual({
      code: ErrorCode.ERR_INVALID_CALL_STATUS,
      message: '',
    });
    expect(await code(alice.send('end', { call_id: 'none' }))).toEqual({
      code: ErrorCode.ERR_CALL_DOES_NOT_EXIST,
      message: '',
    });
    expect(await code(dial(alice, 'nobody'))).toEqual({ code: ErrorCode.ERR_CALLEE_DOES_NOT_EXIST, message: '' });
    expect(await code(dial(alice, 'alice'))).toEqual({ code: ErrorCode.ERR_DIAL_MYSELF, message: '' });
    expect(await code(alice.send('accept', { call_id, constraints: AV, capabilities: [] }))).toEqual({
      code: ErrorCode.ERR_NO_PERMISSION,
      message: '',
    });
    expect(await code(dial(alice, 'carol'))).toEqual({ code: ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE, message: '' });
    await bob.send('decline', { call_id });
  });

  it('ERR-1400999 S32: of a broken database, to clients that read; calls continue', async () => {
    const database = join(folder, 'broken.db');
    const sim = await start(database);
    const [alice, bob] = [await Terminal.signIn(sim, 'alice'), await Terminal.signIn(sim, 'bob')];
    const { db } = await openDatabase(database, { warn: () => undefined });
    await sql`drop table ringback_calls`.execute(db);
    await db.destroy();
    const call_id = await cancelled(alice, bob);
    expect((await bob.event('cancel')).call_id).toBe(call_id);
    for (const [method, path] of [
      ['GET', '/v1/users/alice/calls'],
      ['DELETE', `/v1/direct_calls/${call_id}/custom_items`],
    ] as const) {
      expect(await ask(alice, method, path)).toEqual({
        status: 500,
        body: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message: '' },
      });
    }
    expect(log.map(({ message }) => message)).toContain('the store failed');
  });

  it('B22 B24 B61 B62 S19: of requests, in JSON, without a stack', async () => {
    const sim = await start(':memory:');
    const [alice, bob] = [await Terminal.signIn(sim, 'alice'), await Terminal.signIn(sim, 'bob')];
    const calls = '/v1/users/alice/calls';
    const push = '/v1/users/alice/push';
    const answers = await Promise.all([
      ask(alice, 'GET', `${calls}?next=forged`),
      ask(alice, 'GET', `${calls}?start_ts=11&end_ts=10`),
      ask(alice, 'GET', `${calls}?role=boss`),
      ask(bob, 'GET', calls),
      ask(alice, 'POST', calls, {}),
      ask(alice, 'POST', `${push}/sms`, { token: 'one', is_unique: true }),
      ask(alice, 'POST', `${push}/fcm_voip`, { token: 'a/../b', is_unique: true }),
      ask(alice, 'POST', `${push}/fcm_voip`, { token: 'x'.repeat(6_000), is_unique: true }),
      ask(alice, 'DELETE', `${push}/fcm_voip/${encodeURIComponent('/../')}`),
    ]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [400, ErrorCode.INVALID_PARAMETER_VALUE],
      [400, ErrorCode.INVALID_PARAMETER_VALUE],
      [400, ErrorCode.INVALID_PARAMETER_VALUE],
      [403, ErrorCode.ERR_NO_PERMISSION],
      [405, ErrorCode.ERR_REQUEST_FAILED],
      [400, ErrorCode.INVALID_PARAMETER_VALUE],
      [400, ErrorCode.INVALID_PARAMETER_VALUE],
      [400, ErrorCode.INVALID_PARAMETER_VALUE],
      [404, ErrorCode.ERR_REQUEST_FAILED],
    ]);
    expect(JSON.stringify(answers)).not.toMatch(/node_modules|at \/|\.ts|select|sql/i);
  });

  it('B68: without a session of the same client a request has no user', async () => {
    const sim = await start(':memory:');
    const [alice, bob] = [await Terminal.signIn(sim, 'alice'), await Terminal.signIn(sim, 'bob')];
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${sim.url}/v1/users/alice/calls`, { headers })).status;
    const { 'x-session-token': token = '', 'x-client-id': client = '' } = alice.headers;
    expect(await status(alice.headers)).toBe(200);
    const others = [
      {},
      { 'x-session-token': token },
      { 'x-session-token': token, 'x-client-id': '' },
      { 'x-session-token': token, 'x-client-id': bob.clientId },
      { ...bob.headers, 'x-client-id': client },
      { 'x-session-token': '', 'x-client-id': client },
      { 'x-session-token': `${token}, ${token}`, 'x-client-id': client },
      { 'x-client-id': client, authorization: `Bearer ${token}` },
      { 'x-session-token': `${btoa('{"alg":"none"}')}.${btoa('{"sub":"alice"}')}.`, 'x-client-id': client },
    ];
    expect(await Promise.all(others.map(status))).toEqual(others.map(() => 401));
    expect(await status({ ...alice.headers, 'x-more': 'x'.repeat(64 * 1024) })).toBe(431);
    sim.exchange.revokeSessions('alice');
    expect(await status(alice.headers)).toBe(401);
  });

  it('B66 B67: the same request by two ways at once has one effect, and missed signals are limited to few calls at a time', async () => {
    const sim = await start(':memory:');
    const [alice, bob] = [await Terminal.signIn(sim, 'alice'), await Terminal.signIn(sim, 'bob')];
    const { call_id } = (await dial(alice, 'bob')).payload;
    const frame = alice.frame('cancel', { call_id });
    const answers = await Promise.all([0, 1, 2].map(() => ask(alice, 'POST', '/v1/action/direct_call', frame)));
    expect(answers).toEqual(
      answers.map(() => ({ status: 200, body: expect.objectContaining({ type: 'cancel_ack' }) })),
    );
    expect((await history(bob)).calls).toHaveLength(1);
    const changed = { ...frame, payload: { call_id: 'other' } };
    expect(await ask(alice, 'POST', '/v1/action/direct_call', changed)).toMatchObject({ status: 409 });
    const missed = (ids: string) => ask(alice, 'GET', `/v1/direct_calls/missed_signal?call_ids=${ids}`);
    const many = Array.from({ length: 2_000 }, (_, at) => at).join(',');
    expect(await Promise.all(['', ',', many].map(missed))).toEqual(
      [0, 1, 2].map(() => ({
        status: 400,
        body: expect.objectContaining({ code: ErrorCode.INVALID_PARAMETER_VALUE }),
      })),
    );
    expect(await missed('none')).toEqual({ status: 200, body: { signals: [] } });
  });
});
