/** The installed app: its new versions, its place on the home screen, and the controls outside the page. */
import { describe, expect, it, vi } from 'vitest';
import type { ActiveCall, CallKind, CallsState } from '../../../src/react/index.ts';
import { NO_CALLS } from '../../../src/react/calls/call-state.ts';
import { Deferred } from '../../../src/app/testing/fakes/deferred.ts';
import { HandClock } from '../support/hand-clock.ts';
import { memoryCookieJar } from '../../../src/app/testing/fakes/memory-storage.ts';
import { FakePwaHost } from '../../../src/app/testing/fakes/fake-pwa-host.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import { createAppWorker } from '../../../src/app/features/pwa/app-worker.ts';
import { createBadge } from '../../../src/app/features/pwa/badge.ts';
import { showCallInMediaSession } from '../../../src/app/features/pwa/call-media-session.ts';
import { keepScreenOn } from '../../../src/app/features/pwa/call-wake-lock.ts';
import { createInstall } from '../../../src/app/features/pwa/install.ts';
import { offerUpdates } from '../../../src/app/features/pwa/update-offer.ts';
import { createPwa } from '../../../src/app/features/pwa/pwa.ts';
import { type Store, createStore } from '../../../src/common/store.ts';

const HOUR_MS = 60 * 60 * 1_000;

const party = { userId: 'mina', nickname: '小美', profileUrl: '' };
const call: ActiveCall = {
  key: '1',
  callId: '',
  role: 'callee',
  kind: 'video',
  party,
  stage: { name: 'connected', connectedAt: 0 },
  microphoneOn: true,
  cameraOn: true,
  missing: {},
  facing: 'user',
  busy: [],
  hold: { here: false, there: false },
  sharingScreen: false,
  quality: null,
  remoteMicrophoneOn: true,
  remoteCameraOn: true,
};
const ended: ActiveCall['stage'] = { name: 'ended', result: 'completed', durationMs: 1, errorCode: null };
const live = (some: Partial<ActiveCall> = {}): CallsState => ({ ...NO_CALLS, active: { ...call, ...some } });
const ringing: CallsState = { ...NO_CALLS, incoming: [{ callId: '1', kind: 'video', party }] };

class FakeWorker extends EventTarget {
  state: ServiceWorkerState = 'installing';
  readonly postMessage = vi.fn();

