/**
 * Faulty values that a host may pass to the library. The library refuses them at once, names the parameter and sends
 * nothing. A method that returns at once throws; a method that returns a promise rejects.
 */
import { describe, expect, it, vi } from 'vitest';
import { createClient } from '../../../src/calls/client/client.ts';
import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { createWorld } from '../../../sim/virtual/world.ts';
import { ScriptedExchange } from '../virtual/scripted-exchange.ts';
import { callWorld } from './support/call-world.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { loadedParts } from '../../../src/calls/client/loaded-parts.ts';

const HOSTS = {
  defaultApiHost: 'http://exchange.test',
  defaultWebsocketHost: 'ws://exchange.test',
  parts: loadedParts(),
};
const VOICE = { isVideoCall: false, callOption: {} };
const refusal = (code: number, param: string) =>
  expect.objectContaining({ code, param, message: expect.stringContaining(param) });

async function initialised() {
  const world = await callWorld();
  const platform = world.world.platform('device');
  const client = world.adopt(createClient(platform, HOSTS));
  client.init('ringback-demo');
  return { world, client, sent: () => world.world.network.trace };
}

async function signedIn() {
  const world = await callWorld();
  const [alice, bob] = [await world.party('alice'), await world.party('bob')];
  const { trace } = world.world.network;
  const before = trace.length;
  return { world, alice, bob, sent: () => trace.slice(before).map(({ type }) => type) };
}

describe('authenticate', () => {
  it.each([[123], [{}], [[]], [true], [Symbol('x')], [() => 'alice'], [7n]])(
    'B08 LIB-10: a user id %s is of the wrong type',
    async (userId) => {
      const { client, sent } = await initialised();
      await expect(client.authenticate({ userId: userId as never })).rejects.toThrow(
        refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'userId'),
      );
      expect(sent()).toEqual([]);
    },
  );

  it.each([['.'], ['..'], ['x'.repeat(10_240)], ['x'.repeat(LIMITS.userIdChars + 1)], ['\ud800'], ['a\udc00b']])(
    'B09: a user id that does not fit into a path is refused: %j',
    async (userId) => {
      const { client, sent } = await initialised();
      await expect(client.authenticate({ userId })).rejects.toThrow(
        refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'userId'),
      );
      expect(sent()).toEqual([]);
    },
  );

  it.each([
    ['a/b'],
    ['../v1/sdk/logs'],
    ['/'],
    ['%2e%2e'],
    ['%2e%2e%2f'],
    ['a?b=c'],
    ['a#b'],
    ['\u202eecila'],
    ['👩‍🚀'],
    ['\0'],
    ['a\\b'],
    ['a b'],
    ['..;'],
    ['x'.repeat(LIMITS.userIdChars)],
  ])('B09: any other user id is encoded once, and reaches the same route: %j', async (userId) => {
    const world = createWorld({ seed: 1, exchange: () => new ScriptedExchange() });
    const client = createClient(world.platform('device'), HOSTS);
    client.init('ringback-demo');
    const attempt = client.authenticate({ userId }).catch(() => undefined);
    await world.advance(100);
    await attempt;
    const [request] = world.exchange.requests;
    const [, login] = /^\/v1\/users\/([^/]+)\/login$/.exec(request?.path ?? '') ?? [];
    expect(decodeURIComponent(login ?? '')).toBe(userId);
    expect([request?.query, request?.body]).toEqual([{}, expect.objectContaining({ user_id: userId })]);
  });

  it.each([
    [0, 1],
    [-5, 1],
    [61, 60],
    [1e308, 60],
    [7, 7],
  ])('B18: an interval of %i s from the exchange becomes %i s', async (asked, used) => {
    const { world, alice, bob } = await signedIn();
    const { exchange } = world.world;
    const answered = exchange.http.bind(exchange);
    vi.spyOn(exchange, 'http').mockImplementation(async (request) => {
      const answer = await answered(request);
      if (!request.path.endsWith('/login')) return answer;
      return { ...answer, body: { ...Object(answer.body), stats_interval: asked } };
    });
    await world.done(alice.client.authenticate({ userId: 'alice' }));
    await world.settle();
    const call = alice.dial('bob', VOICE);
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    call.end();
    await world.settle();
    const [summary] = alice.requests('summary').map((text) => JSON.parse(text));
    expect(summary.summary_data.stats_interval).toBe(used);
  });
});

