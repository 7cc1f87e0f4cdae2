/** The devices of this user: the cause of a missing one, and the steps before a call that use them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Quote } from '../../../src/protocol/product/calls.ts';
import type { CallingConnection, CallsState, SeenDevices } from '../../../src/react/index.ts';
import { NO_CALLS } from '../../../src/react/calls/call-state.ts';
import { createDialer } from '../../../src/app/features/calling/dialer.ts';
import { newCall } from '../../../src/react/calls/line.ts';
import { browserKind } from '../../../src/app/features/devices/browser-kind.ts';
import { denialOf, permissionQuestion, permissionSteps } from '../../../src/app/features/devices/permission-steps.ts';
import { createDeviceLook } from '../../../src/app/features/devices/device-look.ts';
import { meterLevel } from '../../../src/app/features/devices/level-meter.ts';
import { playTestTone } from '../../../src/app/features/devices/test-tone.ts';
import { recoverDevices } from '../../../src/app/features/devices/recover-devices.ts';
import { Deferred } from '../../../src/app/testing/fakes/deferred.ts';
import { FakeDevicePermissions } from '../../../src/app/testing/fakes/fake-device-permissions.ts';
import { fakeProduct } from '../../../src/app/testing/fakes/fake-product.ts';
import { HandClock } from '../support/hand-clock.ts';
import { memoryCookieJar } from '../../../src/app/testing/fakes/memory-storage.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import { browserDevicePermissions } from '../../../src/app/core/ports/device-permissions.ts';
import { createStore } from '../../../src/common/store.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const mina = { userId: 'mina', nickname: 'Mina', profileUrl: '' };
const stream = { id: 'mine' } as MediaStream;

describe('a device that is denied', () => {
  it.each([
    ['denied', 'page'],
    ['unknown', 'page'],
    ['prompt', 'dismissed'],
    ['granted', 'system'],
  ] as const)('where the browser says %s, is denied by the %s', async (permission, denial) => {
    const permissions = new FakeDevicePermissions();
    permissions.camera = permission;
    expect(await denialOf({ camera: 'denied' }, permissions)).toBe(denial);
    expect(await denialOf({ camera: 'busy' }, permissions)).toBeNull();
  });

  it("is allowed again in the settings of the user's system, explained step by step", () => {
    const kinds = ['chromium', 'firefox', 'safari', 'safari-ios', 'other'] as const;
    expect(new Set(kinds.map((kind) => permissionSteps('page', kind).join())).size).toBe(kinds.length);
    expect(permissionSteps('system', 'chromium')).not.toEqual(permissionSteps('page', 'chromium'));
    expect(permissionQuestion('page', 'chromium').text).toMatch(/^1\. .+\n2\. .+\n3\. /);
  });

  it.each([
    ['Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36', false, 'chromium'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', false, 'chromium'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', false, 'firefox'],
    ['Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15', false, 'safari'],
    ['Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 CriOS/140.0 Mobile Safari/604.1', true, 'safari-ios'],
    ['something', false, 'other'],
  ] as const)('recognises the browser %s', (userAgent, isIos, kind) => {
    expect(browserKind(userAgent, isIos)).toBe(kind);
  });
});

describe('the permissions that the browser reports', () => {
  it('are queried, and are unknown where the browser does not answer', async () => {
    const status = Object.assign(new EventTarget(), { state: 'denied' });
    const browser = { permissions: { query: () => Promise.resolve(status) } } as unknown as Navigator;
    const permissions = browserDevicePermissions(browser);
    expect(await permissions.of('camera')).toBe('denied');
    let told = 0;
    const undo = permissions.onChange(() => (told += 1));
    await settled();
    status.dispatchEvent(new Event('change'));
    expect(told).toBeGreaterThan(0);
    const before = told;
    undo();
    status.dispatchEvent(new Event('change'));
    expect(told).toBe(before);
    expect(await browserDevicePermissions({} as Navigator).of('camera')).toBe('unknown');
  });
});

describe('the preview of the devices of this user', () => {
  function looking() {
    const permissions = new FakeDevicePermissions();
    const seen: ((devices: SeenDevices) => void)[] = [];
    const letGo: number[] = [];
    const connection = createStore<CallingConnection>('on');
    let starts = 0;
    const look = createDeviceLook(
      {
        permissions,
        calling: {
          lookAtDevices(_wanted, told) {
            const place = seen.push(told) - 1;
            return () => letGo.push(place);
          },
          connection,
          start() {
            starts += 1;
            return Promise.resolve();
          },
        },
      },
      { camera: true },
    );
    return { permissions, seen, letGo, look, connection, starts: () => starts };
  }

  it('opens the devices, and closes them at its end', async () => {
    const { look, seen, letGo } = looking();
    expect(seen).toHaveLength(0);
    const stop = look.watch();
    seen[0]?.({ stream, missing: { camera: 'absent' } });
    await settled();
    expect(look.state.get()).toEqual({ stream, missing: { camera: 'absent' }, denial: null, isStuck: false });
    stop();
    expect(letGo).toEqual([0]);
    expect(look.state.get().stream).toBeNull();
  });

  it.each(['failed', 'off'] as const)(
    'reports that no device opens while the calling service is %s, and starts the service again',
    async (down) => {
      const { look, seen, connection, starts } = looking();
      connection.set('starting');
      const stop = look.watch();
      expect(look.state.get().isStuck).toBe(false);
      connection.set(down);
      expect(look.state.get().isStuck).toBe(true);
      look.again();
      expect([starts(), seen.length]).toEqual([1, 1]);
      connection.set('starting');
      expect(look.state.get().isStuck).toBe(false);
      seen[0]?.({ stream, missing: {} });
      await settled();
      // Open devices are previewed also when calls are not available.
      connection.set(down);
      expect(look.state.get()).toMatchObject({ stream, isStuck: false });
      stop();
      connection.set('starting');
      connection.set(down);
      expect(look.state.get().isStuck).toBe(false);
    },
  );

  it('reports the fault at once where the calling service had failed before', () => {
    const { look, connection } = looking();
    connection.set('failed');
    look.watch();
    expect(look.state.get().isStuck).toBe(true);
  });

  it('ignores events of the devices that arrive late', async () => {
    const { look, seen } = looking();
    const stop = look.watch();
    seen[0]?.({ stream, missing: {} });
    stop();
    await settled();
    expect(look.state.get().stream).toBeNull();
  });

  it('restarts when the user allows a denied device, and for nothing else', async () => {
    const { look, seen, letGo, permissions } = looking();
    permissions.camera = 'denied';
    look.watch();
    seen[0]?.({ stream, missing: { camera: 'denied' } });
    await settled();
    expect(look.state.get().denial).toBe('page');
    permissions.change('camera', 'granted');
    expect([letGo, seen.length]).toEqual([[0], 2]);
    seen[1]?.({ stream, missing: {} });
    await settled();
    permissions.change('microphone', 'prompt');
    expect(seen).toHaveLength(2);
  });
});

describe('the sound of the devices', () => {
  class FakeNode {
    readonly fftSize = 4;
    readonly gain = { setValueAtTime: () => {}, linearRampToValueAtTime: () => {} };
    connect = (to: unknown) => to;
    start = () => {};
    stop = () => {};
    getFloatTimeDomainData = (samples: Float32Array) => samples.fill(0.5);
  }
  const closed: string[] = [];
  const playing = new Set<object>();
  /** Ends when playback has started. */
  let starts: Promise<void>;
  beforeEach(() => {
    closed.length = 0;
    playing.clear();
    starts = Promise.resolve();
    vi.stubGlobal('GainNode', FakeNode);
    vi.stubGlobal('OscillatorNode', FakeNode);
    vi.stubGlobal('AnalyserNode', FakeNode);
    vi.stubGlobal(
      'AudioContext',
      class {
        readonly currentTime = 0;
        createMediaStreamDestination = () => ({ stream });
        createMediaStreamSource = () => new FakeNode();
        close = () => Promise.resolve(void closed.push('context'));
      },
    );
    vi.stubGlobal(
      'Audio',
      class {
        async play() {
          playing.add(this);
          await starts;
        }
        set srcObject(played: object | null) {
          if (played === null) playing.delete(this);
        }
      },
    );
  });
  afterEach(() => vi.unstubAllGlobals());

  it('measures the volume of the user ten times a second by the clock of the app, until it is stopped', () => {
    const clock = new HandClock();
    const heard: number[] = [];
    const talking = { getAudioTracks: () => [{}] } as unknown as MediaStream;
    const stop = meterLevel(talking, clock, (level) => heard.push(level));
    clock.advance(1_000);
    expect(heard).toHaveLength(10);
    stop();
    clock.advance(1_000);
    expect([heard.length, clock.pending, closed]).toEqual([10, 0, ['context']]);
  });

  it('plays a tone that lasts as long as its notes', async () => {
    const clock = new HandClock();
    const tone = playTestTone('', clock, new AbortController().signal);
    await settled();
    clock.advance(900);
    expect([playing.size, clock.pending]).toEqual([1, 1]);
    clock.advance(100);
    await tone;
    expect([playing.size, clock.pending, closed]).toEqual([0, 0, ['context']]);
  });

  it('plays no tone after the preview is closed, also when it was closed before the tone began', async () => {
    const clock = new HandClock();
    const gone = new AbortController();
    const tone = playTestTone('', clock, gone.signal);
    await settled();
    expect(playing.size).toBe(1);
    gone.abort();
    await tone;
    await playTestTone('', clock, gone.signal);
    expect([playing.size, clock.pending, closed]).toEqual([0, 0, ['context', 'context']]);
    const begun = new Deferred<void>();
    starts = begun.promise;
    const leaves = new AbortController();
    const late = playTestTone('', clock, leaves.signal);
    leaves.abort();
    begun.resolve();
    await late;
    expect([playing.size, clock.pending, closed.length]).toEqual([0, 0, 3]);
  });
});

