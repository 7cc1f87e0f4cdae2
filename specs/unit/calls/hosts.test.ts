/**
 * The habits of applications with the whole package. The numbers are those of the list of host behaviour. Habits that
 * concern one call, one device or one list are in the tests of those.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as Package from '../../../src/calls/package.ts';
import type { Platform } from '../../../src/calls/platform/platform.ts';
import { type CallWorld, callWorld } from './support/call-world.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const API = 'http://exchange.test';
const WS = 'ws://exchange.test';
const refusal = (code: number, param?: string) => expect.objectContaining(param ? { code, param } : { code });

let world: CallWorld;
let platform: Platform;
/** The addresses that the page requested, in order. */
let asked: string[];
let ringback: typeof Package;

vi.mock('../../../src/calls/platform/browser.ts', () => ({ browserPlatform: () => platform }));

/** Each test loads a separate package, as each page does. */
beforeEach(async () => {
  world = await callWorld();
  const page = world.world.platform('page');
  const noted = (url: string) => void asked.push(url);
  asked = [];
  platform = {
    ...page,
    fetch: (url, request) => {
      noted(url);
      return page.fetch(url, request);
    },
    sockets: {
      open: (url, events) => {
        noted(url);
        return page.sockets.open(url, events);
      },
    },
  };
  vi.resetModules();
  ringback = world.adopt(await import('../../../src/calls/package.ts'));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function signIn(userId = 'alice'): Promise<void> {
  ringback.init('ringback-demo', API, WS);
  await world.done(ringback.authenticate({ userId }));
  await world.done(ringback.connectWebSocket());
}

describe('the facade', () => {
  it('host 20: the default object has exactly the names that are exported by name', () => {
    const { default: facade, ...names } = ringback;
    expect(Object.keys(facade).toSorted()).toEqual(Object.keys(names).toSorted());
    expect(Object.keys(names).length).toBeGreaterThan(30);
    for (const [name, value] of Object.entries(names)) expect(Object(facade)[name], name).toBe(value);
  });

  it('host 2: every function works with a foreign this and with none', async () => {
    const { init, addDirectCallSound, addListener, getOngoingCalls } = ringback.default;
    const foreign = { init, addDirectCallSound, addListener, getOngoingCalls };
    foreign.init('ringback-demo', API, WS);
    foreign.addListener(1, {});
    await expect(foreign.addDirectCallSound('RINGING', '/ring.ogg')).resolves.toBe(true);
    expect(foreign.getOngoingCalls()).toEqual([]);
    expect(getOngoingCalls.call(null as never)).toEqual([]);
  });

  it('host 3: appId and currentUser are read live, by name and on the object', async () => {
    const seen = () => [
      ringback.appId,
      ringback.default.appId,
      ringback.currentUser?.userId,
      ringback.default.currentUser?.userId,
    ];
    expect(seen()).toEqual(['', '', undefined, undefined]);
    expect(ringback.currentUser).toBe(null);
    await signIn('alice');
    expect(seen()).toEqual(['ringback-demo', 'ringback-demo', 'alice', 'alice']);
    await world.done(ringback.authenticate({ userId: 'bob' }));
    expect(seen()).toEqual(['ringback-demo', 'ringback-demo', 'bob', 'bob']);
  });

  it('host 4: a user exists from the moment authenticate calls its handler', async () => {
    ringback.init('ringback-demo', API, WS);
    const told: unknown[] = [];
    const attempt = ringback.authenticate({ userId: 'alice' }, () => told.push(ringback.currentUser?.userId));
    void attempt.then(() => told.push(ringback.currentUser?.userId));
    await world.done(attempt);
    expect(told).toEqual(['alice', 'alice']);
  });

  it('host 4: a view that renders once more while its user signs out still reads the user', async () => {
    await signIn('alice');
    ringback.deauthenticate();
    expect(ringback.currentUser?.userId).toBe('alice');
    expect(() => ringback.dial({ userId: 'bob', isVideoCall: false, callOption: {} })).toThrow(
      refusal(ErrorCode.USER_NOT_AUTHENTICATED),
    );
    await world.advance(100);
    expect([ringback.currentUser, ringback.default.currentUser]).toEqual([null, null]);
  });

  it('host 4: a user who signs in while the previous user signs out stays signed in', async () => {
    await signIn('alice');
    ringback.deauthenticate();
    await world.done(ringback.authenticate({ userId: 'bob' }));
    await world.advance(1_000);
    expect(ringback.currentUser?.userId).toBe('bob');
  });
});

describe('dial', () => {
  const call = { userId: 'bob', isVideoCall: false, callOption: {} };

  it('host 17: dial returns the call at once, and await returns the same call', async () => {
    await world.party('bob');
    await signIn();
    const dialled = ringback.dial(call);
    expect(dialled).toBeInstanceOf(ringback.DirectCall);
    expect('then' in dialled).toBe(false);
    // oxlint-disable-next-line typescript/await-thenable -- hosts do
    expect(await dialled).toBe(dialled);
  });

  it('host 17: faulty parameters throw at once, and the callback is not called', async () => {
    await signIn();
    const callback = vi.fn();
    expect(() => ringback.dial({ ...call, userId: '' }, callback)).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'userId'),
    );
    expect(() => ringback.dial({ ...call, isVideoCall: 'yes' as never }, callback)).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'isVideoCall'),
    );
    expect(() => ringback.dial({ ...call, callOption: undefined as never }, callback)).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'callOption'),
    );
    expect(() => ringback.dial({ ...call, userId: 'alice' }, callback)).toThrow(
      refusal(ErrorCode.MY_USER_ID_NOT_ALLOWED),
    );
    await world.settle();
    expect(callback).not.toHaveBeenCalled();
    expect(ringback.getOngoingCallCount()).toBe(0);
  });
});

