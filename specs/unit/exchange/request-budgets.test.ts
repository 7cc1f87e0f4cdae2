/** The requests of one device and of one user, limited by the table of input budgets. */
import { beforeEach, describe, expect, it } from 'vitest';
import { COMMAND_BUDGETS, ROUTE_BUDGETS } from '../../../sim/budgets/calling-budgets.ts';
import type { CallingRoute } from '../../../src/protocol/calling-api.ts';
import { INPUT_BUDGETS } from '../../../sim/budgets/table.ts';
import { CALLING_ROUTES } from '../../../sim/exchange/http/routes.ts';
import { MemoryStore } from '../../../sim/store/memory-store.ts';
import { ALL_COMMANDS } from '../../../src/protocol/room-envelope.ts';
import { createExchangeFixture, type Device, type ExchangeFixture } from './exchange-fixture.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

/** A request of each route, which need not succeed to count. */
const REQUESTS: Readonly<Record<CallingRoute, readonly [method: string, path: string]>> = {
  callingLogin: ['POST', '/v1/users/alice/login'],
  action: ['POST', '/v1/action/direct_call'],
  missedSignals: ['GET', '/v1/direct_calls/missed_signal'],
  summary: ['POST', '/v1/direct_calls/x/summary'],
  putCustomItems: ['PUT', '/v1/direct_calls/x/custom_items'],
  deleteCustomItems: ['DELETE', '/v1/direct_calls/x/custom_items'],
  callHistory: ['GET', '/v1/users/alice/calls'],
  registerPushToken: ['POST', '/v1/users/alice/push/x'],
  unregisterPushTokens: ['DELETE', '/v1/users/alice/push/x'],
  unregisterPushToken: ['DELETE', '/v1/users/alice/push/x/y'],
  statsLogs: ['POST', '/v1/sdk/logs'],
  debugLogs: ['POST', '/v1/sdk/debug_logs'],
  createRoom: ['POST', '/v1/rooms'],
  listRooms: ['GET', '/v1/rooms'],
  getRoom: ['GET', '/v1/rooms/x'],
  deleteRoom: ['DELETE', '/v1/rooms/x'],
  enterRoom: ['POST', '/v1/rooms/x/participants'],
  exitRoom: ['DELETE', '/v1/rooms/x/participants/y'],
  roomAlive: ['POST', '/v1/rooms/x/participants/y/alive'],
  roomAudio: ['PUT', '/v1/rooms/x/participants/y/audio'],
  roomVideo: ['PUT', '/v1/rooms/x/participants/y/video'],
  createEndpoint: ['POST', '/v1/rooms/x/participants/y/endpoints'],
  putEndpoint: ['PUT', '/v1/rooms/x/participants/y/endpoints/z'],
  releaseEndpoint: ['DELETE', '/v1/rooms/x/participants/y/endpoints/z'],
  attachEndpoint: ['POST', '/v1/rooms/x/participants/y/endpoints/z/attach'],
  endpointConnected: ['POST', '/v1/rooms/x/participants/y/endpoints/z/connected'],
  roomCustomItems: ['GET', '/v1/rooms/x/custom_items'],
  putRoomCustomItems: ['PUT', '/v1/rooms/x/custom_items'],
  deleteRoomCustomItems: ['DELETE', '/v1/rooms/x/custom_items'],
  sendInvitation: ['POST', '/v1/rooms/x/invitation'],
  cancelInvitation: ['DELETE', '/v1/rooms/x/invitation'],
  answerInvitation: ['PUT', '/v1/rooms/x/invitation'],
};

let fixture: ExchangeFixture;
let alice: Device;
beforeEach(async () => {
  fixture = createExchangeFixture();
  alice = await fixture.device('alice');
});

const ask = async (route: CallingRoute, headers: Record<string, string> = alice.headers) =>
  (await fixture.http(...REQUESTS[route], { headers })).status;

/** Returns the statuses of so many requests, each once. */
async function statuses(route: CallingRoute, count: number, headers?: Record<string, string>) {
  const seen = new Set<number>();
  for (let at = 0; at < count; at += 1) seen.add(await ask(route, headers));
  return [...seen];
}