describe('a call without a device that was denied', () => {
  it('gets the device when the user allows it; a call that has ended, or lacks another device, does not change', () => {
    const permissions = new FakeDevicePermissions();
    const state = createStore<CallsState>(NO_CALLS);
    let retries = 0;
    const undo = recoverDevices({
      permissions,
      calling: {
        state,
        retryDevices() {
          retries += 1;
          return Promise.resolve();
        },
      },
    });
    const call = newCall({ key: '1', role: 'caller', kind: 'video', party: mina, stage: { name: 'connecting' } });
    const ended = { name: 'ended', result: 'completed', durationMs: 0, errorCode: null } as const;
    permissions.change('camera', 'granted');
    state.set({ ...NO_CALLS, active: { ...call, missing: { camera: 'absent' } } });
    permissions.change('camera', 'granted');
    state.set({ ...NO_CALLS, active: { ...call, stage: ended, missing: { camera: 'denied' } } });
    permissions.change('camera', 'granted');
    expect(retries).toBe(0);
    state.set({ ...NO_CALLS, active: { ...call, missing: { camera: 'denied' } } });
    permissions.change('camera', 'granted');
    expect(retries).toBe(1);
    undo();
    permissions.change('camera', 'granted');
    expect(retries).toBe(1);
  });
});

