/**
 * The habits of applications with a client and its calls. The numbers are those of docs/spec/host-behaviour.md. Habits that
 * concern the package as a whole are in hosts.test.ts.
 */
import { describe, expect, it } from 'vitest';
import { SoundType } from '../../../src/calls/host/public-enumerations.ts';
import type { DialParams } from '../../../src/calls/direct-call/call-options.ts';
import { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import { callWorld, type MediaPeer } from './support/call-world.ts';
import { connected, ringing } from './support/two-people.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';

const VIDEO = { isVideoCall: true, callOption: {} };
const SOUNDS = ['DIALING', 'RINGING', 'RECONNECTING', 'RECONNECTED'] as const;
const refusal = (code: number, param?: string) => expect.objectContaining(param ? { code, param } : { code });

/** Freezes as state libraries do: plain objects and lists at every depth. Instances of classes are left alone. */
function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
}

describe('habits of hosts with a client', () => {
  it('host 1: a reloaded page starts without state, and no event is lost or repeated', async () => {
    const { world, alice, bob, call } = await connected();
    const rings: DirectCall[] = [];
    const open = async () => {
      const { client } = bob;
      client.removeListener('page');
      client.init('ringback-demo');
      client.addListener('page', { onRinging: (ring) => rings.push(ring) });
      for (const sound of SOUNDS) await world.done(client.addDirectCallSound(sound, `/${sound}.ogg`));
      await world.done(client.authenticate({ userId: 'bob', accessToken: '' }));
      client.addListener('page', { onRinging: (ring) => rings.push(ring) });
      await world.done(client.connectWebSocket());
    };
    for (let times = 0; times < 3; times += 1) await open();
    expect([call.isOngoing, bob.rung().isOngoing, bob.platform.net.openSockets]).toEqual([true, true, 1]);
    call.end();
    await world.settle();
    const again = alice.dial('bob', VIDEO);
    await world.settle();
    expect(rings).toEqual([bob.rung()]);
    expect(bob.rung().callId).toBe(again.callId);
  });

  it('host 2: every function of a client works with a foreign this', async () => {
    const world = await callWorld();
    const client = world.adopt((await world.party('alice')).client);
    const { deauthenticate, ...others } = client;
    const functions = Object.values(others).filter((value) => typeof value === 'function') as (() => unknown)[];
    expect(functions.length).toBeGreaterThan(30);
    const faults: unknown[] = [];
    // Each lacks its parameters. A function that needs its client as `this` would throw a TypeError.
    for (const run of functions) new Promise((resolve) => resolve(run())).catch((error: unknown) => faults.push(error));
    await world.settle();
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.filter((fault) => !(fault instanceof CallError))).toEqual([]);
    const foreign = { addDirectCallSound: client.addDirectCallSound, dial: client.dial, getCall: client.getCall };
    await expect(world.done(foreign.addDirectCallSound('RINGING', '/ring.ogg'))).resolves.toBe(true);
    expect(foreign.getCall('none')).toBe(undefined);
    expect(() => foreign.dial({ userId: 'alice', ...VIDEO })).toThrow(refusal(ErrorCode.MY_USER_ID_NOT_ALLOWED));
    deauthenticate();
    expect(client.currentUser).toBe(null);
  });

  it('host 6: a listener may have a number as its id, and is replaced and removed by that number', async () => {
    const { world, alice, bob, call } = await ringing();
    const told: string[] = [];
    bob.client.addListener(1, { onRinging: () => told.push('first') });
    bob.client.addListener(1, { onRinging: () => told.push('second') });
    call.end();
    alice.dial('bob', VIDEO);
    await world.settle();
    expect(told).toEqual(['second']);
    bob.client.removeListener(1);
    alice.dial('bob', VIDEO);
    await world.settle();
    expect(told).toEqual(['second']);
  });

  it('host 9: the dial callback gets the call beside an error, and a callback that throws does not affect the call', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    const seen: unknown[] = [];
    const call = alice.client.dial({ userId: 'nobody-here', ...VIDEO }, (dialled, error) => {
      seen.push(dialled?.localUser.userId, dialled?.caller.userId, dialled?.callee.userId, error?.code);
      throw new Error('host');
    });
    await world.settle();
    expect(seen).toEqual(['alice', 'alice', 'nobody-here', ErrorCode.ERR_CALLEE_DOES_NOT_EXIST]);
    expect([alice.state(call), call.endResult]).toEqual(['ended', 'DIAL_FAILED']);
    expect(alice.errors()).toEqual([expect.stringContaining('the dial callback of the host threw')]);
  });

  it('host 10: a host may freeze every value it gets or passes', async () => {
    const { world, alice, bob, call, rung } = await connected();
    const items = { topic: 'dinner' };
    const option = { callOption: { audioEnabled: true } };
    const second = bob.client;
    const handed = () => [
      [alice.client.currentUser, call.caller, call.callee, call.localUser, call.remoteUser],
      [call.customItems, call.callLog, call.callLog.customItems, call.callLog.participants],
      [alice.client.getOngoingCalls(), second.getOngoingCalls(), call.caller.metaData],
    ];
    deepFreeze(handed());
    deepFreeze([items, option]);
    Object.assign(rung.customItems, { topic: 'not asked for' });
    expect(rung.customItems).toEqual({});
    for (const instance of [alice.client.currentUser, call.caller, call.callLog, call]) {
      expect(Object.isFrozen(instance)).toBe(false);
    }
    await world.done(rung.hold());
    await world.done(rung.unhold());
    call.end();
    await world.settle();
    deepFreeze(handed());
    const params: DialParams = { userId: 'bob', isVideoCall: false, customItems: items, ...option };
    deepFreeze(params);
    const again = alice.client.dial(params);
    await world.settle();
    bob.rung().accept(option);
    await world.advance(2_000);
    expect([again.customItems, alice.state(again)]).toEqual([items, 'connected']);
    expect(alice.errors()).toEqual([]);
  });

  it('host 17: dial returns a call at once, not a promise, and throws at once', async () => {
    const { alice } = await ringing();
    const params = { userId: 'carol', ...VIDEO };
    const call = alice.client.dial(params);
    expect(call).toBeInstanceOf(DirectCall);
    expect('then' in call).toBe(false);
    expect(await Promise.resolve(call)).toBe(call);
    expect(() => alice.client.dial({ ...params, userId: '' })).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'userId'),
    );
  });

  it('host 18: an empty access token counts as absent', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    for (const accessToken of ['', undefined]) {
      await world.done(alice.client.authenticate({ userId: 'alice', accessToken }));
    }
    const logins = alice.httpRequests('/v1/users/alice/login').map(({ body }) => JSON.parse(body ?? ''));
    expect(logins.length).toBeGreaterThanOrEqual(3);
    for (const body of logins) expect(body).toEqual({ app_id: 'ringback-demo', user_id: 'alice' });
  });
});

