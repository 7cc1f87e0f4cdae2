/** Every request of the calling service, asked over its router, against its OpenAPI document. */
import { beforeAll, describe, expect, it } from 'vitest';
import goldenLogs from '../../../fixtures/wire/logs.json' with { type: 'json' };
import { callingDocument } from '../../../sim/exchange/http/open-api.ts';
import { callingEndpointOf, type CallingRoute } from '../../../src/protocol/calling-api.ts';
import { filledPath } from '../../../src/protocol/endpoint.ts';
import { Documented } from '../http/documented.ts';
import { createExchangeFixture, type Device, type ExchangeFixture } from './exchange-fixture.ts';

let fixture: ExchangeFixture;
let alice: Device;
let call: string;
beforeAll(async () => {
  fixture = createExchangeFixture();
  alice = await fixture.device('alice');
  const bob = await fixture.device('bob');
  call = alice.dial('bob');
  bob.accept(call);
});

interface Sent {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
}

const summary = {
  version: 1,
  user_role: 'dc_caller',
  summary_data: {
    end_result: 'completed',
    pdd: 1,
    setup_time: 1,
    reconnection_count: 0,
    network_type: 'wifi',
    candidate_type: 'host',
    audio: { codec: 'opus', mos_list: [4], mos: 4, packet_loss_rate: 0, rtt: 1 },
    video: null,
    stats_interval: 1,
  },
};
const items = { custom_items: { a: 'b' }, mode: 'upsert' };
const loginOf = (app_id: string) => ({ app_id, user_id: 'carol' });
const ofAlice = { user_id: 'alice' };
const push = { ...ofAlice, token_type: 'fcm_voip' };
const statsOf = (call_id: string) => ({
  ...goldenLogs.stats,
  log_data: {
    ...goldenLogs.stats.log_data,
    app_id: 'ringback-demo',
    call_id,
    role: 'dc_caller',
    caller_id: 'alice',
    callee_id: 'bob',
    is_video_call: true,
  },
});

/** For each request one that succeeds, and one that is refused with a status. In the order in which they are sent. */
const REQUESTS: Readonly<Record<CallingRoute, () => readonly [success: Sent, refused: Sent, status: number]>> = {
  callingLogin: () => [
    { params: { user_id: 'carol' }, body: loginOf('ringback-demo') },
    { params: { user_id: 'carol' }, body: loginOf('other') },
    401,
  ],
  action: () => [{ body: alice.frame('unended_calls', {}) }, { body: [] }, 400],
  missedSignals: () => [{ query: { call_ids: call } }, {}, 400],
  summary: () => [{ params: { call_id: call }, body: summary }, { params: { call_id: 'x' }, body: summary }, 404],
  putCustomItems: () => [{ params: { call_id: call }, body: items }, { params: { call_id: 'x' }, body: items }, 404],
  deleteCustomItems: () => [{ params: { call_id: call } }, { params: { call_id: 'x' }, body: { keys: ['a'] } }, 404],
  callHistory: () => [{ params: ofAlice, query: { limit: '5' } }, { params: { user_id: 'bob' } }, 403],
  registerPushToken: () => [
    { params: push, body: { token: 'abc', is_unique: true } },
    { params: { ...push, token_type: 'x' }, body: { token: 'abc', is_unique: true } },
    400,
  ],
  unregisterPushToken: () => [
    { params: { ...push, push_token: 'abc' } },
    { params: { ...push, push_token: 'unknown' } },
    404,
  ],
  unregisterPushTokens: () => [{ params: push }, { params: { ...push, user_id: 'bob' } }, 403],
  statsLogs: () => [{ body: statsOf(call) }, { body: statsOf('x') }, 404],
  debugLogs: () => [{ body: goldenLogs.debug }, { body: {} }, 400],
};

/** Sends a request as the edge of the server does: the body of a request that is not admitted is never read. */
async function send(name: CallingRoute, { params = {}, query = {}, body }: Sent, headers: Record<string, string>) {
  const { method, path } = callingEndpointOf(name);
  const head = { method, path: filledPath<string>(path, params), query, headers, address: '192.0.2.1' };
  const admission = fixture.exchange.admit(head);
  return 'status' in admission ? admission : fixture.exchange.http({ ...head, body });
}

const documented = new Documented(callingDocument());

describe.each(Object.entries(REQUESTS))('the documented responses of %s', (name, requests) => {
  const route = name as CallingRoute;

  it('are the responses to a request that succeeds, and to a refused one', async () => {
    const [success, refused, status] = requests();
    const succeeded = await send(route, success, alice.headers);
    expect(succeeded).toMatchObject({ status: 200 });
    expect(documented.faults(name, succeeded)).toEqual([]);
    const answer = await send(route, refused, alice.headers);
    expect([answer.status, documented.names(name, status)]).toEqual([status, true]);
    expect(documented.faults(name, answer)).toEqual([]);
  });

  it('are the responses to a request without a session', async () => {
    const answer = await send(route, { params: requests()[1].params ?? {} }, {});
    expect(answer).toMatchObject({ status: name === 'callingLogin' ? 400 : 401 });
    expect(documented.faults(name, answer)).toEqual([]);
  });
});
