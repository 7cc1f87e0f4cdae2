import { webcrypto } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { createClient } from '../../../src/calls/client/client.ts';
import { User } from '../../../src/calls/host/user.ts';
import { LIBRARY_VERSION } from '../../../src/protocol/limits.ts';
import type { Environment } from '../../../src/calls/platform/environment.ts';
import { callWorld } from './support/call-world.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { loadedParts } from '../../../src/calls/client/loaded-parts.ts';
import { newId } from '../../../src/calls/platform/browser/new-id.ts';

const HOSTS = {
  defaultApiHost: 'http://exchange.test',
  defaultWebsocketHost: 'ws://exchange.test',
  parts: loadedParts(),
};
const page = (protocol: string, hostname: string) => ({ location: { protocol, hostname } });

/** A client that was not initialised, in a separate environment. */
async function fresh(environment: Partial<Environment> = {}) {
  const world = await callWorld();
  const platform = world.world.platform('device', environment);
  return { world, platform, client: world.adopt(createClient(platform, { ...HOSTS, consoleLevel: 'DEBUG' })) };
}

const refusal = (code: number, param?: string) => expect.objectContaining(param ? { code, param } : { code });

describe('initialisation', () => {
  it('LIB-01: the library version is 1.10.20', async () => {
    vi.stubGlobal('window', undefined);
    const library = await import('../../../src/calls/index.ts');
    expect([library.sdkVersion, LIBRARY_VERSION]).toEqual(['1.10.20', '1.10.20']);
    vi.unstubAllGlobals();
  });

  it('LIB-02 B04: Internet Explorer is refused with its sentence', async () => {
    for (const userAgent of [
      'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
      'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)',
    ]) {
      const { client } = await fresh({ userAgent });
      expect(() => client.init('app')).toThrow(/^Call is not supported in Internet Explorer$/);
    }
    const edge = await fresh({ userAgent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36 Edg/130.0' });
    expect(() => edge.client.init('app')).not.toThrow();
  });

  it('LIB-03 LIB-10 LIB-11 B01: it needs an application id, which is a string', async () => {
    const { client } = await fresh();
    for (const empty of [undefined, '', Number.NaN]) {
      expect(() => client.init(empty as never)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'appId'));
    }
    expect(() => client.init(7 as never)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'appId'));
    expect(() => client.init('app', 7 as never)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'apiHost'));
  });

  it('LIB-04 B02: it needs a window', async () => {
    const { client } = await fresh({ hasWindow: false });
    expect(() => client.init('app')).toThrow(/window/);
  });

  it('LIB-05 B02: it needs real-time media', async () => {
    const { client } = await fresh({ hasRealTimeMedia: false });
    expect(() => client.init('app')).toThrow(/WebRTC/);
  });

  it('LIB-06 B03: it needs a secure page: https, localhost, an ip address or a file', async () => {
    const secure = [
      page('https:', 'calls.example'),
      page('http:', 'localhost'),
      page('http:', '192.0.2.7'),
      page('http:', '[::1]'),
      page('file:', ''),
    ];
    for (const environment of secure) {
      const { client } = await fresh(environment);
      expect(() => client.init('app'), environment.location.hostname).not.toThrow();
    }
    for (const environment of [page('http:', 'evil.example'), page('http:', '192.0.2.7.example')]) {
      const { client } = await fresh(environment);
      expect(() => client.init('app'), environment.location.hostname).toThrow(/secure page/);
    }
  });

  it('the same application keeps the session; another application clears it', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    alice.client.init('ringback-demo');
    expect(alice.client.currentUser?.userId).toBe('alice');
    alice.client.init('another');
    expect([alice.client.currentUser, alice.client.appId]).toEqual([null, 'another']);
    await world.settle();
    expect(alice.platform.net.openSockets).toBe(0);
  });

  it('the same application at another exchange starts without a session', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    alice.client.init('ringback-demo', 'http://elsewhere.test', 'ws://elsewhere.test');
    expect(alice.client.currentUser).toBe(null);
  });

  it('a page that slept reconnects its channel; one that was hidden for a moment does not', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    const opens = () => alice.logged('info').filter((line) => line.includes('realtime channel open')).length;
    const { page: lifecycle } = alice.platform;
    lifecycle.go('hidden');
    await world.advance(5_000);
    lifecycle.go('active');
    await world.settle();
    expect(opens()).toBe(1);
    lifecycle.go('hidden');
    lifecycle.go('frozen');
    await world.advance(1_000);
    lifecycle.go('active');
    await world.settle();
    expect(opens()).toBe(2);
    lifecycle.go('hidden');
    await world.advance(40_000);
    lifecycle.go('passive');
    await world.settle();
    expect(opens()).toBe(3);
  });
});