describe('habits of hosts with a call', () => {
  it('host 7: views may be absent, undefined or null when a call begins, and null when its page closes', async () => {
    for (const view of [undefined, null]) {
      const world = await callWorld();
      const [alice, bob] = [await world.party('alice'), await world.party('bob')];
      const callOption = { localMediaView: view, remoteMediaView: view } as DialParams['callOption'];
      const call = alice.dial('bob', { isVideoCall: true, callOption });
      await world.settle();
      bob.rung().accept({ callOption });
      await world.advance(2_000);
      expect([alice.state(call), call.localMediaView, call.remoteMediaView]).toEqual(['connected', null, null]);
      for (const side of [call, bob.rung()]) {
        await side.setLocalMediaView(view);
        await side.setRemoteMediaView(view);
      }
      expect([...alice.errors(), ...bob.errors()]).toEqual([]);
    }
  });

  it('host 7: views that were set during the ring stay when accept names none, and are removed when it passes null', async () => {
    const { bob, rung } = await ringing();
    const [local, remote] = [bob.view(), bob.view()];
    await rung.setLocalMediaView(local);
    await rung.setRemoteMediaView(remote);
    rung.accept({ callOption: { localMediaView: null, remoteMediaView: undefined } });
    expect([rung.localMediaView, rung.remoteMediaView === remote]).toEqual([null, true]);
  });

  it('host 8: of two components that show one call the last wins, and both may detach twice, also after the end', async () => {
    const { world, alice, call } = await connected();
    const [first, second] = [alice.view(), alice.view()];
    for (const view of [first, second]) {
      await call.setLocalMediaView(view);
      await call.setRemoteMediaView(view);
    }
    expect([call.localMediaView === second, call.remoteMediaView === second, first.srcObject]).toEqual([
      true,
      true,
      null,
    ]);
    expect(second.srcObject).not.toBe(null);
    call.end();
    await world.settle();
    for (let times = 0; times < 2; times += 1) {
      await call.setLocalMediaView(null);
      await call.setRemoteMediaView(null);
    }
    expect([call.localMediaView, call.remoteMediaView, second.srcObject]).toEqual([null, null, null]);
  });

  it('host 19: functions that a host calls after the end have no effect and throw nothing', async () => {
    const { world, alice, bob, call, rung } = await connected();
    const early = calledOff(alice);
    call.end();
    await world.settle();
    const sent = () => [alice, bob].map((party) => party.sent('audio').length + party.sent('video').length);
    const before = sent();
    for (const over of [call, rung, early]) {
      const is = () => [over.isLocalAudioEnabled, over.isLocalVideoEnabled, over.endResult];
      const was = is();
      const buttons = [
        'muteMicrophone',
        'unmuteMicrophone',
        'startVideo',
        'stopVideo',
        'stopScreenShare',
        'end',
      ] as const;
      for (const press of buttons) {
        over[press]();
        expect(is(), press).toEqual(was);
      }
      await world.done(over.setLocalMediaView(alice.view()));
      await world.done(over.setRemoteMediaView(alice.view()));
      await world.done(over.hold());
      await world.done(over.unhold(true));
      expect(over.stopRecording('none')).toBe(false);
      if (over.myRole === 'dc_callee') over.accept({ callOption: {} });
      expect(is()).toEqual(was);
    }
    expect([sent(), alice.liveTracks(), bob.liveTracks()]).toEqual([before, 0, 0]);
  });

  /** A call that ends before its dial is acknowledged. */
  function calledOff(alice: MediaPeer): DirectCall {
    const call = alice.dial('carol', { ...VIDEO, holdActiveCall: true });
    call.end();
    return call;
  }
});