describe('dial', () => {
  it.each<[string, object | undefined, number, string]>([
    ['B10: without a callee', { ...VOICE }, ErrorCode.INVALID_PARAMETER_VALUE, 'userId'],
    ['B10: with an empty callee', { userId: '', ...VOICE }, ErrorCode.INVALID_PARAMETER_VALUE, 'userId'],
    ['B08: with a callee that is a number', { userId: 7, ...VOICE }, ErrorCode.INVALID_PARAMETER_TYPE, 'userId'],
    [
      'B09: with a callee of 10 KB',
      { userId: 'x'.repeat(10_240), ...VOICE },
      ErrorCode.INVALID_PARAMETER_VALUE,
      'userId',
    ],
    [
      'B09: with half a surrogate for a callee',
      { userId: '\ud800', ...VOICE },
      ErrorCode.INVALID_PARAMETER_VALUE,
      'userId',
    ],
    [
      'B12: without a call option',
      { userId: 'bob', isVideoCall: true },
      ErrorCode.INVALID_PARAMETER_VALUE,
      'callOption',
    ],
    [
      'B12: with a text for a call option',
      { userId: 'bob', isVideoCall: true, callOption: 'x' },
      ErrorCode.INVALID_PARAMETER_TYPE,
      'callOption',
    ],
    [
      'B12: with a list for a call option',
      { userId: 'bob', isVideoCall: true, callOption: [] },
      ErrorCode.INVALID_PARAMETER_TYPE,
      'callOption',
    ],
    [
      'B13: with a text for a flag',
      { userId: 'bob', isVideoCall: 'yes', callOption: {} },
      ErrorCode.INVALID_PARAMETER_TYPE,
      'isVideoCall',
    ],
    [
      'B13: with a number for a flag',
      { userId: 'bob', isVideoCall: 1, callOption: {} },
      ErrorCode.INVALID_PARAMETER_TYPE,
      'isVideoCall',
    ],
    ['B13: without the flag', { userId: 'bob', callOption: {} }, ErrorCode.INVALID_PARAMETER_VALUE, 'isVideoCall'],
    [
      'with a text for holdActiveCall',
      { userId: 'bob', ...VOICE, holdActiveCall: 'no' },
      ErrorCode.INVALID_PARAMETER_TYPE,
      'holdActiveCall',
    ],
    ['without parameters', undefined, ErrorCode.INVALID_PARAMETER_VALUE, 'params'],
  ])('%s is refused at once; no device is opened and no call is made', async (_, params, code, param) => {
    const { world, alice, sent } = await signedIn();
    expect(() => alice.client.dial(params as never)).toThrow(refusal(code, param));
    await world.settle();
    expect([sent(), alice.devicesOpened(), alice.client.getOngoingCallCount()]).toEqual([[], 0, 0]);
  });

  it('B11: a call to the own user id is refused at once', async () => {
    const { alice, sent } = await signedIn();
    expect(() => alice.dial('alice', VOICE)).toThrow(
      expect.objectContaining({ code: ErrorCode.MY_USER_ID_NOT_ALLOWED }),
    );
    expect([sent(), alice.client.getOngoingCallCount()]).toEqual([[], 0]);
  });
});

