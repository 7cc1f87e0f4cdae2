import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { createWorld } from '../../../sim/virtual/world.ts';
import { Log } from '../../../src/calls/logging/log.ts';
import type { FetchPort } from '../../../src/calls/platform/fetch.ts';
import { action, debugLogs, login, missedSignals, summary } from '../../../src/calls/rest/requests.ts';
import { RestClient, type RestAuth } from '../../../src/calls/rest/rest-client.ts';
import type { SummaryBody } from '../../../src/protocol/http.ts';
import { eventFrame, outcomeOf, ScriptedExchange } from '../virtual/scripted-exchange.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { loadedParts } from '../../../src/calls/client/loaded-parts.ts';

const USER = { user_id: 'alice', nickname: 'Alice', profile_url: '', metadata: {}, is_active: true };
const SUMMARY: SummaryBody = {
  version: 1,
  user_role: 'dc_caller',
  summary_data: {
    end_result: 'completed',
    pdd: 100,
    setup_time: 200,
    reconnection_count: 0,
    network_type: null,
    candidate_type: 'host',
    audio: { codec: 'opus', mos_list: [4.4], mos: 4.4, packet_loss_rate: 0, rtt: 20 },
    video: null,
    stats_interval: 3,
  },
};

function setUp({ session = 'token-1', fetch }: { session?: string | null; fetch?: FetchPort } = {}) {
  const world = createWorld({ seed: 1, exchange: () => new ScriptedExchange() });
  const platform = world.platform('alice');
  const log = new Log(platform, loadedParts().logText);
  log.setConsoleLevel('ERROR');
  const rest = new RestClient({
    clock: platform.clock,
    fetch: fetch ?? platform.fetch,
    log,
    apiHost: 'https://api.example/',
    clientId: 'client-1',
    session: () => session ?? undefined,
  });
  const get = (auth: RestAuth = 'session', answer = v.object({ ok: v.boolean() })) =>
    outcomeOf(rest.request({ method: 'GET', path: '/v1/thing', answer, auth }));
  return { world, platform, log, rest, get, exchange: world.exchange, clock: world.clock };
}