describe('hosts that sign out in an event of a call', () => {
  const NOTICES = ['onEstablished', 'onConnected', 'onReconnecting', 'onEnded'] as const;

  it.each(NOTICES)('from %s: the call ends for the other side as well, and its summary is sent', async (notice) => {
    const { world, alice, bob, call, rung } = await ringing();
    call[notice] = () => alice.client.deauthenticate();
    rung.accept({ callOption: {} });
    await world.advance(2_000);
    if (notice === 'onReconnecting') {
      world.cutMedia();
      await world.advance(8_000);
    }
    if (notice === 'onEnded') call.end();
    await world.settle();
    const result = notice === 'onEstablished' ? 'NOT_CONNECTED' : 'COMPLETED';
    expect([call.endResult, rung.endResult, bob.told().at(-1)]).toEqual([result, result, 'onEnded']);
    expect([alice.requests('summary').length, alice.errors(), alice.client.currentUser]).toEqual([1, [], null]);
  });

  it('from onRinging, also for another application: the call is declined', async () => {
    for (const leave of ['deauthenticate', 'init'] as const) {
      const world = await callWorld();
      const [alice, bob] = [await world.party('alice'), await world.party('bob')];
      bob.client.addListener('leaver', { onRinging: () => bob.client[leave]('another-app') });
      const call = alice.dial('bob', VIDEO);
      await world.settle();
      expect([call.endResult, bob.rung().endResult, bob.platform.net.openSockets], leave).toEqual([
        'DECLINED',
        'DECLINED',
        0,
      ]);
    }
  });

  it('who signs in again at once stays signed in', async () => {
    const { world, alice, call, rung } = await ringing();
    let again: Promise<unknown> | undefined;
    call.onEstablished = () => {
      alice.client.deauthenticate();
      again = alice.client.authenticate({ userId: 'alice' });
    };
    rung.accept({ callOption: {} });
    await world.settle();
    await again;
    await world.done(alice.client.connectWebSocket());
    expect([rung.endResult, alice.client.currentUser?.userId, alice.platform.net.openSockets]).toEqual([
      'NOT_CONNECTED',
      'alice',
      1,
    ]);
  });
});