describe('the steps before a call', () => {
  const free: Quote = { allowed: true, reason: null, rate: 40, max_minutes: 3, coins: 120, points: null };

  function caller(answer: () => Promise<Quote>, cookies: Record<string, string> = { ringback_devices_checked: '1' }) {
    const dialled: unknown[] = [];
    const state = createStore<CallsState>(NO_CALLS);
    const jar = memoryCookieJar(cookies);
    const logger = new RecordingLogger();
    const asked: unknown[] = [];
    const dialer = createDialer({
      calling: { state, dial: (party, kind) => void dialled.push([party.userId, kind]) },
      product: fakeProduct({
        quoteCall({ body }) {
          asked.push(body);
          return answer();
        },
      }),
      cookies: jar,
      logger,
    });
    return { dialer, dialled, state, jar, logger, asked };
  }

  it('begin with the price of the call, which is shown while the call rings', async () => {
    const { dialer, dialled, asked } = caller(() => Promise.resolve(free));
    await dialer.dial(mina, 'video');
    expect(asked).toEqual([{ callee: 'mina', kind: 'video' }]);
    expect(dialled).toEqual([['mina', 'video']]);
    expect(dialer.quote.get()).toEqual(free);
    expect(dialer.before.get()).toBeNull();
  });

  it('end with the reason when the call is not allowed; an unknown user is dialled', async () => {
    for (const reason of ['insufficient_coins', 'not_accepted', 'unavailable'] as const) {
      const { dialer, dialled } = caller(() => Promise.resolve({ ...free, allowed: false, reason }));
      await dialer.dial(mina, 'video');
      const isDialled = reason === 'unavailable';
      expect(dialled).toHaveLength(isDialled ? 1 : 0);
      expect(dialer.before.get()?.step ?? null).toBe(isDialled ? null : 'refused');
    }
  });

  it('continue when the server does not return the price', async () => {
    const { dialer, dialled, logger } = caller(() => Promise.reject(new Error('no answer')));
    await dialer.dial(mina, 'voice');
    expect(dialled).toEqual([['mina', 'voice']]);
    expect(logger.of('warn')).toEqual(['the price of the call did not load']);
  });

  it('show the devices the first time, and later only when the user wants it', async () => {
    const { dialer, dialled, jar } = caller(() => Promise.resolve(free), {});
    await dialer.dial(mina, 'video');
    expect(dialer.before.get()).toMatchObject({ step: 'check', kind: 'video', quote: free });
    dialer.cancel();
    dialer.go(false);
    expect([dialer.before.get(), dialled, jar.read('ringback_devices_checked')]).toEqual([null, [], null]);
    await dialer.dial(mina, 'video');
    dialer.go(true);
    expect(dialled).toHaveLength(1);
    await dialer.dial(mina, 'video');
    expect(dialer.before.get()?.step).toBe('check');
    dialer.go(false);
    await dialer.dial(mina, 'voice');
    expect(dialled).toHaveLength(3);
    expect(dialer.before.get()).toBeNull();
    // The settings turn the preview on again.
    expect(dialer.looksFirst.get()).toBe(false);
    dialer.setLooksFirst(true);
    await dialer.dial(mina, 'voice');
    expect(dialer.before.get()?.step).toBe('check');
    expect(jar.read('ringback_devices_checked')).toBeNull();
  });

  it('end when the dialer is cleared: no call is dialled, and no price is stored', async () => {
    const answer = new Deferred<Quote>();
    const { dialer, dialled } = caller(() => answer.promise);
    const dialling = dialer.dial(mina, 'video');
    dialer.clear();
    answer.resolve(free);
    await dialling;
    expect([dialled, dialer.before.get(), dialer.quote.get()]).toEqual([[], null, null]);

    const looking = caller(() => Promise.resolve(free), {});
    await looking.dialer.dial(mina, 'video');
    looking.dialer.clear();
    expect(looking.dialer.before.get()).toBeNull();
    await looking.dialer.dial(mina, 'video');
    looking.dialer.go(false);
    expect(looking.dialer.quote.get()).toEqual(free);
    looking.dialer.clear();
    expect(looking.dialer.quote.get()).toBeNull();
  });

  it('end when another call begins during the request or the preview', async () => {
    const stage = { name: 'outgoing' } as const;
    const up = { ...NO_CALLS, active: newCall({ key: '1', role: 'callee', kind: 'video', party: mina, stage }) };
    const answer = new Deferred<Quote>();
    const asking = caller(() => answer.promise, {});
    const dialling = asking.dialer.dial(mina, 'video');
    asking.state.set(up);
    answer.resolve(free);
    await dialling;
    expect([asking.dialled, asking.dialer.before.get()]).toEqual([[], null]);

    const looking = caller(() => Promise.resolve(free), {});
    await looking.dialer.dial(mina, 'video');
    looking.state.set(up);
    looking.dialer.go(false);
    expect([looking.dialled, looking.dialer.before.get(), looking.dialer.quote.get()]).toEqual([[], null, null]);
  });

  it('run once: a second press during the request or during a call does nothing', async () => {
    const answer = new Deferred<Quote>();
    const { dialer, dialled, state } = caller(() => answer.promise);
    const both = [dialer.dial(mina, 'video'), dialer.dial(mina, 'video')];
    answer.resolve(free);
    await Promise.all(both);
    expect(dialled).toHaveLength(1);
    const stage = { name: 'outgoing' } as const;
    state.set({ ...NO_CALLS, active: newCall({ key: '1', role: 'caller', kind: 'video', party: mina, stage }) });
    await dialer.dial(mina, 'video');
    expect(dialled).toHaveLength(1);
  });
});