const head = (route: CallingRoute, headers: Record<string, string> = alice.headers) => {
  const [method, path] = REQUESTS[route];
  return fixture.exchange.admit({ method, path, query: {}, headers, address: '' });
};

describe('S14 the table of budgets', () => {
  it('has a row for each request of the calling service and for each command, and no other', () => {
    expect(CALLING_ROUTES.toSorted()).toEqual(
      Object.keys(INPUT_BUDGETS['Requests of the calling service'] ?? {}).toSorted(),
    );
    const types = Object.values(ALL_COMMANDS).flatMap((group) => Object.keys(group));
    expect(types.toSorted()).toEqual(Object.keys(COMMAND_BUDGETS).toSorted());
  });

  it('limits each request: by address where it needs no session, by device and account where it needs one', () => {
    for (const [name, { sender, limits }] of Object.entries(ROUTE_BUDGETS)) {
      const by: string[] = limits.map((limit) => limit.by);
      expect(by, name).toEqual(expect.arrayContaining(sender === 'user' ? ['device', 'account'] : ['address']));
    }
  });
});

const ofDevices = CALLING_ROUTES.filter((name) => ROUTE_BUDGETS[name].sender === 'user');

describe('S14 the requests of one device', () => {
  it.each(ofDevices)(
    '%s: is allowed at once up to the limit of its row, and another client of the user may continue',
    async (name) => {
      const [limit] = ROUTE_BUDGETS[name].limits;
      expect(await statuses(name, limit.points)).not.toContain(429);
      expect(head(name)).toMatchObject({ status: 429 });
      const [method, path] = REQUESTS[name];
      const refused = await fixture.exchange.http({
        method,
        path,
        query: {},
        headers: alice.headers,
        address: '',
        body: {},
      });
      expect(refused).toMatchObject({
        status: 429,
        body: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR },
        headers: { 'retry-after': '1' },
      });
      const other = await fixture.device('alice', 'alice-2');
      expect(await ask(name, other.headers)).not.toBe(429);
      // The points come back evenly over the window.
      fixture.clock.advance((limit.seconds / limit.points) * 1_000);
      expect(head(name)).toMatchObject({ maxBytes: ROUTE_BUDGETS[name].maxBytes });
      expect([await ask(name), await ask(name)].map((status) => status === 429)).toEqual([false, true]);
    },
  );

  it('of one user are limited, for any number of clients', async () => {
    const [device, account] = ROUTE_BUDGETS.debugLogs.limits;
    for (let client = 0; client < account.points / device.points; client += 1) {
      const { headers } = await fixture.device('alice', `alice-${client}`);
      expect(await statuses('debugLogs', device.points, headers)).not.toContain(429);
    }
    const { headers } = await fixture.device('alice', 'one-more');
    expect(await ask('debugLogs', headers)).toBe(429);
    const bob = await fixture.device('bob');
    expect(await ask('debugLogs', bob.headers)).not.toBe(429);
  });

  it('S12 are admitted before their bodies are read, each up to the size of its row', () => {
    for (const name of CALLING_ROUTES) expect(head(name)).toMatchObject({ maxBytes: ROUTE_BUDGETS[name].maxBytes });
    expect(ROUTE_BUDGETS.action.maxBytes).toBe(65_536);
  });

  it('S12 S08 without a session are refused before their bodies are read', () => {
    const strangers = [{}, { ...alice.headers, 'x-client-id': 'other' }, { 'x-short-lived-token': 'made-up' }];
    for (const headers of strangers) {
      for (const name of CALLING_ROUTES.filter((one) => one !== 'callingLogin')) {
        expect(head(name, headers), name).toMatchObject({
          status: 401,
          body: { code: ErrorCode.USER_NOT_AUTHENTICATED },
        });
      }
      expect(head('callingLogin', headers)).toMatchObject({ maxBytes: 16_384 });
    }
  });

  it('to unknown routes are refused before their bodies are read', () => {
    const at = (method: string, path: string) =>
      fixture.exchange.admit({ method, path, query: {}, headers: alice.headers, address: '' });
    expect([at('GET', '/v1/nothing'), at('PATCH', '/v1/sdk/logs')]).toMatchObject([{ status: 404 }, { status: 405 }]);
  });
});