describe('the events that a user gets of a call', () => {
  it('ENT-23: the leg states with an event are DIALING, RINGING, RECONNECTING and RECONNECTED', async () => {
    expect(Object.values(SoundType)).toEqual(['DIALING', 'RINGING', 'RECONNECTING', 'RECONNECTED']);
    expect(Object.keys(SoundType)).toEqual(Object.values(SoundType));
    const { world, alice, bob, call, rung } = await ringing();
    const heard = () => [alice, bob].map((party, n) => [party.state(n === 0 ? call : rung), party.sound()]);
    expect(heard()).toEqual([
      ['dialing', SoundType.DIALING],
      ['ringing', SoundType.RINGING],
    ]);
    rung.accept({ callOption: {} });
    await world.advance(2_000);
    expect(heard()).toEqual([
      ['connected', null],
      ['connected', null],
    ]);
    world.cutMedia();
    await world.advance(8_000);
    expect(heard()).toEqual([
      ['reconnecting', SoundType.RECONNECTING],
      ['reconnecting', SoundType.RECONNECTING],
    ]);
    world.restoreMedia();
    await world.advance(8_000);
    expect(heard()).toEqual([
      ['connected', null],
      ['connected', null],
    ]);
    expect(alice.sounds()).toEqual([SoundType.DIALING, SoundType.RECONNECTING, SoundType.RECONNECTED]);
    expect(bob.sounds()).toEqual([SoundType.RINGING, SoundType.RECONNECTING, SoundType.RECONNECTED]);
  });
});