describe('the addresses of the exchange', () => {
  /** Signs in, and returns the addresses of the HTTP requests and of the channel. */
  async function whereTo(...hosts: [apiHost?: string, websocketHost?: string]): Promise<string[]> {
    asked.length = 0;
    ringback.init('ringback-demo', ...hosts);
    await world.done(ringback.authenticate({ userId: 'alice' }));
    await world.done(ringback.connectWebSocket());
    return [...new Set(asked.map((url) => new URL(url).origin))];
  }

  it('the argument of init has priority over the setting of the application, and that over the default', async () => {
    expect(await whereTo()).toEqual(['http://127.0.0.1:4870', 'ws://127.0.0.1:4870']);
    vi.stubGlobal('RINGBACK', { apiHost: 'https://set.test', websocketHost: 'wss://set.test' });
    expect(await whereTo()).toEqual(['https://set.test', 'wss://set.test']);
    expect(await whereTo('https://given.test', 'wss://given.test')).toEqual(['https://given.test', 'wss://given.test']);
  });

  it('each host is resolved separately, and an empty one is ignored', async () => {
    vi.stubGlobal('RINGBACK', { apiHost: 'https://set.test' });
    expect(await whereTo()).toEqual(['https://set.test', 'ws://127.0.0.1:4870']);
    expect(await whereTo('', 'wss://given.test')).toEqual(['https://set.test', 'wss://given.test']);
    vi.stubGlobal('RINGBACK', { apiHost: '', websocketHost: undefined });
    expect(await whereTo()).toEqual(['http://127.0.0.1:4870', 'ws://127.0.0.1:4870']);
  });

  it('the setting is read when init is called, not when the library was loaded', async () => {
    expect(await whereTo()).toEqual(['http://127.0.0.1:4870', 'ws://127.0.0.1:4870']);
    expect(ringback.currentUser?.userId).toBe('alice');
    vi.stubGlobal('RINGBACK', { apiHost: 'https://set.test', websocketHost: 'wss://set.test' });
    ringback.init('ringback-demo');
    // Another exchange: the earlier session is cleared.
    await expect(ringback.connectWebSocket()).rejects.toThrow(refusal(ErrorCode.USER_NOT_AUTHENTICATED));
  });

  it.each([
    [null, ErrorCode.INVALID_PARAMETER_VALUE, 'RINGBACK'],
    ['', ErrorCode.INVALID_PARAMETER_VALUE, 'RINGBACK'],
    ['https://set.test', ErrorCode.INVALID_PARAMETER_TYPE, 'RINGBACK'],
    [['https://set.test'], ErrorCode.INVALID_PARAMETER_TYPE, 'RINGBACK'],
    [{ apiHost: 4870 }, ErrorCode.INVALID_PARAMETER_TYPE, 'RINGBACK.apiHost'],
    [{ apiHost: 'set.test' }, ErrorCode.INVALID_PARAMETER_VALUE, 'RINGBACK.apiHost'],
    [{ apiHost: 'wss://set.test' }, ErrorCode.INVALID_PARAMETER_VALUE, 'RINGBACK.apiHost'],
    [{ apiHost: 'javascript://set.test' }, ErrorCode.INVALID_PARAMETER_VALUE, 'RINGBACK.apiHost'],
    [{ websocketHost: {} }, ErrorCode.INVALID_PARAMETER_TYPE, 'RINGBACK.websocketHost'],
    [{ websocketHost: 'https://set.test' }, ErrorCode.INVALID_PARAMETER_VALUE, 'RINGBACK.websocketHost'],
    [{ websocketHost: 'wss://' }, ErrorCode.INVALID_PARAMETER_VALUE, 'RINGBACK.websocketHost'],
  ])('a setting of %j is refused with its name, and nothing is sent', async (setting, code, param) => {
    vi.stubGlobal('RINGBACK', setting);
    expect(() => ringback.init('ringback-demo')).toThrow(refusal(code, param));
    expect([ringback.appId, asked]).toEqual(['', []]);
    expect(() => ringback.init('ringback-demo', API, WS)).not.toThrow();
  });

  it.each([
    [['exchange.test', WS], 'apiHost'],
    [[WS, WS], 'apiHost'],
    [[API, 'exchange.test'], 'websocketHost'],
    [[API, API], 'websocketHost'],
  ])('hosts %j are refused with the name of the faulty one', (hosts, param) => {
    expect(() => ringback.init('ringback-demo', ...hosts)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_VALUE, param));
  });
});