describe('a call', () => {
  it('B14: is not accepted by its caller, and continues to ring', async () => {
    const { world, alice, bob } = await signedIn();
    const call = alice.dial('bob', VOICE);
    await world.settle();
    expect(() => call.accept({ callOption: {} })).toThrow(
      expect.objectContaining({ code: ErrorCode.ERR_NO_PERMISSION }),
    );
    await world.settle();
    expect([alice.sent('accept'), alice.state(call), bob.state(bob.rung())]).toEqual([[], 'dialing', 'ringing']);
  });

  it('B12 B14: is not accepted without a call option, and continues to ring', async () => {
    const { world, alice, bob } = await signedIn();
    alice.dial('bob', VOICE);
    await world.settle();
    for (const [params, code, param] of [
      [undefined, ErrorCode.INVALID_PARAMETER_VALUE, 'params'],
      [{}, ErrorCode.INVALID_PARAMETER_VALUE, 'callOption'],
      [{ callOption: 7 }, ErrorCode.INVALID_PARAMETER_TYPE, 'callOption'],
      [{ callOption: {}, holdActiveCall: 'yes' }, ErrorCode.INVALID_PARAMETER_TYPE, 'holdActiveCall'],
      [{ callOption: { audioEnabled: 'yes' } }, ErrorCode.INVALID_PARAMETER_TYPE, 'callOption.audioEnabled'],
    ] as const) {
      expect(() => bob.rung().accept(params as never)).toThrow(refusal(code, param));
    }
    expect([bob.sent('accept'), bob.devicesOpened(), bob.state(bob.rung())]).toEqual([[], 0, 'ringing']);
  });

  it('B15: performs only the first request when it is accepted twice, ended twice, or accepted after its end', async () => {
    const { world, alice, bob } = await signedIn();
    alice.dial('bob', VOICE);
    await world.settle();
    const rung = bob.rung();
    rung.accept({ callOption: {} });
    rung.accept({ callOption: {} });
    await world.advance(1_000);
    rung.accept({ callOption: {} });
    expect([bob.sent('accept').length, bob.devicesOpened(), bob.state(rung)]).toEqual([1, 1, 'connected']);
    rung.end();
    rung.end();
    await world.settle();
    rung.end();
    rung.accept({ callOption: {} });
    await world.settle();
    expect([bob.sent('end').length, bob.devicesOpened(), bob.state(rung)]).toEqual([1, 1, 'ended']);
    expect(bob.told().filter((name) => name === 'onEnded')).toHaveLength(1);
    expect(bob.errors()).toEqual([]);
  });

  it.each(['onRinging', 'onEstablished', 'onConnected', 'onReconnecting', 'onEnded'] as const)(
    'B15 DC-45: that a host ends twice from within %s ends once, and logs no error',
    async (moment) => {
      const { world, alice, bob } = await signedIn();
      const endTwice = (call: DirectCall) => {
        call.end();
        call.end();
      };
      bob.client.addListener('second', {
        onRinging: (ring) => {
          if (moment === 'onRinging') return endTwice(ring);
          ring[moment] = endTwice;
          return ring.accept({ callOption: {} });
        },
      });
      const call = alice.client.dial({ userId: 'bob', ...VOICE });
      await world.advance(2_000);
      if (moment === 'onReconnecting') world.cutMedia();
      if (moment === 'onEnded') call.end();
      await world.advance(20_000);
      expect([bob.sent('end').length + bob.sent('decline').length]).toEqual([moment === 'onEnded' ? 0 : 1]);
      expect([call.isEnded, bob.rung().isEnded]).toEqual([true, true]);
      expect([...alice.errors(), ...bob.errors()]).toEqual([]);
    },
  );

  it('B15: that a host ends and then accepts within onRinging is declined, opens no device and logs no error', async () => {
    const { world, alice, bob } = await signedIn();
    bob.client.addListener('second', {
      onRinging: (ring) => {
        ring.end();
        ring.accept({ callOption: {} });
      },
    });
    alice.client.dial({ userId: 'bob', ...VOICE });
    await world.advance(2_000);
    expect([bob.sent('decline').length, bob.sent('accept').length, bob.devicesOpened()]).toEqual([1, 0, 0]);
    expect([bob.rung().isEnded, bob.errors()]).toEqual([true, []]);
  });

  it('B15: when two listeners accept one ring, the first one counts', async () => {
    const { world, alice, bob } = await signedIn();
    const former = bob.client.dial({ userId: 'alice', ...VOICE });
    await world.settle();
    alice.rung().accept({ callOption: {} });
    await world.advance(2_000);
    bob.client.addListener('first', { onRinging: (ring) => ring.accept({ callOption: {}, holdActiveCall: true }) });
    bob.client.addListener('second', { onRinging: (ring) => ring.accept({ callOption: {} }) });
    const carol = await world.party('carol');
    const call = carol.dial('bob', VOICE);
    await world.advance(2_000);
    expect([carol.state(call), former.isOnHold, former.isEnded]).toEqual(['connected', true, false]);
    expect([bob.sent('accept').length, bob.errors()]).toEqual([1, []]);
  });

  it('B15: that a host accepts again in the end event of the replaced call is accepted once', async () => {
    const { world, alice, bob } = await signedIn();
    alice.dial('bob', VOICE);
    await world.settle();
    const former = bob.rung();
    former.accept({ callOption: {} });
    const carol = await world.party('carol');
    const call = carol.dial('bob', VOICE);
    await world.settle();
    const waiting = bob.rung();
    former.onEnded = () => waiting.accept({ callOption: {} });
    waiting.accept({ callOption: {} });
    await world.advance(2_000);
    expect([carol.state(call), bob.sent('accept').length, bob.errors()]).toEqual(['connected', 2, []]);
  });

  it('B36: ends once when the host ends it again and signs out in onEnded', async () => {
    const { world, alice, bob } = await signedIn();
    const call = alice.dial('bob', VOICE);
    await world.settle();
    bob.rung().accept({ callOption: {} });
    let ends = 0;
    call.onEnded = () => {
      ends += 1;
      call.end();
      alice.client.deauthenticate();
    };
    await world.advance(2_000);
    call.end();
    await world.settle();
    expect([ends, call.endResult, bob.rung().endResult]).toEqual([1, 'COMPLETED', 'COMPLETED']);
    expect(alice.sent('end')).toHaveLength(1);
  });
});