describe('the parameters of a call', () => {
  it('LIB-10 LIB-11 PAY-01: each faulty part of a dial is named at once, and nothing is sent', async () => {
    const { alice } = await ringing();
    const before = alice.sent('dial').length;
    const url = 'https://hooks.example/calls';
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, 'v']));
    const faults: [Record<string, unknown>, number, string][] = [
      [{ userId: 'x'.repeat(129) }, ErrorCode.INVALID_PARAMETER_VALUE, 'userId'],
      [{ userId: '..' }, ErrorCode.INVALID_PARAMETER_VALUE, 'userId'],
      [{ callOption: [] }, ErrorCode.INVALID_PARAMETER_TYPE, 'callOption'],
      [{ callOption: { videoWidth: 0 } }, ErrorCode.INVALID_PARAMETER_VALUE, 'callOption.videoWidth'],
      [{ callOption: { videoWidth: '640' } }, ErrorCode.INVALID_PARAMETER_TYPE, 'callOption.videoWidth'],
      [{ callOption: { videoHeight: -1 } }, ErrorCode.INVALID_PARAMETER_VALUE, 'callOption.videoHeight'],
      [{ callOption: { videoFps: Infinity } }, ErrorCode.INVALID_PARAMETER_VALUE, 'callOption.videoFps'],
      [{ callOption: { videoFps: '24' } }, ErrorCode.INVALID_PARAMETER_TYPE, 'callOption.videoFps'],
      [{ callOption: { frontCamera: 1 } }, ErrorCode.INVALID_PARAMETER_TYPE, 'callOption.frontCamera'],
      [{ callOption: { localMediaView: 'video' } }, ErrorCode.INVALID_PARAMETER_TYPE, 'callOption.localMediaView'],
      [{ callOption: { remoteMediaView: 7 } }, ErrorCode.INVALID_PARAMETER_TYPE, 'callOption.remoteMediaView'],
      [{ holdActiveCall: 'yes' }, ErrorCode.INVALID_PARAMETER_TYPE, 'holdActiveCall'],
      [{ sendBirdChatOptions: 'channel' }, ErrorCode.INVALID_PARAMETER_TYPE, 'sendBirdChatOptions'],
      [{ sendBirdChatOptions: {} }, ErrorCode.INVALID_PARAMETER_VALUE, 'sendBirdChatOptions.channelUrl'],
      [{ sendBirdChatOptions: { channelUrl: 7 } }, ErrorCode.INVALID_PARAMETER_TYPE, 'sendBirdChatOptions.channelUrl'],
      [
        { sendBirdChatOptions: { channelUrl: 'c'.repeat(2_049) } },
        ErrorCode.INVALID_PARAMETER_VALUE,
        'sendBirdChatOptions.channelUrl',
      ],
      [{ webhook: url }, ErrorCode.INVALID_PARAMETER_TYPE, 'webhook'],
      [{ webhook: {} }, ErrorCode.INVALID_PARAMETER_VALUE, 'webhook.url'],
      [{ webhook: { url: 7 } }, ErrorCode.INVALID_PARAMETER_TYPE, 'webhook.url'],
      [{ webhook: { url: 'ftp://hooks.example' } }, ErrorCode.INVALID_PARAMETER_VALUE, 'webhook.url'],
      [{ webhook: { url: `${url}/${'x'.repeat(2_048)}` } }, ErrorCode.INVALID_PARAMETER_VALUE, 'webhook.url'],
      [{ webhook: { url, enabled_events: 'dial' } }, ErrorCode.INVALID_PARAMETER_TYPE, 'webhook.enabled_events'],
      [{ webhook: { url, enabled_events: [7] } }, ErrorCode.INVALID_PARAMETER_TYPE, 'webhook.enabled_events.0'],
      [
        { webhook: { url, enabled_events: Array.from({ length: 17 }, () => 'dial') } },
        ErrorCode.INVALID_PARAMETER_VALUE,
        'webhook.enabled_events',
      ],
      [{ webhook: { url, headers: 'x-key: k' } }, ErrorCode.INVALID_PARAMETER_TYPE, 'webhook.headers'],
      [{ webhook: { url, headers: { key: 7 } } }, ErrorCode.INVALID_PARAMETER_TYPE, 'webhook.headers.key'],
      [
        { webhook: { url, headers: { key: 'a\r\nhost: b' } } },
        ErrorCode.INVALID_PARAMETER_VALUE,
        'webhook.headers.key',
      ],
      [
        { webhook: { url, headers: { key: 'v'.repeat(1_025) } } },
        ErrorCode.INVALID_PARAMETER_VALUE,
        'webhook.headers.key',
      ],
      [{ webhook: { url, headers: many(17) } }, ErrorCode.INVALID_PARAMETER_VALUE, 'webhook.headers'],
    ];
    for (const [fault, code, param] of faults) {
      expect(() => alice.client.dial({ userId: 'bob', ...VIDEO, ...fault }), param).toThrow(refusal(code, param));
    }
    expect(alice.sent('dial')).toHaveLength(before);
  });

  it('PAY-01 ENT-13: the options of a dial are sent, and absent options have their defaults', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const webhook = { url: 'https://hooks.example/calls', enabled_events: ['dial', 'end'], headers: { 'x-key': 'k' } };
    const callOption = { audioEnabled: false, videoWidth: 640, videoHeight: 480, videoFps: 15, frontCamera: false };
    alice.dial('bob', {
      isVideoCall: true,
      callOption,
      customItems: { topic: 'dinner' },
      sendBirdChatOptions: { channelUrl: 'channel-7' },
      webhook,
    });
    await world.settle();
    expect(alice.sent('dial')[0]?.payload).toEqual({
      callee_id: 'bob',
      is_video_call: true,
      custom_items: { topic: 'dinner' },
      sb_chat: { channel_url: 'channel-7' },
      constraints: { audio: false, video: true },
      capabilities: ['turn_changed'],
      webhook,
    });
    expect(alice.constraintsAsked()[0]?.video).toEqual({
      width: { ideal: 640 },
      height: { ideal: 480 },
      frameRate: { ideal: 15 },
      facingMode: { ideal: 'environment' },
    });
    const nothing = { webhook: null, sendBirdChatOptions: null, customItems: null } as unknown as Partial<DialParams>;
    alice.dial('bob', { ...VIDEO, ...nothing });
    await world.settle();
    expect(alice.sent('dial')[1]?.payload).toEqual({
      callee_id: 'bob',
      is_video_call: true,
      constraints: { audio: true, video: true },
      capabilities: ['turn_changed'],
    });
    expect(alice.constraintsAsked()[1]?.video).toEqual({ frameRate: { ideal: 24 }, facingMode: { ideal: 'user' } });
    expect(bob.rings).toHaveLength(2);
  });

  it('LIB-10 LIB-11: each faulty part of an accept is named at once, and the call continues to ring', async () => {
    const { bob, rung } = await ringing();
    const faults: [unknown, number, string][] = [
      [undefined, ErrorCode.INVALID_PARAMETER_VALUE, 'params'],
      [{}, ErrorCode.INVALID_PARAMETER_VALUE, 'callOption'],
      [{ callOption: { videoFps: -1 } }, ErrorCode.INVALID_PARAMETER_VALUE, 'callOption.videoFps'],
      [{ callOption: {}, holdActiveCall: 1 }, ErrorCode.INVALID_PARAMETER_TYPE, 'holdActiveCall'],
    ];
    for (const [params, code, param] of faults)
      expect(() => rung.accept(params as never)).toThrow(refusal(code, param));
    expect(bob.state(rung)).toBe('ringing');
  });
});
