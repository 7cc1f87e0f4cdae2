import { describe, expect, it, vi } from 'vitest';
import { type ActiveCall, toCallResult } from '../../../src/app/calling/call-state.ts';
import { createCallingService } from '../../../src/app/calling/calling-service.ts';
import { Deferred } from '../../../src/app/fakes/deferred.ts';
import { type FakeCall, FakeCallingLibrary } from '../../../src/app/fakes/fake-calling-library.ts';
import { FakeConnectivity } from '../../../src/app/fakes/fake-connectivity.ts';
import { HandClock } from '../../../src/app/fakes/hand-clock.ts';
import { MemoryStorage } from '../../../src/app/fakes/memory-storage.ts';
import { RecordingLogger } from '../../../src/app/fakes/recording-logger.ts';

const mina = { userId: 'mina', nickname: 'Mina', profileUrl: '/portraits/mina.svg' };
const kai = { userId: 'kai', nickname: '阿凱', profileUrl: '' };

function stage(options: { stored?: Record<string, string>; online?: boolean; appId?: string } = {}) {
  const library = new FakeCallingLibrary();
  const logger = new RecordingLogger();
  const clock = new HandClock();
  const connectivity = new FakeConnectivity(options.online ?? true);
  const loadLibrary = vi.fn(() => Promise.resolve(library));
  const calling = createCallingService({
    config: {
      app_id: options.appId ?? 'app-1',
      calling_api_url: 'https://calls.test',
      calling_ws_url: 'wss://calls.test',
    },
    loadLibrary,
    localStorage: new MemoryStorage(options.stored ?? { calling_user_id: 'kai', calling_access_token: 'secret' }),
    connectivity,
    clock,
    logger,
  });
  const active = (): ActiveCall => {
    const call = calling.state.get().active;
    if (call === null) throw new Error('There is no active call');
    return call;
  };
  return { library, logger, clock, connectivity, loadLibrary, calling, active };
}

async function started(options: Parameters<typeof stage>[0] = {}) {
  const staged = stage(options);
  await staged.calling.start();
  return staged;
}

function lastDialled(library: FakeCallingLibrary): FakeCall {
  const call = library.dialled.at(-1);
  if (call === undefined) throw new Error('Nothing was dialled');
  return call;
}

async function connectedVideo() {
  const staged = await started();
  staged.calling.dial(mina, 'video');
  const call = lastDialled(staged.library);
  call.connect();
  return { ...staged, call };
}

describe('calling service start', () => {
  it('CALL-01: is initialised with the fixed application id, and the user id and access token from storage', async () => {
    const { library } = await started();
    expect(library.initArguments).toEqual(['app-1', 'https://calls.test', 'wss://calls.test']);
    expect(library.authenticatedAs).toEqual({ userId: 'kai', accessToken: 'secret' });
  });

  it('CALL-01: the user id is testUser when none is stored', async () => {
    const { library } = await started({ stored: { calling_access_token: 'secret' } });
    expect(library.authenticatedAs?.userId).toBe('testUser');
  });

  it.each([
    ['access token', { stored: { calling_user_id: 'kai' } }],
    ['application id', { appId: '' }],
  ])('CALL-01: without an %s nothing is initialised, and the library is not even loaded', async (_what, options) => {
    const { library, loadLibrary } = await started(options);
    expect(loadLibrary).not.toHaveBeenCalled();
    expect(library.steps).toEqual([]);
  });

  it('CALL-02: authenticates, opens its socket and listens for incoming calls', async () => {
    const { library, calling } = await started();
    expect(library.steps).toEqual(['init', 'addListener', 'authenticate', 'connectWebSocket']);
    library.ring(mina, true);
    expect(calling.state.get().incoming).toHaveLength(1);
  });

  it('CALL-02: starting twice is starting once', async () => {
    const { library, calling } = await started();
    await calling.start();
    expect(library.steps.filter((step) => step === 'init')).toHaveLength(1);
  });

  it('CALL-03: a failure is logged only', async () => {
    const { library, calling, logger } = stage();
    library.authenticationError = new Error('refused');
    await expect(calling.start()).resolves.toBeUndefined();
    expect(logger.of('error')).toEqual(['the calling service did not start']);
    expect(calling.state.get()).toEqual({ incoming: [], active: null, missed: null });
  });

  it('CALL-03: a library that does not load is logged only', async () => {
    const { calling, logger, loadLibrary } = stage();
    loadLibrary.mockRejectedValueOnce(new TypeError('chunk gone'));
    await calling.start();
    expect(logger.of('error')).toEqual(['the calling service did not start']);
  });

  it('waits for the network, and starts when it is back', async () => {
    const { calling, library, connectivity } = stage({ online: false });
    await calling.start();
    expect(library.steps).toEqual([]);
    connectivity.set(true);
    await vi.waitFor(() => expect(library.steps).toContain('connectWebSocket'));
    expect(connectivity.listenerCount).toBe(0);
  });

  it('stopping signs out and forgets every call', async () => {
    const { calling, library } = await connectedVideo();
    library.ring(kai, false);
    calling.stop();
    expect(library.steps.slice(-2)).toEqual(['removeListener', 'deauthenticate']);
    expect(calling.state.get()).toEqual({ incoming: [], active: null, missed: null });
  });

  it('a start that was overtaken by a stop goes no further', async () => {
    const { calling, library } = stage();
    const start = calling.start();
    calling.stop();
    await start;
    expect(library.steps).toEqual([]);
  });
});