describe('authentication', () => {
  it('LIB-09 B05 B06 ERR-1800302 ERR-1800303: a function that is called too early fails with the cause, and nothing is sent', async () => {
    const { client, world } = await fresh();
    const dial = () => client.dial({ userId: 'bob', isVideoCall: false, callOption: {} });
    expect(dial).toThrow(refusal(ErrorCode.INSTANCE_NOT_INITIALIZED));
    await expect(client.connectWebSocket()).rejects.toThrow(refusal(ErrorCode.INSTANCE_NOT_INITIALIZED));
    await expect(client.authenticate({ userId: 'alice' })).rejects.toThrow(refusal(ErrorCode.INSTANCE_NOT_INITIALIZED));
    client.init('ringback-demo');
    expect(dial).toThrow(refusal(ErrorCode.USER_NOT_AUTHENTICATED));
    await expect(client.connectWebSocket()).rejects.toThrow(refusal(ErrorCode.USER_NOT_AUTHENTICATED));
    expect(world.world.network.trace).toEqual([]);
  });

  it('LIB-07 LIB-10 LIB-11 B07: it needs a user id; the access token is optional and an empty one is none', async () => {
    const { client, world } = await fresh();
    client.init('ringback-demo');
    for (const userId of [undefined, '', Number.NaN]) {
      await expect(client.authenticate({ userId: userId as never })).rejects.toThrow(
        refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'userId'),
      );
    }
    await expect(client.authenticate({ userId: 5 as never })).rejects.toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'userId'),
    );
    await expect(client.authenticate(undefined as never)).rejects.toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'option'),
    );
    await expect(client.authenticate({ userId: 'alice', accessToken: 5 as never })).rejects.toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'accessToken'),
    );
    expect(world.world.network.trace).toEqual([]);
    const handled: unknown[] = [];
    await world.done(
      client.authenticate({ userId: 'alice', accessToken: '' }, (user, error) => handled.push(user, error)),
    );
    expect(handled).toEqual([expect.objectContaining({ userId: 'alice' }), undefined]);
  });

  it('ENT-06: a user has the id, nickname, picture, metadata and activity that the exchange says', async () => {
    const world = await callWorld();
    const profile = { nickname: 'Alice Liu', profile_url: 'https://faces.example/alice.png' };
    const metadata = { city: 'Taipei', tier: 'gold' };
    world.world.exchange.addUser({ user_id: 'alice', ...profile, metadata, is_active: true });
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const expected = {
      userId: 'alice',
      nickname: 'Alice Liu',
      profileUrl: 'https://faces.example/alice.png',
      metaData: { city: 'Taipei', tier: 'gold' },
      isActive: true,
    };
    expect(alice.client.currentUser).toBeInstanceOf(User);
    expect(alice.client.currentUser).toMatchObject(expected);
    bob.rewrite((frame) => {
      const caller = { ...(frame.payload['caller'] as object), is_active: false };
      return frame.type === 'dial' ? { ...frame, payload: { ...frame.payload, caller } } : frame;
    });
    const call = alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    expect(bob.rung().caller).toMatchObject({ ...expected, isActive: false, role: 'dc_caller' });
    expect(call.caller).toMatchObject({ ...expected, role: 'dc_caller' });
  });

  it('LIB-08: it returns the user, the session that later requests carry, and the stats interval', async () => {
    // Differs from the default interval of the client.
    const world = await callWorld({ settings: { statsIntervalSeconds: 7 } });
    const alice = await world.party('alice');
    expect(alice.client.currentUser?.userId).toBe('alice');
    const bob = await world.party('bob');
    alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    bob.rung().end();
    await world.settle();
    const [summary] = bob.requests('summary').map((text) => JSON.parse(text));
    expect(summary.summary_data.stats_interval).toBe(7);
    const [request] = bob.httpRequests(`/v1/direct_calls/${bob.rung().callId}/summary`);
    expect(request?.headers).toMatchObject({ 'x-session-token': expect.stringMatching(/token-/) });
  });

  it.each([
    ['LIB-12: a request id that is waiting already', 'the same'],
    ['LIB-13: an empty request id', ''],
  ])('%s is an error of the request, which is not sent; the previous sign-in stays', async (_, id) => {
    const world = await callWorld();
    const [bob] = [await world.party('bob'), await world.party('carol')];
    const platform = world.world.platform('device');
    let next: string | null = null;
    const client = world.adopt(createClient({ ...platform, newId: () => next ?? platform.newId() }, HOSTS));
    client.init('ringback-demo');
    await world.done(client.authenticate({ userId: 'alice' }));
    await world.done(client.connectWebSocket());
    const outcomes: unknown[] = [];
    const dial = (userId: string) =>
      client.dial({ userId, isVideoCall: false, callOption: {}, holdActiveCall: true }, (_call, error) =>
        outcomes.push([userId, error?.code, error?.param]),
      );
    const sent = () =>
      world.world.network.trace.filter((line) => line.device === 'device' && line.type === 'dial').length;
    next = id === '' ? null : id;
    const first = dial('bob');
    next = id;
    const second = dial('carol');
    next = null;
    await world.settle();
    expect(outcomes).toHaveLength(2);
    expect(outcomes).toEqual(
      expect.arrayContaining([
        ['bob', undefined, undefined],
        ['carol', ErrorCode.INVALID_PARAMETER_VALUE, 'requestId'],
      ]),
    );
    expect([bob.rings.length, first.isEnded, second.endResult, sent()]).toEqual([1, false, 'DIAL_FAILED', 1]);
  });

  it('a host that passes a handler may ignore the promise', async () => {
    const { client, world } = await fresh();
    client.init('ringback-demo');
    const codes: unknown[] = [];
    // An unhandled rejection would fail the test run.
    void client.authenticate({ userId: 'nobody-here' }, (_user, error) => codes.push(error?.code));
    await world.settle();
    expect(codes).toEqual([expect.any(Number)]);
  });

  it('a host that dials again from onEnded is refused while it signs out', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    await world.party('bob');
    const call = alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    const refused: unknown[] = [];
    call.onEnded = () => {
      try {
        alice.dial('bob', { isVideoCall: false, callOption: {} });
      } catch (error) {
        refused.push(error);
      }
    };
    alice.client.deauthenticate();
    expect(refused).toEqual([refusal(ErrorCode.USER_NOT_AUTHENTICATED)]);
    await world.settle();
    expect(alice.leftovers()).toEqual([]);
  });

  it('a failed login calls the handler and rejects, and no user is signed in', async () => {
    const { client, world } = await fresh();
    client.init('ringback-demo');
    const handled: unknown[] = [];
    const attempt = client.authenticate({ userId: 'nobody-here' }, (user, error) => handled.push(user, error));
    await expect(world.done(attempt)).rejects.toMatchObject({ code: expect.any(Number) });
    expect(handled).toEqual([undefined, expect.objectContaining({ code: expect.any(Number) })]);
    expect(client.currentUser).toBe(null);
  });

  it('S36 S42 deauthenticate ends the calls, the channel and the session, and leaves no timer or socket', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const call = alice.dial('bob', { isVideoCall: true, callOption: {} });
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    alice.client.deauthenticate();
    expect(call.endResult).toBe('COMPLETED');
    expect(alice.client.currentUser).toBe(null);
    await world.settle();
    expect(bob.rung().endResult).toBe('COMPLETED');
    bob.client.deauthenticate();
    await world.advance(1_000);
    expect(world.world.leftovers().filter((line) => !line.includes('listeners'))).toEqual([]);
    expect(world.world.clock.pending).toEqual([]);
  });
});