  become(state: ServiceWorkerState): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

class FakeRegistration extends EventTarget {
  installing: FakeWorker | null = null;
  waiting: FakeWorker | null = null;
  active: FakeWorker | null = null;
  readonly update = vi.fn(() => Promise.resolve());
}

/** A page, and the service workers of its browser. */
async function page(some: { controlled?: boolean; prepare?(registration: FakeRegistration): void } = {}) {
  const clock = new HandClock();
  const logger = new RecordingLogger();
  const registration = new FakeRegistration();
  if (some.controlled) {
    registration.active = new FakeWorker();
    registration.active.state = 'activated';
  }
  some.prepare?.(registration);
  const container = Object.assign(new EventTarget(), {
    controller: some.controlled ? registration.active : null,
    register: vi.fn((): Promise<FakeRegistration | undefined> => Promise.resolve(registration)),
  });
  const reload = vi.fn();
  const worker = createAppWorker({ container, url: '/sw.js', reload, clock, logger });
  const found = (): FakeWorker => {
    registration.installing = new FakeWorker();
    registration.dispatchEvent(new Event('updatefound'));
    return registration.installing;
  };
  worker.start();
  await Promise.resolve();
  await Promise.resolve();
  return { clock, logger, registration, container, reload, worker, found };
}

describe('the service worker of the app', () => {
  it('PWA-03: reports offline readiness once, when everything is cached for the first time', async () => {
    const { worker, found, reload } = await page();
    const first = found();
    first.become('installed');
    expect(worker.offlineReady.get()).toBe(false);
    first.become('activated');
    expect(worker.offlineReady.get()).toBe(true);
    expect(worker.hasUpdate.get()).toBe(false);
    expect(reload).not.toHaveBeenCalled();
  });

  it('an update does not report offline readiness, and waits', async () => {
    const { worker, found, registration, reload } = await page({ controlled: true });
    const next = found();
    next.become('installed');
    registration.waiting = next;
    expect(worker.hasUpdate.get()).toBe(true);
    expect(next.postMessage).not.toHaveBeenCalled();
    expect(worker.offlineReady.get()).toBe(false);
    expect(reload).not.toHaveBeenCalled();
  });

  it('finds a worker that has been waiting since an earlier visit', async () => {
    const { worker } = await page({
      controlled: true,
      prepare: (registration) => {
        registration.waiting = new FakeWorker();
      },
    });
    expect(worker.hasUpdate.get()).toBe(true);
  });

  it('the page reloads when the accepted version has taken over, and not before', async () => {
    const { worker, registration, container, reload } = await page({
      controlled: true,
      prepare: (at) => {
        at.waiting = new FakeWorker();
      },
    });
    worker.update();
    expect(registration.waiting?.postMessage).toHaveBeenCalledWith('skip-waiting');
    expect(reload).not.toHaveBeenCalled();
    container.dispatchEvent(new Event('controllerchange'));
    expect(reload).toHaveBeenCalledOnce();
  });

  it('a version that another page has accepted is offered here too, and does not reload this page', async () => {
    const { worker, container, reload } = await page({ controlled: true });
    container.dispatchEvent(new Event('controllerchange'));
    expect(reload).not.toHaveBeenCalled();
    expect(worker.hasUpdate.get()).toBe(true);
    worker.update();
    expect(reload).toHaveBeenCalledOnce();
  });

  it('checks for a new version each hour, until it is disposed', async () => {
    const { worker, registration, clock, logger } = await page({ controlled: true });
    clock.advance(HOUR_MS);
    registration.update.mockRejectedValueOnce(new Error('offline'));
    clock.advance(HOUR_MS);
    await Promise.resolve();
    await Promise.resolve();
    expect(registration.update).toHaveBeenCalledTimes(2);
    expect(logger.of('info')).toHaveLength(1);
    worker.dispose();
    expect(clock.pending).toBe(0);
  });

  it('the app runs in a browser that refuses or ignores service workers', async () => {
    for (const answer of [Promise.resolve(undefined), Promise.reject(new Error('insecure'))]) {
      const clock = new HandClock();
      const container = Object.assign(new EventTarget(), { controller: null, register: () => answer });
      const logger = new RecordingLogger();
      createAppWorker({ container, url: '/sw.js', reload: () => {}, clock, logger }).start();
      await answer.catch(() => {});
      await Promise.resolve();
      expect(clock.pending).toBe(0);
    }
  });
});

describe('the offer of a new version', () => {
  function offered(state: CallsState = NO_CALLS, hasUpdate = true) {
    const clock = new HandClock();
    const calls = createStore(state);
    const stay = createStore<CallKind | null>(null);
    const worker = { hasUpdate: createStore(hasUpdate), update: vi.fn() };
    const questions: Deferred<boolean>[] = [];
    const signals: AbortSignal[] = [];
    const confirm = vi.fn((signal: AbortSignal) => {
      signals.push(signal);
      const question = new Deferred<boolean>();
      questions.push(question);
      return question.promise;
    });
    const stop = offerUpdates({ worker, calls, stay, confirm, clock });
    const answer = async (isYes: boolean) => {
      questions.at(-1)?.resolve(isYes);
      await Promise.resolve();
      await Promise.resolve();
    };
    const isTakenBack = () => signals.at(-1)?.aborted;
    return { clock, calls, stay, worker, confirm, answer, stop, isTakenBack };
  }

  it('PWA-02: a new version asks the user through a confirm dialog', async () => {
    const { worker, confirm, answer } = offered(NO_CALLS, false);
    expect(confirm).not.toHaveBeenCalled();
    worker.hasUpdate.set(true);
    expect(confirm).toHaveBeenCalledOnce();
    expect(worker.update).not.toHaveBeenCalled();
    await answer(true);
    expect(worker.update).toHaveBeenCalledOnce();
  });

  it.each([
    ['rings', ringing],
    ['is dialled', live({ stage: { name: 'outgoing' } })],
    ['lives', live()],
    ['looks for its way', live({ stage: { name: 'reconnecting', connectedAt: 0, givesUpAt: 1 } })],
  ])('is delayed while a call %s', (_, state) => {
    const { calls, confirm } = offered(state);
    expect(confirm).not.toHaveBeenCalled();
    calls.set(live({ stage: ended }));
    expect(confirm).toHaveBeenCalledOnce();
  });

  it('a call that begins while the dialog is open closes it, and the user is asked again after the call', async () => {
    const { calls, worker, confirm, answer, isTakenBack } = offered();
    expect(isTakenBack()).toBe(false);
    calls.set(ringing);
    expect(isTakenBack()).toBe(true);
    await answer(false);
    calls.set(live());
    expect(confirm).toHaveBeenCalledTimes(1);
    calls.set(NO_CALLS);
    expect(confirm).toHaveBeenCalledTimes(2);
    expect(worker.update).not.toHaveBeenCalled();
  });

  it('is delayed while the user is in a room, and taken back when the user enters one', async () => {
    const { stay, worker, confirm, answer, isTakenBack } = offered();
    stay.set('voice');
    expect(isTakenBack()).toBe(true);
    await answer(true);
    expect([worker.update.mock.calls.length, confirm.mock.calls.length]).toEqual([0, 1]);
    stay.set('video');
    expect(confirm).toHaveBeenCalledTimes(1);
    stay.set(null);
    expect(confirm).toHaveBeenCalledTimes(2);
  });

  it('the page does not reload when the user accepts at the moment a call begins', async () => {
    const { calls, worker, confirm, answer } = offered();
    calls.set(ringing);
    await answer(true);
    expect(worker.update).not.toHaveBeenCalled();
    calls.set(NO_CALLS);
    expect(confirm).toHaveBeenCalledTimes(2);
    await answer(true);
    expect(worker.update).toHaveBeenCalledOnce();
    calls.set(live());
    calls.set(NO_CALLS);
    expect(confirm).toHaveBeenCalledTimes(2);
  });

  it('is repeated an hour after the user declined, and not during a call', async () => {
    const { clock, calls, worker, confirm, answer } = offered();
    await answer(false);
    expect(worker.update).not.toHaveBeenCalled();
    clock.advance(HOUR_MS - 1);
    calls.set(live());
    calls.set(NO_CALLS);
    expect(confirm).toHaveBeenCalledTimes(1);
    calls.set(live());
    clock.advance(1);
    expect(confirm).toHaveBeenCalledTimes(1);
    calls.set(NO_CALLS);
    expect(confirm).toHaveBeenCalledTimes(2);
  });

  it('asks one question at a time, and ignores an answer after it was disposed', async () => {
    const { clock, calls, worker, confirm, answer, stop } = offered();
    calls.set(live());
    calls.set(NO_CALLS);
    expect(confirm).toHaveBeenCalledOnce();
    stop();
    await answer(true);
    expect(worker.update).not.toHaveBeenCalled();
    expect(clock.pending).toBe(0);
  });
});

describe('the screen lock during a call', () => {
  function screen(state: CallsState = NO_CALLS) {
    const calls = createStore(state);
    const stay = createStore<CallKind | null>(null);
    const locks: { released: boolean; release: ReturnType<typeof vi.fn> }[] = [];
    const request = vi.fn(() => {
      const lock = {
        released: false,
        release: vi.fn(() => {
          lock.released = true;
          return Promise.resolve();
        }),
      };
      locks.push(lock);
      return Promise.resolve(lock);
    });
    const visible: { visibilityState: DocumentVisibilityState } = { visibilityState: 'visible' };
    const document = Object.assign(new EventTarget(), visible);
    const logger = new RecordingLogger();
    const stop = keepScreenOn({ calls, stay, wakeLock: { request }, page: document, logger });
    const become = (visibility: DocumentVisibilityState) => {
      document.visibilityState = visibility;
      document.dispatchEvent(new Event('visibilitychange'));
    };
    return { calls, stay, locks, request, become, logger, stop };
  }

  it('is held while a video call is connected, and released with it', async () => {
    const { calls, locks } = screen();
    calls.set(live({ stage: { name: 'connecting' } }));
    calls.set(live({ kind: 'voice' }));
    expect(locks).toHaveLength(0);
    calls.set(live());
    calls.set(live({ microphoneOn: false }));
    await Promise.resolve();
    calls.set(live({ stage: { name: 'reconnecting', connectedAt: 0, givesUpAt: 1 } }));
    expect(locks).toHaveLength(1);
    calls.set(live({ stage: ended }));
    expect(locks[0]?.released).toBe(true);
  });

  it('is held in a room with video, also after a call that became the room, and not in another room', async () => {
    const { calls, stay, locks, stop } = screen();
    stay.set('voice');
    expect(locks).toHaveLength(0);
    calls.set(live());
    await Promise.resolve();
    stay.set('video');
    calls.set(NO_CALLS);
    expect(locks.map(({ released }) => released)).toEqual([false]);
    stay.set(null);
    expect(locks[0]?.released).toBe(true);
    stop();
    stay.set('video');
    expect(locks).toHaveLength(1);
  });

  it('is requested again when the page is visible again, since a browser takes it from a hidden one', async () => {
    const { calls, locks, request, become } = screen();
    calls.set(live());
    await Promise.resolve();
    become('hidden');
    locks[0]!.released = true;
    expect(request).toHaveBeenCalledTimes(1);
    become('visible');
    expect(request).toHaveBeenCalledTimes(2);
  });

  it('is released at once when it arrives after the call, and a refusal is logged', async () => {
    const { calls, locks, request, logger, stop } = screen();
    calls.set(live());
    calls.set(NO_CALLS);
    await vi.waitFor(() => expect(locks[0]?.released).toBe(true));
    request.mockRejectedValueOnce(new Error('battery'));
    calls.set(live());
    await vi.waitFor(() => expect(logger.of('info')).toHaveLength(1));
    stop();
  });
});

describe('the media session of a call', () => {
  function outside() {
    const handlers = new Map<string, (() => void) | null>();
    const session = {
      metadata: null as MediaMetadata | null,
      playbackState: 'none' as MediaSessionPlaybackState,
      setActionHandler: vi.fn((action: string, handler: (() => void) | null) => void handlers.set(action, handler)),
      setMicrophoneActive: vi.fn(),
      setCameraActive: vi.fn(),
    };
    const state = createStore<CallsState>(NO_CALLS);
    const calling = { state, end: vi.fn(), toggleMicrophone: vi.fn(), toggleCamera: vi.fn() };
    const describeCall = ({ party: { nickname }, kind }: ActiveCall) =>
      ({ title: nickname, artist: kind }) as MediaMetadata;
    const stop = showCallInMediaSession({ calling, session, describe: describeCall, locale: createStore('zh-Hant') });
    return { handlers, session, calling, state, stop };
  }

  it('shows the other user, and its keys hang up and toggle microphone and camera', () => {
    const { handlers, session, calling, state } = outside();
    state.set(live());
    expect(session).toMatchObject({ metadata: { title: '小美', artist: 'video' }, playbackState: 'playing' });
    for (const action of ['hangup', 'togglemicrophone', 'togglecamera']) handlers.get(action)?.();
    expect(calling.end).toHaveBeenCalledOnce();
    expect(calling.toggleMicrophone).toHaveBeenCalledOnce();
    expect(calling.toggleCamera).toHaveBeenCalledOnce();
    state.set(live({ microphoneOn: false, cameraOn: false }));
    expect(session.setMicrophoneActive).toHaveBeenLastCalledWith(false);
    expect(session.setCameraActive).toHaveBeenLastCalledWith(false);
  });

  it('has no camera key in a voice call, and is empty after the call', () => {
    const { handlers, session, state, stop } = outside();
    state.set(live({ kind: 'voice' }));
    expect(handlers.get('togglecamera')).toBeNull();
    state.set(live({ kind: 'voice', stage: ended }));
    expect(session).toMatchObject({ metadata: null, playbackState: 'none' });
    expect([...handlers.values()]).toEqual([null, null, null]);
    state.set(live());
    stop();
    expect(session.metadata).toBeNull();
  });

  it('ignores an action that the browser does not know', () => {
    const { session, state } = outside();
    session.setActionHandler.mockImplementation(() => {
      throw new TypeError('unknown action');
    });
    expect(() => state.set(live())).not.toThrow();
    expect(session.metadata).not.toBeNull();
  });
});

describe('installing', () => {
  function home(some: { isIos?: boolean; isStandalone?: boolean; cookies?: Record<string, string> } = {}) {
    const events = new EventTarget();
    const { isIos = false, isStandalone = false } = some;
    const logger = new RecordingLogger();
    const install = createInstall({ events, isIos, isStandalone, cookies: memoryCookieJar(some.cookies), logger });
    const prompt = vi.fn(() => Promise.resolve());
    const promptEvent = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
    return { events, install, prompt, promptEvent, logger };
  }

  it('is offered when the browser can install, and without a request only after the user has used the app', async () => {
    const { events, install, prompt, promptEvent } = home();
    expect(install.way.get()).toBe('none');
    events.dispatchEvent(promptEvent);
    expect(promptEvent.defaultPrevented).toBe(true);
    expect(install.way.get()).toBe('prompt');
    expect(install.offer.get()).toBe('none');
    install.noteValue();
    expect(install.offer.get()).toBe('prompt');
    await install.prompt();
    expect(prompt).toHaveBeenCalledOnce();
    expect(install.way.get()).toBe('none');
    expect(install.offer.get()).toBe('none');
    await install.prompt();
    expect(prompt).toHaveBeenCalledOnce();
  });

  it('is manual on iOS, and not offered in an installed app', () => {
    expect(home({ isIos: true, cookies: { ringback_value: '1' } }).install.offer.get()).toBe('by-hand');
    expect(home({ isIos: true }).install.offer.get()).toBe('none');
    expect(home({ isIos: true }).install.way.get()).toBe('by-hand');
    expect(home({ cookies: { ringback_value: '1' } }).install.way.get()).toBe('none');
    const { events, install, promptEvent } = home({ isStandalone: true, cookies: { ringback_value: '1' } });
    events.dispatchEvent(promptEvent);
    expect(install.way.get()).toBe('none');
  });

  it('is not offered once the app is installed, and a refusal is logged', async () => {
    const { events, install, prompt, promptEvent, logger } = home({ cookies: { ringback_value: '1' } });
    events.dispatchEvent(promptEvent);
    expect(install.way.get()).toBe('prompt');
    prompt.mockRejectedValueOnce(new Error('no gesture'));
    await install.prompt();
    expect(logger.of('warn')).toEqual(['the app was not installed']);
    events.dispatchEvent(promptEvent);
    events.dispatchEvent(new Event('appinstalled'));
    expect(install.way.get()).toBe('none');
    install.dispose();
  });
});

describe('the use that triggers the offer to install', () => {
  function used(use: (calls: Store<CallsState>) => void): string {
    const host = new FakePwaHost();
    const calls = createStore<CallsState>(NO_CALLS);
    const pwa = createPwa({
      host,
      workerUrl: null,
      calling: {
        state: calls,
        stay: createStore(null),
        end: () => {},
        toggleMicrophone: () => {},
        toggleCamera: () => {},
      },
      dialogs: { confirm: () => Promise.resolve(false), alert: () => Promise.resolve() },
      toasts: { show: () => {} },
      cookies: memoryCookieJar({}),
      locale: createStore('zh-Hant'),
      imageBase: 'https://ringback.example',
      clock: new HandClock(),
      logger: new RecordingLogger(),
    });
    pwa.start();
    host.offerInstall();
    use(calls);
    pwa.dispose();
    return pwa.install.offer.get();
  }

  it('is a connected call', () => {
    expect(used(() => {})).toBe('none');
    expect(used((calls) => calls.set(ringing))).toBe('none');
    expect(used((calls) => calls.set(live()))).toBe('prompt');
  });
});

describe('the badge', () => {
  it('shows the count, disappears at zero, and is set once for each number', () => {
    const port = { setAppBadge: vi.fn(() => Promise.resolve()), clearAppBadge: vi.fn(() => Promise.resolve()) };
    const setBadge = createBadge(port, new RecordingLogger());
    setBadge(0);
    setBadge(3);
    setBadge(3);
    setBadge(0);
    expect(port.setAppBadge.mock.calls).toEqual([[3]]);
    expect(port.clearAppBadge).toHaveBeenCalledOnce();
  });

  it('causes no error in a browser that has no badge or refuses it', async () => {
    createBadge(null, new RecordingLogger())(3);
    const logger = new RecordingLogger();
    const refused = () => Promise.reject(new Error('not installed'));
    createBadge({ setAppBadge: refused, clearAppBadge: refused }, logger)(1);
    await vi.waitFor(() => expect(logger.of('info')).toHaveLength(1));
  });
});