describe('requests over HTTP', () => {
  test('HTTP-01 have client id, session token and library version', async () => {
    const { get, exchange, clock } = setUp();
    exchange.answer = () => ({ status: 200, body: { ok: true } });
    const outcome = get();
    await clock.advance(10);
    expect(exchange.requests[0]?.headers).toEqual({
      'x-client-id': 'client-1',
      'x-session-token': 'token-1',
      'x-library-version': '1.10.20',
    });
    expect(outcome).toEqual({ times: 1, value: { ok: true } });
  });

  test('HTTP-24 an upload of the log adds no line to the log, whether it succeeds or fails; other requests do', async () => {
    const { rest, log, get, exchange, clock } = setUp();
    log.setUploadLevel('VERBOSE');
    const body = { version: 1, is_overflow_logs: false, logs: [] } as const;
    const lines = async (request: Promise<unknown>) => {
      outcomeOf(request);
      await clock.advance(61_000);
      return log.takeBuffered().entries.length;
    };
    const send = () => debugLogs(rest, { ...body, logs: [] });
    expect(await lines(send())).toBe(0);
    exchange.answer = () => {
      throw new Error('unplugged');
    };
    expect(await lines(send())).toBe(0);
    get();
    await clock.advance(61_000);
    expect(log.takeBuffered().entries).not.toHaveLength(0);
  });

  test('HTTP-02 without a session a request that needs one fails with 1800303 and sends nothing', async () => {
    const { get, exchange, clock } = setUp({ session: null });
    const outcome = get();
    await clock.advance(10);
    expect([outcome.code, exchange.requests]).toEqual([ErrorCode.USER_NOT_AUTHENTICATED, []]);
  });

  test('HTTP-02 a short-lived token replaces the session', async () => {
    const { get, exchange, clock } = setUp({ session: null });
    get({ shortLivedToken: 'short-1' });
    await clock.advance(10);
    expect(exchange.requests[0]?.headers['x-short-lived-token']).toBe('short-1');
    expect(exchange.requests[0]?.headers['x-session-token']).toBeUndefined();
  });

  test('HTTP-02 F25 a session that the exchange refuses gives 1800303', async () => {
    const { get, exchange, clock } = setUp();
    exchange.answer = () => ({ status: 401 });
    const outcome = get();
    await clock.advance(10);
    expect(outcome.code).toBe(ErrorCode.USER_NOT_AUTHENTICATED);
  });

  test('lists are joined with commas, absent values omitted, everything encoded', async () => {
    const { rest, exchange, clock } = setUp();
    const query = { ids: ['a,b', 'c&d'], limit: 5, all: false, next: undefined };
    outcomeOf(rest.request({ method: 'GET', path: '/v1/thing', query, answer: 'none', auth: 'none' }));
    await clock.advance(10);
    expect(exchange.requests[0]?.query).toEqual({ ids: 'a,b,c&d', limit: '5', all: 'false' });
  });

  test.each([
    ['HTML', { status: 200, body: '<html></html>' }],
    ['nothing', { status: 200 }],
    ['cut JSON', { status: 200, body: '{"ok":' }],
    ['a redirect that was followed', { status: 200, body: { ok: true }, redirected: true }],
    ['a redirect', { status: 302 }],
    ['more than 1 MiB', { status: 200, body: { ok: true, padding: 'x'.repeat(1024 * 1024) } }],
  ])('HTTP-29 an answer that is %s gives 1800208', async (_, answer) => {
    const { get, exchange, clock } = setUp();
    exchange.answer = () => answer;
    const outcome = get();
    await clock.advance(10);
    expect(outcome).toEqual({ times: 1, code: ErrorCode.ERR_MALFORMED_DATA });
  });

  test('HTTP-30 status 500 gives 1800207, whatever the body contains', async () => {
    const { get, exchange, clock } = setUp();
    exchange.answer = () => ({ status: 500, body: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message: '' } });
    const outcome = get();
    await clock.advance(10);
    expect(outcome.code).toBe(ErrorCode.INTERNAL_SERVER_ERROR);
  });

  test.each([404, 429, 502, 503])('HTTP-31 status %i without a code gives 1800200', async (status) => {
    const { get, exchange, clock } = setUp();
    exchange.answer = () => ({ status, body: '<html></html>' });
    const outcome = get();
    await clock.advance(10);
    expect(outcome.code).toBe(ErrorCode.ERR_REQUEST_FAILED);
  });

  test('HTTP-31 a network that fails gives 1800200', async () => {
    const { get, platform, clock } = setUp();
    platform.net.cut();
    const outcome = get();
    await clock.advance(10);
    expect(outcome).toEqual({ times: 1, code: ErrorCode.ERR_REQUEST_FAILED });
  });

  test('HTTP-32 an error body with a code and a message is raised as that code, with its message', async () => {
    const { rest, exchange, clock } = setUp();
    exchange.answer = () => ({
      status: 400,
      body: { code: ErrorCode.ERR_CALLEE_DOES_NOT_EXIST, message: 'no such callee' },
    });
    const failed = rest.request({ method: 'GET', path: '/v1/thing', answer: 'none', auth: 'session' });
    const rejects = expect(failed).rejects.toMatchObject({
      code: ErrorCode.ERR_CALLEE_DOES_NOT_EXIST,
      message: 'no such callee',
    });
    await clock.advance(10);
    await rejects;
  });

  test('HTTP-33 an answer of another shape gives 1800205', async () => {
    const { get, exchange, clock } = setUp();
    exchange.answer = () => ({ status: 200, body: { ok: 'yes' } });
    const outcome = get();
    await clock.advance(10);
    expect(outcome.code).toBe(ErrorCode.ERR_WRONG_RESPONSE);
  });

  test('F22 no answer in 60 s gives 1800203, and the request is aborted', async () => {
    const { get, platform, clock } = setUp();
    platform.net.setHttp('stalled');
    const outcome = get();
    await clock.advance(59_999);
    expect(outcome).toEqual({ times: 0 });
    await clock.advance(1);
    expect(outcome).toEqual({ times: 1, code: ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT });
  });

  test('F22 a body that arrives slowly for more than 60 s gives 1800203, because the total time counts', async () => {
    let aborted = false;
    const { get, clock } = setUp({
      fetch: (_, { signal }) => {
        signal.addEventListener('abort', () => (aborted = true));
        return Promise.resolve({ status: 200, redirected: false, text: () => new Promise<string>(() => undefined) });
      },
    });
    const outcome = get();
    await clock.advance(60_000);
    expect(outcome).toEqual({ times: 1, code: ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT });
    expect([aborted, clock.pending]).toEqual([true, []]);
  });

  test('no timer is left after the end of a request', async () => {
    const { get, exchange, world } = setUp();
    exchange.answer = () => ({ status: 200, body: { ok: true } });
    get();
    await world.advance(10);
    expect(world.leftovers()).toEqual([]);
  });
});