describe('incoming calls', () => {
  it('OVL-01, OVL-02: are known with who calls, their picture and the kind', async () => {
    const { library, calling } = await started();
    library.ring(mina, true);
    library.ring(undefined, false);
    expect(calling.state.get().incoming).toEqual([
      { callId: 'call-1', kind: 'video', party: mina },
      { callId: 'call-2', kind: 'voice', party: { userId: '', nickname: '', profileUrl: '' } },
    ]);
  });

  it('OVL-03: accept moves to the active call and the card disappears', async () => {
    const { library, calling, active } = await started();
    const call = library.ring(mina, true);
    calling.accept(call.callId);
    expect(call.acceptedWith).toEqual({ audioEnabled: true, videoEnabled: true });
    expect(calling.state.get().incoming).toEqual([]);
    expect(active()).toMatchObject({ role: 'callee', kind: 'video', party: mina, stage: { name: 'connecting' } });
  });

  it('OVL-03: a voice call is accepted without the camera', async () => {
    const { library, calling } = await started();
    const call = library.ring(mina, false);
    calling.accept(call.callId);
    expect(call.acceptedWith).toEqual({ audioEnabled: true, videoEnabled: false });
  });

  it('OVL-04: decline ends the call and hides the card', async () => {
    const { library, calling } = await started();
    const call = library.ring(mina, true);
    calling.decline(call.callId);
    expect(call.wasEndedHere).toBe(true);
    call.finish('declined');
    expect(calling.state.get()).toEqual({ incoming: [], active: null, missed: null });
  });

  it.each([
    ['canceled', true],
    ['no_answer', true],
    ['other_device_accepted', false],
  ])('the card goes when the call ends as %s; missed: %s', async (result, missed) => {
    const { library, calling } = await started();
    library.ring(mina, true).finish(result);
    expect(calling.state.get().incoming).toEqual([]);
    expect(calling.state.get().missed !== null).toBe(missed);
  });

  it('accepting another call hangs up the present one', async () => {
    const { library, calling, active, call } = await connectedVideo();
    const second = library.ring(kai, false);
    calling.accept(second.callId);
    expect(call.wasEndedHere).toBe(true);
    call.finish('completed');
    expect(active()).toMatchObject({ party: kai, stage: { name: 'connecting' } });
  });
});