describe('S14 B41 the commands of one device', () => {
  const body = () => alice.frame('unended_calls', {});
  const byHttp = async () => (await fixture.http(...REQUESTS.action, { headers: alice.headers, body: body() })).status;

  it('over HTTP and socket draw on one budget', async () => {
    for (let at = 0; at < 200; at += 1) {
      expect(await byHttp()).toBe(200);
      alice.send('unended_calls', {});
    }
    expect([await byHttp(), alice.closes]).toEqual([429, []]);
    alice.receive(JSON.stringify(body()));
    expect(alice.closes).toEqual([1008]);
  });

  it('have the same budget on a new socket', async () => {
    for (let at = 0; at < 400; at += 1) alice.send('unended_calls', {});
    await alice.connect();
    alice.receive(JSON.stringify(body()));
    expect(alice.closes).toEqual([4000, 1008]);
  });

  it('also draw on one budget of all devices of the user', async () => {
    fixture = createExchangeFixture({ settings: { accountMessages: { burst: 3, perSecond: 1 } } });
    alice = await fixture.device('alice');
    const [tablet, bob] = [await fixture.device('alice', 'tablet'), await fixture.device('bob')];
    for (const device of [alice, tablet, alice, bob]) device.send('unended_calls', {});
    tablet.receive(JSON.stringify(body()));
    expect([alice.closes, tablet.closes, bob.closes]).toEqual([[], [1008], []]);
  });
});

describe('S14 B55 failed logins', () => {
  const WRONG = 30;
  const login = async (address: string, { clientId = 'c', app_id = 'ringback-demo' } = {}) => {
    const request = { method: 'POST', path: '/v1/users/alice/login', query: {}, address };
    const headers = { 'x-client-id': clientId };
    return (await fixture.exchange.http({ ...request, headers, body: { app_id, user_id: 'alice' } })).status;
  };
  const fail = (address: string) => login(address, { app_id: 'other', clientId: 'attacker' });

  it('of a user are limited at their address, and do not lock the user out at another address', async () => {
    for (let at = 0; at < WRONG; at += 1) expect(await fail('192.0.2.1')).toBe(401);
    expect([await fail('192.0.2.1'), await login('192.0.2.1')]).toEqual([429, 429]);
    expect(await login('192.0.2.2')).toBe(200);
    fixture.clock.advance(20_000);
    expect(await login('192.0.2.1')).toBe(200);
  });

  it('do not lock out a client that has a session, at any address', async () => {
    for (let at = 0; at < WRONG; at += 1) await fail('192.0.2.1');
    expect(await login('192.0.2.1', { clientId: alice.clientId })).toBe(200);
  });

  it('do not count in the budget of successful logins', async () => {
    for (let address = 0; address < 10; address += 1) {
      for (let at = 0; at < WRONG; at += 1) await fail(`192.0.2.${address}`);
    }
    const seen = new Set<number>();
    for (let at = 0; at < 119; at += 1) seen.add(await login('192.0.2.99'));
    expect([[...seen], await login('192.0.2.99')]).toEqual([[200], 429]);
  });
});

describe('S14 push tokens', () => {
  it('are 32 of a type for each user: a further one replaces another', async () => {
    const store = new MemoryStore();
    fixture = createExchangeFixture({ store });
    alice = await fixture.device('alice');
    const register = async (token: string) =>
      fixture.http('POST', '/v1/users/alice/push/fcm_voip', {
        headers: alice.headers,
        body: { token, is_unique: true },
      });
    const remove = async (token: string) =>
      (await fixture.http('DELETE', `/v1/users/alice/push/fcm_voip/${token}`, { headers: alice.headers })).status;
    for (let at = 1; at <= 32; at += 1) await register(`t-${at}`);
    // A repeated one replaces none.
    for (let at = 30; at <= 32; at += 1) expect((await register(`t-${at}`)).status).toBe(200);
    expect(await store.pushTokens('alice')).toHaveLength(32);
    await register('t-33');
    const left = [];
    fixture.clock.advance(60_000);
    for (let at = 1; at <= 33; at += 1) left.push(await remove(`t-${at}`));
    expect(left.filter((status) => status === 200)).toHaveLength(32);
    expect(left.at(-1)).toBe(200);
  });
});