describe('the requests of a direct call', () => {
  test('HTTP-18 HTTP-02 POST /v1/users/{userId}/login, without authentication', async () => {
    const { rest, exchange, clock } = setUp();
    exchange.answer = () => ({ status: 200, body: { sbcall_session_token: 's', user: USER, stats_interval: 3 } });
    const signedIn = outcomeOf(login(rest, { appId: 'app', userId: 'al/ice', accessToken: 'secret' }));
    await clock.advance(10);
    const [request] = exchange.requests;
    expect([request?.method, request?.path]).toEqual(['POST', '/v1/users/al%2Fice/login']);
    expect(request?.body).toEqual({ app_id: 'app', user_id: 'al/ice', access_token: 'secret' });
    expect(request?.headers['x-session-token']).toBeUndefined();
    expect(request?.headers['content-type']).toBe('application/json');
    expect(signedIn.value).toEqual({ sbcall_session_token: 's', user: USER, stats_interval: 3 });
  });

  test('HTTP-25 dial-received is sent by POST /v1/action/direct_call with the short-lived token', async () => {
    const { rest, exchange, clock } = setUp({ session: null });
    exchange.answer = () => ({
      status: 200,
      body: { version: 1, request_id: 'r1', cmd: 'CALL', type: 'dial_rcv_ack', payload: { call_id: 'c1' } },
    });
    const frame = {
      version: 1,
      request_id: 'r1',
      cmd: 'CALL',
      type: 'dial_rcv',
      payload: { call_id: 'c1', callee_delivery_info: { channel: 'websocket' }, received_type: 'websocket' },
    } as const;
    const answered = outcomeOf(action(rest, frame, { auth: { shortLivedToken: 'short-1' } }));
    await clock.advance(10);
    expect([exchange.requests[0]?.method, exchange.requests[0]?.path]).toEqual(['POST', '/v1/action/direct_call']);
    expect(exchange.requests[0]?.headers['x-short-lived-token']).toBe('short-1');
    expect(answered.value?.type).toBe('dial_rcv_ack');
  });

  test.each([
    ['no reply', { ok: true }],
    ['the reply to another request', { version: 1, request_id: 'r2', cmd: 'CALL', type: 'end_ack' }],
  ])('HTTP-25 HTTP-33 an action that is answered with %s gives 1800205', async (_, body) => {
    const { rest, exchange, clock } = setUp();
    exchange.answer = () => ({ status: 200, body });
    const frame = { version: 1, request_id: 'r1', cmd: 'CALL', type: 'end', payload: { call_id: 'c1' } } as const;
    const answered = outcomeOf(action(rest, frame));
    await clock.advance(10);
    expect(answered.code).toBe(ErrorCode.ERR_WRONG_RESPONSE);
  });

  test('HTTP-26 GET /v1/direct_calls/missed_signal with the call ids', async () => {
    const { rest, exchange, clock, log } = setUp();
    const signal = eventFrame('CALL', 'dial_rcv', { call_id: 'c1' }, 1, 'missed_signal');
    exchange.answer = () => ({ status: 200, body: { signals: [signal] } });
    const missed = outcomeOf(missedSignals(rest, ['c1', 'c2'], log));
    await clock.advance(10);
    expect([exchange.requests[0]?.method, exchange.requests[0]?.path]).toEqual([
      'GET',
      '/v1/direct_calls/missed_signal',
    ]);
    expect(exchange.requests[0]?.query).toEqual({ call_ids: 'c1,c2' });
    expect(missed.value).toEqual([signal]);
  });

  test('HTTP-28 POST /v1/direct_calls/{callId}/summary', async () => {
    const { rest, exchange, clock } = setUp();
    exchange.answer = () => ({ status: 200 });
    const sent = outcomeOf(summary(rest, 'c/1', SUMMARY));
    await clock.advance(10);
    const [request] = exchange.requests;
    expect([request?.method, request?.path]).toEqual(['POST', '/v1/direct_calls/c%2F1/summary']);
    expect(request?.body).toEqual(SUMMARY);
    expect(sent).toEqual({ times: 1, value: undefined });
  });
});