describe('an active call', () => {
  it('is dialled with microphone, and with the camera only for video', async () => {
    const { library, calling, active } = await started();
    calling.dial(mina, 'voice');
    expect(library.dialOptions).toEqual({
      userId: 'mina',
      isVideoCall: false,
      callOption: { audioEnabled: true, videoEnabled: false },
    });
    expect(active()).toMatchObject({ role: 'caller', stage: { name: 'outgoing' } });
  });

  it('goes from outgoing over connecting to connected', async () => {
    const { library, calling, active, clock } = await started();
    calling.dial(mina, 'video');
    const call = lastDialled(library);
    call.establish();
    expect(active().stage).toEqual({ name: 'connecting' });
    call.connect();
    expect(active().stage).toEqual({ name: 'connected', connectedAt: clock.now() });
  });

  it.each([
    ['NotAllowedError', 'denied'],
    ['SecurityError', 'denied'],
    ['NotFoundError', 'absent'],
    ['OverconstrainedError', 'absent'],
    ['NotReadableError', 'busy'],
    ['AbortError', 'busy'],
    ['TypeError', 'broken'],
  ])('a camera that cannot be had is known with its fault: %s is %s', async (reason, fault) => {
    const { calling, active, call } = await connectedVideo();
    expect(active().missing).toEqual({});
    call.missDevices({ kind: 'video', reason });
    expect(active().missing).toEqual({ camera: fault });
    call.missDevices({ kind: 'audio', reason }, { kind: 'video', reason });
    expect(active().missing).toEqual({ microphone: fault, camera: fault });
    calling.toggleMicrophone();
    calling.toggleCamera();
    expect([call.microphoneOn, call.cameraOn]).toEqual([true, true]);
    call.missDevices();
    expect(active().missing).toEqual({});
  });

  it('OVL-07: the microphone starts unmuted and the camera on; each toggles', async () => {
    const { calling, active, call } = await connectedVideo();
    expect([active().microphoneOn, active().cameraOn]).toEqual([true, true]);
    calling.toggleMicrophone();
    calling.toggleCamera();
    expect([active().microphoneOn, active().cameraOn]).toEqual([false, false]);
    expect([call.microphoneOn, call.cameraOn]).toEqual([false, false]);
    calling.toggleMicrophone();
    calling.toggleCamera();
    expect([call.microphoneOn, call.cameraOn]).toEqual([true, true]);
  });

  it('OVL-08: the camera facing toggles between user and environment', async () => {
    const { calling, call, active } = await connectedVideo();
    const turn = vi.spyOn(call, 'switchCamera');
    expect(active().facing).toBe('user');
    await calling.switchCamera();
    expect(active().facing).toBe('environment');
    await calling.switchCamera();
    expect(active().facing).toBe('user');
    expect(turn).toHaveBeenCalledTimes(2);
  });

  it('OVL-08: a second press while the camera turns does nothing', async () => {
    const turning = new Deferred<void>();
    const { calling, call, active } = await connectedVideo();
    const turn = vi.fn(() => turning.promise);
    call.turn = turn;
    const first = calling.switchCamera();
    expect(active().switchingCamera).toBe(true);
    await calling.switchCamera();
    expect(turn).toHaveBeenCalledTimes(1);
    turning.resolve();
    await first;
    expect(active().switchingCamera).toBe(false);
  });

  it('OVL-10: a failure to switch is logged only', async () => {
    const { calling, call, active, logger } = await connectedVideo();
    call.turn = () => Promise.reject(new Error('no camera'));
    await expect(calling.switchCamera()).resolves.toBeUndefined();
    expect(active().facing).toBe('user');
    expect(active().switchingCamera).toBe(false);
    expect(logger.of('error')).toEqual(['the camera was not switched']);
  });

  it('OVL-11: the end button ends the call and hides the view, whatever the call says afterwards', async () => {
    const { calling, call, active } = await connectedVideo();
    calling.end();
    expect(call.wasEndedHere).toBe(true);
    expect(calling.state.get().active).toBeNull();
    call.finish('completed');
    expect(calling.state.get().active).toBeNull();
    calling.dial(kai, 'voice');
    expect(active().party).toEqual(kai);
  });

  it('shows a lost connection with the 30 s it has, and goes on counting when it is back', async () => {
    const { active, call, clock } = await connectedVideo();
    const connectedAt = clock.now();
    clock.advance(5_000);
    call.loseConnection();
    expect(active().stage).toEqual({ name: 'reconnecting', connectedAt, givesUpAt: clock.now() + 30_000 });
    clock.advance(5_000);
    call.regainConnection();
    expect(active().stage).toEqual({ name: 'connected', connectedAt });
  });

  it('follows the other side’s microphone and camera', async () => {
    const { active, call } = await connectedVideo();
    call.setRemote({ audio: false, video: false });
    expect([active().remoteMicrophoneOn, active().remoteCameraOn]).toEqual([false, false]);
  });

  it('keeps how it ended until the summary is put away', async () => {
    const { calling, active, call } = await connectedVideo();
    call.finish('CONNECTION_LOST', 61_000);
    expect(active().stage).toEqual({ name: 'ended', result: 'connection_lost', durationMs: 61_000, errorCode: null });
    calling.dismissSummary();
    expect(calling.state.get().active).toBeNull();
  });

  it('ends as dial_failed, with the number of the error, when the exchange refuses', async () => {
    const { library, calling, active } = await started();
    calling.dial(mina, 'video');
    library.dialCallback?.(undefined, { code: 1400103, message: 'no such callee' });
    expect(active().stage).toEqual({ name: 'ended', result: 'dial_failed', durationMs: 0, errorCode: 1400103 });
  });

  it('ends as dial_failed when the service has not started', () => {
    const { calling, active } = stage();
    calling.dial(mina, 'video');
    expect(active().stage).toMatchObject({ name: 'ended', result: 'dial_failed' });
  });

  it('a second dial while a call is up does nothing', async () => {
    const { library, calling, active } = await connectedVideo();
    calling.dial(kai, 'voice');
    expect(library.dialled).toHaveLength(1);
    expect(active().party).toEqual(mina);
  });

  it('knows every result in either case, and calls the rest unknown', () => {
    expect(toCallResult('NO_ANSWER')).toBe('no_answer');
    expect(toCallResult('declined')).toBe('declined');
    expect(toCallResult('made_up')).toBe('unknown');
    expect(toCallResult(undefined)).toBe('unknown');
  });
});
