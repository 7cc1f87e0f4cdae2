import { describe, expect, it, vi } from 'vitest';
import type { ActiveCall, SeenDevices } from '../../../src/react/index.ts';
import { NO_CALLS, toCallResult } from '../../../src/react/calls/call-state.ts';
import { createCallingService } from '../../../src/app/features/calling/calling-service.ts';
import { Deferred } from '../../../src/app/testing/fakes/deferred.ts';
import { type FakeCall, FakeCallingLibrary } from '../../../src/app/testing/fakes/fake-calling-library.ts';
import { FakeConnectivity } from '../../../src/app/testing/fakes/fake-connectivity.ts';
import { HandClock } from '../support/hand-clock.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import type { CallingCredentials } from '../../../src/app/core/session/session-tokens.ts';
import { createStore } from '../../../src/common/store.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const mina = { userId: 'mina', nickname: 'Mina', profileUrl: '/portraits/mina.svg' };
const kai = { userId: 'kai', nickname: '阿凱', profileUrl: '' };

const kais: CallingCredentials = { userId: 'kai', accessToken: 'secret' };

function stage(options: { credentials?: CallingCredentials | null; online?: boolean; appId?: string } = {}) {
  const volume = createStore(1);
  const library = new FakeCallingLibrary();
  const logger = new RecordingLogger();
  const clock = new HandClock();
  const connectivity = new FakeConnectivity(options.online ?? true);
  const loadLibrary = vi.fn(() => Promise.resolve(library));
  const checkSession = vi.fn(() => Promise.resolve(true));
  const live = createStore(true);
  let credentials = options.credentials === undefined ? kais : options.credentials;
  const calling = createCallingService({
    service: () => ({
      appId: options.appId ?? 'app-1',
      apiHost: 'https://calls.test',
      websocketHost: 'wss://calls.test',
    }),
    load: loadLibrary,
    volume,
    credentials: () => credentials,
    onRefused: () => void checkSession(),
    connectivity,
    live,
    clock,
    random: () => 0.5,
    logger,
  });
  const active = (): ActiveCall => {
    const call = calling.state.get().active;
    if (call === null) throw new Error('There is no active call');
    return call;
  };
  const signInAs = (next: CallingCredentials | null) => (credentials = next);
  return { library, logger, clock, connectivity, live, loadLibrary, checkSession, signInAs, volume, calling, active };
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

  it.each([
    ['access token', { credentials: null }],
    ['application id', { appId: '' }],
  ])('CALL-01: without an %s nothing is initialised, and the library is not loaded', async (_what, options) => {
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

  it('CALL-02: a second start has no effect', async () => {
    const { library, calling } = await started();
    await calling.start();
    expect(library.steps.filter((step) => step === 'init')).toHaveLength(1);
  });

  it('reports whether calls can be made: while it starts, when it is ready, after a refusal and after the end', async () => {
    const { library, calling } = stage();
    expect(calling.connection.get()).toBe('off');
    const starting = calling.start();
    expect(calling.connection.get()).toBe('starting');
    await starting;
    expect(calling.connection.get()).toBe('on');
    calling.stop();
    expect(calling.connection.get()).toBe('off');
    library.authenticationErrors.push(new Error('refused'));
    await calling.start();
    expect(calling.connection.get()).toBe('failed');
  });

  it('CALL-03: a failure is only logged', async () => {
    const { library, calling, logger } = stage();
    library.authenticationErrors.push(new Error('refused'));
    await expect(calling.start()).resolves.toBeUndefined();
    expect(logger.of('error')).toEqual(['the calling service did not start']);
    expect(calling.state.get()).toEqual(NO_CALLS);
  });

  it('CALL-03: a library that does not load is only logged', async () => {
    const { calling, logger, loadLibrary } = stage();
    loadLibrary.mockRejectedValueOnce(new TypeError('chunk gone'));
    await calling.start();
    expect(logger.of('error')).toEqual(['the calling service did not start']);
  });

  it('waits for the network, and starts when it returns', async () => {
    const { calling, library, connectivity } = stage({ online: false });
    await calling.start();
    expect(library.steps).toEqual([]);
    connectivity.set(true);
    await vi.waitFor(() => expect(library.steps).toContain('connectWebSocket'));
    expect(connectivity.listenerCount).toBe(0);
  });

  it('S42 stopping signs out and forgets every call', async () => {
    const { calling, library } = await connectedVideo();
    library.ring(kai, false);
    calling.stop();
    expect(library.steps.slice(-2)).toEqual(['removeListener', 'deauthenticate']);
    expect(calling.state.get()).toEqual(NO_CALLS);
  });

  it('a stop during a start ends the start', async () => {
    const { calling, library } = stage();
    const start = calling.start();
    calling.stop();
    await start;
    expect(library.steps).toEqual([]);
  });
});

describe('a start of the calling service that failed', () => {
  const failed = Object.assign(new Error('Websocket connection failed.'), {
    code: ErrorCode.ERR_WEBSOCKET_CONNECTION_FAILED,
  });
  const notAuthenticated = Object.assign(new Error('The user is not authenticated.'), {
    code: ErrorCode.USER_NOT_AUTHENTICATED,
  });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const count = (library: FakeCallingLibrary, step: string): number =>
    library.steps.filter((one) => one === step).length;

  it('CALL-02 F15: authentication is retried with growing waits, and calls come as soon as it succeeds', async () => {
    const { calling, library, clock } = stage();
    library.authenticationErrors.push(...Array.from({ length: 5 }, () => new Error('restarting')));
    await calling.start();
    // Half of ten, twenty, forty and sixty seconds.
    for (const [tries, wait] of [5_250, 10_250, 20_250, 30_250, 30_250].entries()) {
      expect([count(library, 'authenticate'), calling.connection.get()]).toEqual([tries + 1, 'failed']);
      clock.advance(wait - 1);
      expect(count(library, 'authenticate')).toBe(tries + 1);
      clock.advance(1);
      await settled();
    }
    expect([calling.connection.get(), clock.pending]).toEqual(['on', 0]);
    expect([count(library, 'init'), count(library, 'addListener')]).toEqual([1, 1]);
    library.ring(mina, true);
    expect(calling.state.get().incoming).toHaveLength(1);
  });

  it('CALL-02: when the channel does not open, the library stays signed in: it rings and dials, and the state recovers', async () => {
    const { calling, library, clock, active } = stage();
    library.connectionErrors.push(failed, failed);
    await calling.start();
    expect(calling.connection.get()).toBe('failed');
    library.ring(mina, true);
    expect(calling.state.get().incoming).toHaveLength(1);
    calling.dial(kai, 'voice');
    expect(active()).toMatchObject({ party: kai, stage: { name: 'outgoing' } });
    await settled();
    clock.advance(60_000);
    await settled();
    expect(calling.connection.get()).toBe('on');
    expect([count(library, 'authenticate'), count(library, 'connectWebSocket')]).toEqual([1, 3]);
  });

  it('CALL-02: code that did not load is loaded again', async () => {
    const { calling, loadLibrary, clock } = stage();
    loadLibrary.mockRejectedValueOnce(new TypeError('chunk gone'));
    await calling.start();
    clock.advance(60_000);
    await settled();
    expect([loadLibrary.mock.calls.length, calling.connection.get()]).toEqual([2, 'on']);
  });

  it.each([
    ['the network comes back', ({ connectivity }: ReturnType<typeof stage>) => connectivity.set(true)],
    ['the page is shown again', ({ connectivity }: ReturnType<typeof stage>) => connectivity.comeBack()],
    ['the user dials', ({ calling }: ReturnType<typeof stage>) => calling.dial(mina, 'voice')],
    ['it is asked for', ({ calling }: ReturnType<typeof stage>) => void calling.start()],
  ])('CALL-02: is retried at once when %s', async (_when, happens) => {
    const staged = stage();
    staged.library.authenticationErrors.push(new Error('restarting'));
    await staged.calling.start();
    happens(staged);
    await settled();
    expect(staged.calling.connection.get()).toBe('on');
    expect([staged.clock.pending, staged.connectivity.listenerCount]).toEqual([0, 0]);
  });

  it('F15: a session that the exchange drops leads to a new sign-in with the access token that is stored now', async () => {
    const { calling, library, clock, signInAs } = await started();
    signInAs({ userId: 'kai', accessToken: 'newer' });
    library.loseSession();
    expect(calling.connection.get()).toBe('failed');
    clock.advance(60_000);
    await settled();
    expect(library.authenticatedAs).toEqual({ userId: 'kai', accessToken: 'newer' });
    expect([calling.connection.get(), count(library, 'connectWebSocket')]).toEqual(['on', 2]);
  });

  it('F15: repeated losses of the session are retried with growing waits, which reset after a minute without a loss', async () => {
    const { calling, library, clock } = await started();
    for (const wait of [5_250, 10_250, 20_250]) {
      library.loseSession();
      clock.advance(wait - 1);
      await settled();
      expect(calling.connection.get()).toBe('failed');
      clock.advance(1);
      await settled();
      expect(calling.connection.get()).toBe('on');
    }
    clock.advance(60_000);
    library.loseSession();
    clock.advance(5_250);
    await settled();
    expect(calling.connection.get()).toBe('on');
  });

  it('a session that the exchange refuses while the channel opens leads to a new sign-in', async () => {
    const { calling, library, clock } = stage();
    library.connectionErrors.push(notAuthenticated);
    await calling.start();
    clock.advance(60_000);
    await settled();
    expect([count(library, 'authenticate'), calling.connection.get()]).toEqual([2, 'on']);
  });

  it('S42: when the exchange refuses a user, the app checks the product session, which may be over', async () => {
    const { calling, library, checkSession } = stage();
    library.authenticationErrors.push(new Error('restarting'), notAuthenticated);
    await calling.start();
    expect(checkSession).not.toHaveBeenCalled();
    await calling.start();
    expect(checkSession).toHaveBeenCalledOnce();
  });

  it.each([
    ['authentication failed', 'authenticationErrors', new Error('restarting')],
    ['the channel did not open', 'connectionErrors', failed],
  ] as const)('S42: a stop signs the library out also after %s, and nothing is retried', async (_what, step, error) => {
    const { calling, library, clock, connectivity } = stage();
    library[step].push(error);
    await calling.start();
    calling.stop();
    expect(library.steps.slice(-2)).toEqual(['removeListener', 'deauthenticate']);
    expect([calling.connection.get(), clock.pending, connectivity.listenerCount]).toEqual(['off', 0, 0]);
  });

  it('S42: a session that is lost after the stop starts nothing', async () => {
    const { calling, library, clock } = await started();
    const listener = library.listener;
    calling.stop();
    listener?.onSessionLost();
    expect([calling.connection.get(), clock.pending]).toEqual(['off', 0]);
  });
});

describe('a channel that is lost after the start', () => {
  const failed = Object.assign(new Error('Websocket connection failed.'), {
    code: ErrorCode.ERR_WEBSOCKET_CONNECTION_FAILED,
  });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const asks = (library: FakeCallingLibrary): number =>
    library.steps.filter((step) => step === 'connectWebSocket').length;
  /** The wait before the check, and half of the first retry interval. */
  const LOOK_MS = 10_250;

  it('F14: is checked some seconds after live events have closed, and the state says that calls are down', async () => {
    const { calling, library, clock, live } = await started();
    library.connectionErrors.push(failed);
    live.set(false);
    clock.advance(LOOK_MS - 1);
    await settled();
    expect([asks(library), calling.connection.get()]).toEqual([1, 'on']);
    clock.advance(1);
    await settled();
    expect([asks(library), calling.connection.get()]).toEqual([2, 'failed']);
    // The usual retry.
    clock.advance(5_250);
    await settled();
    expect([asks(library), calling.connection.get()]).toEqual([3, 'on']);
  });

  it('F14: a short loss is not checked, and shows nothing', async () => {
    const { calling, library, clock, live } = await started();
    library.connectionErrors.push(failed);
    live.set(false);
    clock.advance(5_000);
    live.set(true);
    expect(clock.pending).toBe(0);
    clock.advance(60_000);
    await settled();
    expect([asks(library), calling.connection.get()]).toEqual([1, 'on']);
  });

  it('F14: is checked again for as long as live events are closed', async () => {
    const { calling, library, clock, live } = await started();
    live.set(false);
    for (const looks of [2, 3, 4]) {
      clock.advance(LOOK_MS);
      await settled();
      expect([asks(library), calling.connection.get()]).toEqual([looks, 'on']);
    }
    library.connectionErrors.push(failed);
    clock.advance(LOOK_MS);
    await settled();
    expect(calling.connection.get()).toBe('failed');
  });

  it('F14: is checked at once when live events return', async () => {
    const { calling, library, clock, live } = await started();
    library.connectionErrors.push(failed);
    live.set(false);
    clock.advance(LOOK_MS);
    await settled();
    live.set(true);
    await settled();
    expect([asks(library), calling.connection.get(), clock.pending]).toEqual([3, 'on', 0]);
  });

  it('S42: is not checked after the stop, nor when a check was pending', async () => {
    const { calling, library, clock, live } = await started();
    library.connectionErrors.push(failed);
    live.set(false);
    clock.advance(LOOK_MS);
    calling.stop();
    await settled();
    expect([calling.connection.get(), clock.pending]).toEqual(['off', 0]);
    live.set(true);
    live.set(false);
    expect(clock.pending).toBe(0);
  });
});

describe('incoming calls', () => {
  it('OVL-01, OVL-02: show the caller, the picture of the caller and the kind of call', async () => {
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
    expect(call.acceptedWith?.callOption).toEqual({ audioEnabled: true, videoEnabled: true });
    expect(calling.state.get().incoming).toEqual([]);
    expect(active()).toMatchObject({ role: 'callee', kind: 'video', party: mina, stage: { name: 'connecting' } });
  });

  it('OVL-03: a voice call is accepted without the camera', async () => {
    const { library, calling } = await started();
    const call = library.ring(mina, false);
    calling.accept(call.callId);
    expect(call.acceptedWith?.callOption).toEqual({ audioEnabled: true, videoEnabled: false });
  });

  it('OVL-04: decline ends the call and hides the card', async () => {
    const { library, calling } = await started();
    const call = library.ring(mina, true);
    calling.decline(call.callId);
    expect(call.wasEndedHere).toBe(true);
    call.finish('declined');
    expect(calling.state.get()).toEqual(NO_CALLS);
  });

  it.each([
    ['canceled', true],
    ['no_answer', true],
    ['other_device_accepted', false],
  ])('the card disappears when the call ends as %s; missed: %s', async (result, missed) => {
    const { library, calling } = await started();
    library.ring(mina, true).finish(result);
    expect(calling.state.get().incoming).toEqual([]);
    expect(calling.state.get().missed !== null).toBe(missed);
  });

  it('accepting another call ends the present one', async () => {
    const { library, calling, active, call } = await connectedVideo();
    const second = library.ring(kai, false);
    calling.accept(second.callId);
    expect(call.wasEndedHere).toBe(true);
    call.finish('completed');
    expect(active()).toMatchObject({ party: kai, stage: { name: 'connecting' } });
  });
});

describe('the sounds of calls', () => {
  it('have the chosen volume, from the start and after every change', async () => {
    const { calling, library, volume } = stage();
    volume.set(0.5);
    await calling.start();
    expect(library.volume).toBe(0.5);
    volume.set(0);
    expect(library.volume).toBe(0);
    calling.stop();
    volume.set(1);
    expect(library.volume).toBe(0);
    await calling.start();
    expect(library.volume).toBe(1);
  });

  it('are previewed with the ringtone, as soon as the library is loaded', async () => {
    const { calling, library } = stage();
    calling.tryRingtone();
    expect(library.steps).not.toContain('play RINGING');
    await calling.start();
    calling.tryRingtone();
    expect(library.steps).toContain('play RINGING');
  });
});

describe('a second call', () => {
  async function secondRings() {
    const staged = await connectedVideo();
    const second = staged.library.ring(kai, false);
    return { ...staged, second, parties: () => staged.calling.state.get().held.map(({ party }) => party) };
  }

  it('accepted with hold puts the first call on hold behind it', async () => {
    const { calling, call, second, active, parties } = await secondRings();
    calling.accept(second.callId, 'hold');
    await vi.waitFor(() => expect(calling.state.get().held[0]?.hold.here).toBe(true));
    expect([call.isHeldHere, call.wasEndedHere]).toEqual([true, false]);
    expect(second.acceptedWith?.holdActiveCall).toBe(true);
    expect(active()).toMatchObject({ party: kai, hold: { here: false } });
    expect(parties()).toEqual([mina]);
  });

  it('accepted with end ends the first call', async () => {
    const { calling, call, second, parties } = await secondRings();
    calling.accept(second.callId, 'end');
    expect(call.wasEndedHere).toBe(true);
    expect(parties()).toEqual([]);
  });

  it('accepted with hold cancels a call that was not answered yet', async () => {
    const { library, calling, active } = await started();
    calling.dial(mina, 'voice');
    const outgoing = lastDialled(library);
    calling.accept(library.ring(kai, false).callId, 'hold');
    expect(outgoing.wasEndedHere).toBe(true);
    expect(active().party).toEqual(kai);
  });

  it('leaves other incoming calls ringing', async () => {
    const { library, calling } = await started();
    const first = library.ring(mina, false);
    library.ring(kai, false);
    calling.accept(first.callId);
    expect(first.acceptedWith?.holdActiveCall).toBe(true);
    expect(calling.state.get().incoming.map(({ party }) => party)).toEqual([kai]);
  });

  it('that this user ends reveals the waiting call, which stays on hold until the user resumes it', async () => {
    const { calling, call, second, active, parties } = await secondRings();
    calling.accept(second.callId, 'hold');
    await vi.waitFor(() => expect(call.isHeldHere).toBe(true));
    calling.end();
    expect(second.wasEndedHere).toBe(true);
    expect(active()).toMatchObject({ party: mina, hold: { here: true } });
    expect(parties()).toEqual([]);
    await calling.resume();
    expect(active().hold.here).toBe(false);
  });

  it('that the other user ends shows its summary, with the waiting call behind it', async () => {
    const { calling, call, second, active, parties } = await secondRings();
    calling.accept(second.callId, 'hold');
    await vi.waitFor(() => expect(call.isHeldHere).toBe(true));
    second.finish('completed', 5_000);
    expect(active()).toMatchObject({ party: kai, stage: { name: 'ended' } });
    expect(parties()).toEqual([mina]);
    calling.dismissSummary();
    expect(active().party).toEqual(mina);
  });

  it('is swapped with the first: the visible call is held, the other one is resumed', async () => {
    const { calling, call, second, active, parties } = await secondRings();
    calling.accept(second.callId, 'hold');
    second.connect();
    await vi.waitFor(() => expect(call.isHeldHere).toBe(true));
    await calling.switchTo(calling.state.get().held[0]?.key ?? '');
    expect([call.isHeldHere, second.isHeldHere]).toEqual([false, true]);
    expect(active().party).toEqual(mina);
    expect(parties()).toEqual([kai]);
  });

  it('stays visible when it cannot be held', async () => {
    const { calling, call, second, active, logger } = await secondRings();
    calling.accept(second.callId, 'hold');
    await vi.waitFor(() => expect(call.isHeldHere).toBe(true));
    second.answerHold = () => Promise.reject(new Error('refused'));
    await calling.switchTo(calling.state.get().held[0]?.key ?? '');
    expect(active().party).toEqual(kai);
    expect(call.isHeldHere).toBe(true);
    expect(logger.of('warn')).toEqual(['the call was not held']);
  });

  it('stays without a notice when the other user ends the waiting call', async () => {
    const { calling, call, second, active, parties } = await secondRings();
    calling.accept(second.callId, 'hold');
    call.finish('completed', 1_000);
    expect(parties()).toEqual([]);
    expect(active().party).toEqual(kai);
  });
});

describe('the other features of a call', () => {
  it('is held and resumed by this user, once for several presses', async () => {
    const { calling, call, active } = await connectedVideo();
    const answer = new Deferred<void>();
    const ask = vi.fn(() => answer.promise);
    call.answerHold = ask;
    const first = calling.hold();
    expect(active().busy).toEqual(['hold']);
    await calling.hold();
    expect(ask).toHaveBeenCalledTimes(1);
    answer.resolve();
    await first;
    expect(active()).toMatchObject({ busy: [], hold: { here: true, there: false } });
    await calling.resume();
    expect(active().hold.here).toBe(false);
  });

  it('is held by the other user', async () => {
    const { call, active } = await connectedVideo();
    call.setHold(false, true);
    expect(active().hold).toEqual({ here: false, there: true });
    call.setHold(false, false);
    expect(active().hold).toEqual({ here: false, there: false });
  });

  it('shares the screen until the user or the browser stops it', async () => {
    const { calling, call, active } = await connectedVideo();
    await calling.toggleScreenShare();
    expect([call.isSharing, active().sharingScreen]).toEqual([true, true]);
    await calling.toggleScreenShare();
    expect([call.isSharing, active().sharingScreen]).toEqual([false, false]);
    await calling.toggleScreenShare();
    call.stopScreenShare();
    expect(active().sharingScreen).toBe(false);
  });

  it.each([
    [1_800_628, []],
    [1_800_626, ['the screen was not shared']],
  ])('a share that fails with %i is logged as %j', async (code, logged) => {
    const { calling, call, active, logger } = await connectedVideo();
    call.chooseScreen = () => Promise.reject(Object.assign(new Error('no screen'), { code }));
    await calling.toggleScreenShare();
    expect(active()).toMatchObject({ sharingScreen: false, busy: [] });
    expect(logger.of('warn')).toEqual(logged);
  });

  it('captures the other user’s picture, and logs a failure', async () => {
    const { calling, call, logger } = await connectedVideo();
    call.takePicture = () => Promise.resolve({ data: 'data:image/png;base64,AAAA' });
    expect(await calling.capture()).toBe('data:image/png;base64,AAAA');
    call.takePicture = () => Promise.reject(new Error('no picture'));
    expect(await calling.capture()).toBeNull();
    expect(logger.of('warn')).toEqual(['the picture was not captured']);
  });

  it('stores the quality, the number of poor reports in a row, and the scores of the last two minutes', async () => {
    const { call, active } = await connectedVideo();
    expect(active().quality).toBeNull();
    call.measure({ state: 'poor', mos: 1.4, packetsLostRate: 0.2, rtt: 480, jitter: 61 });
    call.measure({ state: 'poor', mos: 1.5 });
    expect(active().quality).toEqual({
      band: 'poor',
      mos: 1.5,
      lossRate: null,
      roundTripMs: null,
      jitterMs: null,
      poorInARow: 2,
      history: [1.4, 1.5],
    });
    for (let word = 0; word < 50; word += 1) call.measure({ state: 'good', mos: 4 });
    expect(active().quality).toMatchObject({ poorInARow: 0, history: Array.from({ length: 40 }, () => 4) });
  });

  it('lists the devices, and selects another one', async () => {
    const { calling, library, active } = await connectedVideo();
    calling.devices.look();
    expect(calling.devices.lists.get().microphone).toEqual({
      current: 'audioinput-0',
      options: [
        { id: 'audioinput-0', name: '內建麥克風' },
        { id: 'audioinput-1', name: '藍牙耳機' },
      ],
    });
    const opening = new Deferred<void>();
    library.devices.audioinput.open = () => opening.promise;
    const chosen = calling.chooseDevice('microphone', 'audioinput-1');
    expect(active().busy).toEqual(['devices']);
    opening.resolve();
    await chosen;
    expect(active().busy).toEqual([]);
    expect(calling.devices.lists.get().microphone.current).toBe('audioinput-1');
    await calling.chooseDevice('speaker', 'audiooutput-1');
    await calling.chooseDevice('camera', 'videoinput-0');
    expect(library.steps.slice(-2)).toEqual(['select 藍牙耳機', 'select FaceTime HD']);
  });

  it('a device that cannot be opened is logged, and the previous one stays', async () => {
    const { calling, library, logger } = await connectedVideo();
    library.devices.videoinput.open = () => Promise.reject(new Error('busy'));
    await calling.chooseDevice('camera', 'videoinput-0');
    expect(logger.of('warn')).toEqual(['the camera was not changed']);
  });

  it('opens only the missing device again', async () => {
    const { calling, call, library } = await connectedVideo();
    call.missDevices({ kind: 'video', reason: 'NotAllowedError' });
    await calling.retryDevices();
    expect(library.steps.slice(-2)).toEqual(['updateMediaDevices', 'select FaceTime HD']);
  });

  it('previews the devices of this user beside the call, until the preview ends', async () => {
    const { calling, library } = await connectedVideo();
    const stream = { id: 'mine' } as MediaStream;
    library.ownStream = stream;
    library.ownMissing = [{ kind: 'video', reason: 'NotReadableError' }];
    const seen: SeenDevices[] = [];
    const stop = calling.lookAtDevices({ camera: true }, (one) => seen.push(one));
    expect(seen).toEqual([{ stream, missing: { camera: 'busy' } }]);
    expect(library.looks).toEqual([{ audio: true, video: true }]);
    stop();
    expect(library.looks).toEqual([]);
  });

  it('opens the preview when the library has loaded, unless it was closed before', async () => {
    const { calling, library } = stage();
    library.ownStream = { id: 'mine' } as MediaStream;
    const seen: SeenDevices[] = [];
    calling.lookAtDevices({ camera: false }, (one) => seen.push(one));
    calling.lookAtDevices({ camera: true }, (one) => seen.push(one))();
    expect(library.looks).toEqual([]);
    await calling.start();
    expect(library.looks).toEqual([{ audio: true, video: false }]);
    expect(seen).toEqual([{ stream: library.ownStream, missing: {} }]);
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
    expect(active().stage).toEqual({ name: 'connected', connectedAt: clock.wallTime() });
  });

  it.each([
    ['NotAllowedError', 'denied'],
    ['SecurityError', 'denied'],
    ['NotFoundError', 'absent'],
    ['OverconstrainedError', 'absent'],
    ['NotReadableError', 'busy'],
    ['AbortError', 'busy'],
    ['TypeError', 'broken'],
  ])('reports the fault of a camera that cannot be opened: %s is %s', async (reason, fault) => {
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

  it('OVL-08: a second press while the camera switches does nothing', async () => {
    const turning = new Deferred<void>();
    const { calling, call, active } = await connectedVideo();
    const turn = vi.fn(() => turning.promise);
    call.turn = turn;
    const first = calling.switchCamera();
    expect(active().busy).toEqual(['switchCamera']);
    await calling.switchCamera();
    expect(turn).toHaveBeenCalledTimes(1);
    turning.resolve();
    await first;
    expect(active().busy).toEqual([]);
  });

  it('OVL-10: a failure to switch is only logged', async () => {
    const { calling, call, active, logger } = await connectedVideo();
    call.turn = () => Promise.reject(new Error('no camera'));
    await expect(calling.switchCamera()).resolves.toBeUndefined();
    expect(active().facing).toBe('user');
    expect(active().busy).toEqual([]);
    expect(logger.of('error')).toEqual(['the camera was not switched']);
  });

  it('OVL-11: the end button ends the call and hides the view, also when further events follow', async () => {
    const { calling, call, active } = await connectedVideo();
    calling.end();
    expect(call.wasEndedHere).toBe(true);
    expect(calling.state.get().active).toBeNull();
    call.finish('completed');
    expect(calling.state.get().active).toBeNull();
    calling.dial(kai, 'voice');
    expect(active().party).toEqual(kai);
  });

  it('shows a lost connection with its 30 s, and continues the count after the reconnection', async () => {
    const { active, call, clock } = await connectedVideo();
    const connectedAt = clock.wallTime();
    clock.advance(5_000);
    call.loseConnection();
    expect(active().stage).toEqual({ name: 'reconnecting', connectedAt, givesUpAt: clock.wallTime() + 30_000 });
    clock.advance(5_000);
    call.regainConnection();
    expect(active().stage).toEqual({ name: 'connected', connectedAt });
  });

  it('shows the state of the other user’s microphone and camera', async () => {
    const { active, call } = await connectedVideo();
    call.setRemote({ audio: false, video: false });
    expect([active().remoteMicrophoneOn, active().remoteCameraOn]).toEqual([false, false]);
  });

  it('shows its end result until the user closes the summary', async () => {
    const { calling, active, call } = await connectedVideo();
    call.finish('CONNECTION_LOST', 61_000);
    expect(active().stage).toEqual({ name: 'ended', result: 'connection_lost', durationMs: 61_000, errorCode: null });
    calling.dismissSummary();
    expect(calling.state.get().active).toBeNull();
  });

  it('ends as dial_failed, with the error code, when the exchange refuses', async () => {
    const { library, calling, active } = await started();
    calling.dial(mina, 'video');
    library.dialCallback?.(undefined, { code: ErrorCode.ERR_CALLEE_DOES_NOT_EXIST, message: 'no such callee' });
    expect(active().stage).toEqual({
      name: 'ended',
      result: 'dial_failed',
      durationMs: 0,
      errorCode: ErrorCode.ERR_CALLEE_DOES_NOT_EXIST,
    });
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

  it('maps every result in upper and lower case, and others to unknown', () => {
    expect(toCallResult('NO_ANSWER')).toBe('no_answer');
    expect(toCallResult('declined')).toBe('declined');
    expect(toCallResult('made_up')).toBe('unknown');
    expect(toCallResult(undefined)).toBe('unknown');
  });
});