describe('listeners and settings', () => {
  it('B35: a listener that is added during an event gets the next one; a removed one gets none', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const told: string[] = [];
    let added = 0;
    const add = (): void => {
      added += 1;
      const name = `added ${added}`;
      // A host that adds a listener in each one must not keep the event going for ever.
      if (added < 5) bob.client.addListener(name, { onRinging: () => (told.push(name), add()) });
    };
    bob.client.addListener('first', { onRinging: () => (told.push('first'), add()) });
    const ring = async () => {
      const call = alice.dial('bob', { isVideoCall: false, callOption: {} });
      await world.settle();
      call.end();
      await world.settle();
      return told.splice(0);
    };
    expect(await ring()).toEqual(['first']);
    bob.client.removeListener('first');
    expect(await ring()).toEqual(['added 1']);
  });

  it('B35: every listener is called, one that throws affects no other, the same id replaces, a number is an id', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const told: string[] = [];
    bob.client.addListener(1, { onRinging: () => told.push('replaced') });
    bob.client.addListener(1, {
      onRinging: () => {
        told.push('one');
        throw new Error('host');
      },
    });
    bob.client.addListener('none', { onRinging: null });
    bob.client.addListener('two', { onRinging: () => told.push('two') });
    bob.client.addListener('gone', { onRinging: () => told.push('gone') });
    bob.client.removeListener('gone');
    alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    expect(told).toEqual(['one', 'two']);
    expect(bob.rings).toHaveLength(1);
  });

  it('B35: a listener with a value that is no function affects no other', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const told: string[] = [];
    const wrong = { onRinging: 'ring', onVideoInputDeviceChanged: 7, onRecordingSucceeded: {} } as never;
    bob.client.addListener('wrong', wrong);
    bob.client.addRecordingListener('wrong', wrong);
    const say = (name: string) => () => void told.push(name);
    bob.client.addListener('right', { onRinging: say('ring'), onVideoInputDeviceChanged: say('camera') });
    bob.client.addRecordingListener('right', { onRecordingSucceeded: say('recording') });
    for (const id of ['cam-1', 'cam-2']) {
      bob.platform.devices.unplug(id);
      await world.settle();
    }
    alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    const rung = bob.rung();
    rung.accept({ callOption: {} });
    await world.advance(2_000);
    rung.stopRecording(rung.startRecording({ callId: rung.callId, recordingType: 'remote_audio_only' } as never));
    await world.settle();
    expect([...new Set(told)]).toEqual(['camera', 'ring', 'recording']);
  });

  it('LIB-10 LIB-11: a listener needs an id and an object', async () => {
    const { client } = await fresh();
    expect(() => client.addListener('', {})).toThrow(refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'id'));
    expect(() => client.addListener({} as never, {})).toThrow(refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'id'));
    expect(() => client.addListener('a', undefined as never)).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'listener'),
    );
    expect(() => client.addListener('a', 'b' as never)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'listener'));
  });

  it.each(['setRingingTimeout', 'setCallConnectionTimeout'] as const)(
    'SET-01 SET-02 B17: %s takes numbers of seconds above 0 only',
    async (setter) => {
      const { client } = await fresh();
      for (const bad of [0, -1, Infinity, Number.NaN, undefined]) {
        expect(() => client[setter](bad as never), String(bad)).toThrow(
          refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'seconds'),
        );
      }
      expect(() => client[setter]('5' as never)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'seconds'));
      expect(() => client[setter](0.5)).not.toThrow();
    },
  );

  it('ENT-22 B20: VERBOSE and DEBUG cannot be set by hosts', async () => {
    const { client } = await fresh();
    for (const level of ['VERBOSE', 'DEBUG', 'loud'] as const) {
      expect(() => client.setLoggerLevel(level as never)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'level'));
    }
    for (const level of ['INFO', 'WARNING', 'ERROR', 'NONE'] as const) client.setLoggerLevel(level);
  });

  it('getCall finds a live call by its id, and ongoing calls are counted', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const call = alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    expect(alice.client.getCall(call.callId)).toBe(call);
    expect([alice.client.getOngoingCallCount(), bob.client.getOngoingCallCount()]).toEqual([1, 1]);
    bob.rung().accept({ callOption: {} });
    await world.settle();
    expect(alice.client.getOngoingCalls()).toEqual([call]);
    call.end();
    await world.settle();
    expect([alice.client.getOngoingCallCount(), alice.client.getCall(call.callId)]).toEqual([0, undefined]);
    expect(() => alice.client.getCall('')).toThrow(refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'callId'));
  });

  it('only the sounds of a call can be replaced', async () => {
    const { client } = await fresh();
    await expect(client.addDirectCallSound('FOO' as never, '/a.ogg')).rejects.toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'type'),
    );
    await expect(client.addDirectCallSound('RINGING', '')).rejects.toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'url'),
    );
    await expect(client.addDirectCallSound('RINGING', '/a.ogg')).resolves.toBe(true);
    expect([client.removeDirectCallSound('RINGING'), client.removeDirectCallSound('RINGING')]).toEqual([true, false]);
  });

  it('sounds have the volume that the host sets, from 0 to 1', async () => {
    const { client, platform } = await fresh();
    for (const bad of [-0.1, 1.1, Infinity, Number.NaN, undefined]) {
      expect(() => client.setDirectCallSoundVolume(bad as never), String(bad)).toThrow(
        refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'volume'),
      );
    }
    expect(() => client.setDirectCallSoundVolume('1' as never)).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'volume'),
    );
    expect(platform.sounds.volume).toBe(1);
    client.setDirectCallSoundVolume(0);
    expect(platform.sounds.volume).toBe(0);
  });

  it('a preview plays a sound once, and a sound of a call replaces it', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    expect(() => bob.client.playDirectCallSound('FOO' as never)).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'type'),
    );
    bob.client.playDirectCallSound('RINGING');
    expect(bob.sounds()).toEqual(['RINGING']);
    alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    bob.client.playDirectCallSound('DIALING');
    expect(bob.sounds()).toEqual(['RINGING', 'RINGING']);
    bob.rung().end();
    await world.settle();
  });

  it('ids are random, also on a page without crypto.randomUUID', () => {
    const idsOf = () => Array.from({ length: 100 }, () => newId());
    const ids = idsOf();
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => webcrypto.getRandomValues(bytes) });
    ids.push(...idsOf());
    vi.unstubAllGlobals();
    expect(new Set(ids).size).toBe(200);
    const wrong = ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id));
    expect(wrong).toEqual([]);
  });

  it('functions work without their object', async () => {
    const { client } = await fresh();
    const { init, addListener, getOngoingCallCount } = client;
    init('app');
    addListener('a', {});
    expect(getOngoingCallCount()).toBe(0);
  });
});
