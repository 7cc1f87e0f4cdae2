/** The logs and statistics that clients send, over real sockets. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import golden from '../../../fixtures/wire/logs.json' with { type: 'json' };
import { startSim, type Sim } from '../../../sim/server/start-sim.ts';
import { answerOf, json, Terminal } from './terminals.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const STATS = '/v1/sdk/logs';
const DEBUG = '/v1/sdk/debug_logs';

let sim: Sim;
let alice: Terminal;
beforeAll(async () => {
  sim = await startSim({ demo: true, port: 0 });
  [alice] = await Promise.all([Terminal.signIn(sim, 'alice'), Terminal.signIn(sim, 'bob')]);
});
afterAll(() => sim.close());

const post = async (path: string, body: unknown) =>
  answerOf(await fetch(`${sim.url}${path}`, json(body, alice.headers)));

/** Announces a body of this size, sends none, and returns the status of the answer. */
const announce = (path: string, bytes: number) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { ...alice.headers, 'content-type': 'application/json', 'content-length': bytes };
    const sent = request(`${sim.url}${path}`, { method: 'POST', headers }, ({ statusCode }) => {
      resolve(statusCode);
      sent.destroy();
    });
    sent.on('error', reject);
    sent.flushHeaders();
  });

describe('the reports of a client', () => {
  it('HTTP-23 statistics of its call are stored', async () => {
    const dial = { callee_id: 'bob', is_video_call: true, constraints: { audio: true, video: true }, capabilities: [] };
    const { call_id } = (await alice.send('dial', dial)).payload;
    const log_data = { ...golden.stats.log_data, call_id };
    expect(await post(STATS, { ...golden.stats, log_data })).toEqual({ status: 200, body: {} });
    expect(sim.exchange.statsLogsOf(call_id)).toEqual([{ ...log_data, userId: 'alice', clientId: 'alice-1' }]);
    expect(await post(STATS, golden.stats)).toMatchObject({
      status: 404,
      body: { code: ErrorCode.ERR_CALL_DOES_NOT_EXIST },
    });
  });

  it('HTTP-24 PAY-18 B63 its log is requested and stored, and a log that is too large or malformed is refused', async () => {
    sim.exchange.setUploadLevel('alice', 'DEBUG');
    expect(await alice.event('log_level')).toEqual({ level: 'DEBUG' });
    const [line] = golden.debug.logs;
    expect(await post(DEBUG, golden.debug)).toEqual({ status: 200, body: {} });
    const refused = [Array.from({ length: 501 }, () => line), [{ ...line, log_level: 'FATAL' }]].map((logs) =>
      post(DEBUG, { ...golden.debug, logs }),
    );
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([400, 400]);
    expect(sim.exchange.debugLogsOf('alice')).toEqual([{ ...line, userId: 'alice', clientId: 'alice-1' }]);
  });

  it.each([STATS, DEBUG])(
    'B64 S05 10 MB to %s are refused with 413, and the next request is answered',
    async (path) => {
      expect(await announce(path, 10 * 1024 * 1024)).toBe(413);
      expect(await post(DEBUG, golden.debug)).toMatchObject({ status: 200 });
    },
  );
});