describe('time limits', () => {
  it.each([[2 ** 31], [2 ** 31 / 1000], [1e300]])(
    'B17: a limit of %d s, above the maximum of a host’s timers, does not fire at once',
    async (seconds) => {
      const { world, alice, bob } = await signedIn();
      for (const { client } of [alice, bob]) client.setRingingTimeout(seconds);
      const call = alice.dial('bob', VOICE);
      await world.advance(200_000);
      expect([alice.state(call), bob.state(bob.rung())]).toEqual(['dialing', 'ringing']);
    },
  );

  it.each([[Infinity], [-Infinity], ['5'], [new Date(5)], [[5]], [-0]])(
    'B17: %j is not a valid limit',
    async (seconds) => {
      const { client } = await initialised();
      const code = typeof seconds === 'number' ? ErrorCode.INVALID_PARAMETER_VALUE : ErrorCode.INVALID_PARAMETER_TYPE;
      expect(() => client.setRingingTimeout(seconds as never)).toThrow(refusal(code, 'seconds'));
      expect(() => client.setCallConnectionTimeout(seconds as never)).toThrow(refusal(code, 'seconds'));
    },
  );
});

describe('levels of the log', () => {
  it.each([['VERBOSE'], ['DEBUG'], ['info'], [''], [7], [null], ['toString'], ['__proto__']])(
    'B20 S34: %j is not a valid level',
    async (level) => {
      const { client } = await initialised();
      expect(() => client.setLoggerLevel(level as never)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'level'));
    },
  );
});
