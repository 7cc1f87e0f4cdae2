import { describe, expect, it, vi } from 'vitest';
import type { ActiveCall, CallQuality, CallStage, CallsState } from '../../../src/react/index.ts';
import { NO_CALLS } from '../../../src/react/calls/call-state.ts';
import { displayName } from '../../../src/app/features/calling/call-state.ts';
import { billView, createCallBilling } from '../../../src/app/features/calling/call-billing.ts';
import type { Quote } from '../../../src/protocol/product/calls.ts';
import { createIncomingQuote } from '../../../src/app/features/calling/incoming-quote.ts';
import { Deferred } from '../../../src/app/testing/fakes/deferred.ts';
import { fakeProduct } from '../../../src/app/testing/fakes/fake-product.ts';
import { incomingQuoteText } from '../../../src/app/features/calling/overlays/quote-text.ts';
import { HandClock } from '../support/hand-clock.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import {
  type CallSurroundings,
  callViewModel,
} from '../../../src/app/features/calling/overlays/call-view/call-view-model.ts';
import {
  type FullscreenDocument,
  createFullscreen,
} from '../../../src/app/features/calling/overlays/call-view/fullscreen.ts';
import { createPassingNotice } from '../../../src/app/features/calling/overlays/call-view/passing-notice.ts';
import {
  createCallDock,
  nearestCorner,
  nextCorner,
} from '../../../src/app/features/calling/overlays/dock/call-dock.ts';
import { createAttention } from '../../../src/app/features/calling/overlays/incoming-call/attention.ts';
import { createSpeechDetector, loudness } from '../../../src/app/features/devices/loudness.ts';
import { createStore } from '../../../src/common/store.ts';
import { missingText } from '../../../src/app/features/calling/overlays/call-view/missing-text.ts';
import { createIdleVisibility } from '../../../src/app/features/calling/overlays/call-view/idle-visibility.ts';

const NOW = 1_000_000;
const connected: CallStage = { name: 'connected', connectedAt: NOW - 65_900 };

function call(values: Partial<ActiveCall> = {}): ActiveCall {
  return {
    key: 'line-1',
    callId: 'call-1',
    role: 'caller',
    kind: 'video',
    party: { userId: 'mina', nickname: 'Mina', profileUrl: '/portraits/mina.svg' },
    stage: connected,
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
    ...values,
  };
}

function quality(values: Partial<CallQuality>): CallQuality {
  const unknown = { mos: null, lossRate: null, roundTripMs: null, jitterMs: null, history: [] };
  return { band: 'good', poorInARow: 0, ...unknown, ...values };
}

const view = (values: Partial<ActiveCall> = {}, surroundings: Partial<CallSurroundings> = {}) =>
  callViewModel(call(values), {
    now: NOW,
    isFullscreen: false,
    canShareScreen: true,
    canChat: false,
    canGive: false,
    ...surroundings,
  });
const controlNames = (values: Partial<ActiveCall>): string[] => view(values).controls.map((control) => control.name);

describe('what the call view shows', () => {
  it('OVL-02: the nickname, or the user id when there is none', () => {
    expect(displayName({ userId: 'mina', nickname: 'Mina', profileUrl: '' })).toBe('Mina');
    expect(displayName({ userId: 'mina', nickname: '', profileUrl: '' })).toBe('mina');
  });

  it('OVL-05: remote and local video for a video call', () => {
    expect(view()).toMatchObject({ showsRemoteVideo: true, selfView: 'corner' });
  });

  it('OVL-05: avatar and nickname for a voice call', () => {
    expect(view({ kind: 'voice' })).toMatchObject({
      showsRemoteVideo: false,
      selfView: 'none',
      name: 'Mina',
      profileUrl: '/portraits/mina.svg',
    });
  });

  it('OVL-05: the picture of this user fills the stage until the picture of the other user arrives', () => {
    expect(view({ stage: { name: 'outgoing' } })).toMatchObject({ showsRemoteVideo: false, selfView: 'stage' });
    expect(view({ stage: { name: 'connecting' } }).selfView).toBe('stage');
  });

  it('OVL-06: camera, switch and fullscreen for video calls only; microphone and end for both', () => {
    expect(controlNames({})).toEqual(['microphone', 'camera', 'switchCamera', 'fullscreen', 'end']);
    expect(controlNames({ kind: 'voice' })).toEqual(['microphone', 'end']);
  });

  it('a device that cannot be opened is off, cannot be turned on, and is reported until the end', () => {
    const without = { missing: { camera: 'absent' } } as const;
    expect(view(without)).toMatchObject({ showsSelf: false, missing: { camera: 'absent' } });
    expect(view(without).controls.slice(0, 3)).toEqual([
      { name: 'microphone', on: true, disabled: false },
      { name: 'camera', on: false, disabled: true },
      { name: 'switchCamera', disabled: true },
    ]);
    expect(view({ missing: { microphone: 'denied' } })).toMatchObject({ showsSelf: true });
    expect(view().missing).toBeNull();
    const over: CallStage = { name: 'ended', result: 'completed', durationMs: 0, errorCode: null };
    expect(view({ ...without, stage: over }).missing).toBeNull();
  });

  it('reports each missing device in one line, with what to do about it', () => {
    expect(missingText({})).toBeNull();
    const faults = ['denied', 'absent', 'busy', 'broken'] as const;
    const lines = faults.flatMap((fault) => [
      missingText({ camera: fault }),
      missingText({ microphone: fault }),
      missingText({ microphone: fault, camera: fault }),
    ]);
    expect(new Set(lines).size).toBe(12);
    expect(missingText({ microphone: 'denied', camera: 'absent' })).toBe(
      missingText({ microphone: 'broken', camera: 'broken' }),
    );
  });

  it('OVL-07: the controls show what is on', () => {
    expect(view({ microphoneOn: false, cameraOn: false }, { isFullscreen: true }).controls).toEqual([
      { name: 'microphone', on: false, disabled: false },
      { name: 'camera', on: false, disabled: false },
      { name: 'switchCamera', disabled: true },
      { name: 'fullscreen', on: true, disabled: false },
      { name: 'end' },
    ]);
  });

  it('OVL-08: only the front camera is mirrored', () => {
    expect(view({ facing: 'user' }).selfViewMirrored).toBe(true);
    expect(view({ facing: 'environment' }).selfViewMirrored).toBe(false);
  });

  it('counts whole seconds since the connection, and the whole seconds that are left', () => {
    expect(view().phase).toEqual({ name: 'connected', seconds: 65 });
    expect(view({ stage: { name: 'reconnecting', connectedAt: NOW - 65_000, givesUpAt: NOW + 28_200 } }).phase).toEqual(
      { name: 'reconnecting', seconds: 65, secondsLeft: 29 },
    );
    expect(view({ stage: { name: 'reconnecting', connectedAt: NOW, givesUpAt: NOW - 1 } }).phase).toMatchObject({
      secondsLeft: 0,
    });
  });

  it('hides controls only where they cover a video', () => {
    expect(view().controlsMayHide).toBe(true);
    expect(view({ kind: 'voice' }).controlsMayHide).toBe(false);
    expect(view({ remoteCameraOn: false }).controlsMayHide).toBe(false);
    expect(view({ stage: { name: 'outgoing' } }).controlsMayHide).toBe(false);
    expect(view({ stage: { name: 'reconnecting', connectedAt: 0, givesUpAt: NOW } }).controlsMayHide).toBe(false);
  });

  it('shows that the other user is muted only while the other user is there', () => {
    expect(view({ remoteMicrophoneOn: false }).remoteMuted).toBe(true);
    expect(view({ remoteMicrophoneOn: false, stage: { name: 'connecting' } }).remoteMuted).toBe(false);
  });

  it('says which user holds the call, and allows only resume and end meanwhile', () => {
    expect(view().hold).toBeNull();
    expect(view({ hold: { here: true, there: false } }).hold).toBe('here');
    expect(view({ hold: { here: false, there: true } }).hold).toBe('there');
    const both = view({ hold: { here: true, there: true } });
    expect(both).toMatchObject({ hold: 'both', showsRemoteVideo: false, showsSelf: false, controlsMayHide: false });
    expect(both.controls).toEqual([
      { name: 'microphone', on: true, disabled: true },
      { name: 'camera', on: true, disabled: true },
      { name: 'switchCamera', disabled: true },
      { name: 'fullscreen', on: false, disabled: true },
      { name: 'end' },
    ]);
    const left = both.extras.filter(({ disabled }) => !disabled).map(({ name }) => name);
    expect(left).toEqual(['hold', 'report']);
  });

  it('has a hold button for every call that is up; screen, window and picture buttons for video calls', () => {
    const names = (...given: Parameters<typeof view>) => view(...given).extras.map(({ name }) => name);
    const nobody = { party: { userId: '', nickname: '', profileUrl: '' } };
    expect(names(nobody)).toEqual(['hold', 'screenShare', 'pictureInPicture', 'capture']);
    expect(names({ ...nobody, kind: 'voice' })).toEqual(['hold']);
    expect(names(nobody, { canShareScreen: false })).toEqual(['hold', 'pictureInPicture', 'capture']);
    expect(names({ stage: { name: 'outgoing' } })).toEqual([]);
  });

  it('offers actions about the other user during and after the call: message, gift where allowed, report', () => {
    const names = (...given: Parameters<typeof view>) => view(...given).extras.map(({ name }) => name);
    expect(names({ kind: 'voice' })).toEqual(['hold', 'room', 'report']);
    expect(names({ kind: 'voice' }, { canChat: true, canGive: true })).toEqual([
      'hold',
      'room',
      'message',
      'gift',
      'report',
    ]);
    const over: CallStage = { name: 'ended', result: 'no_answer', durationMs: 0, errorCode: null };
    expect(names({ stage: over }, { canChat: true, canGive: true })).toEqual(['message', 'gift', 'report']);
    expect(names({ stage: { name: 'connecting' } }, { canChat: true })).toEqual([]);
  });

  it('asks for a rating of a connected call after its end', () => {
    const over = (durationMs: number): CallStage => ({
      name: 'ended',
      result: 'completed',
      durationMs,
      errorCode: null,
    });
    expect(view({ stage: over(12_900) }).rates).toBe(true);
    expect(view({ stage: over(0) }).rates).toBe(false);
    expect(view({ stage: over(12_900), callId: '' }).rates).toBe(false);
    expect(view().rates).toBe(false);
  });

  it('each button is disabled while its action is pending', () => {
    const disabled = (busy: ActiveCall['busy']): string[] => [
      ...view({ busy })
        .controls.filter((control) => 'disabled' in control && control.disabled)
        .map(({ name }) => name),
      ...view({ busy })
        .extras.filter((extra) => extra.disabled)
        .map(({ name }) => name),
    ];
    expect(disabled([])).toEqual([]);
    expect(disabled(['switchCamera', 'hold', 'screenShare', 'capture'])).toEqual([
      'switchCamera',
      'hold',
      'screenShare',
      'capture',
    ]);
  });

  it('shows the screen that this user shares unmirrored, also while the camera is off, and without a camera switch', () => {
    const sharing = view({ sharingScreen: true, cameraOn: false });
    expect(sharing).toMatchObject({ sharesScreen: true, selfViewMirrored: false, showsSelf: true });
    expect(sharing.controls).toContainEqual({ name: 'switchCamera', disabled: true });
    expect(sharing.extras).toContainEqual({ name: 'screenShare', on: true, disabled: false });
  });

  it('shows the quality as bars and a word while connected, and not while reconnecting or on hold', () => {
    const bars = (['unavailable', 'poor', 'fair', 'average', 'good', 'excellent'] as const).map(
      (band) => view({ quality: quality({ band }) }).quality?.bars,
    );
    expect(bars).toEqual([0, 1, 2, 3, 4, 4]);
    expect(view().quality).toBeNull();
    const reconnecting: CallStage = { name: 'reconnecting', connectedAt: 0, givesUpAt: NOW };
    expect(view({ quality: quality({}), stage: reconnecting }).quality).toBeNull();
    expect(view({ quality: quality({}), hold: { here: true, there: false } }).quality).toBeNull();
  });

  it('suggests to turn the camera off after two poor reports in a row, when there is a camera to turn off', () => {
    const poor = (poorInARow: number, values: Partial<ActiveCall> = {}): boolean =>
      view({ quality: quality({ band: 'poor', poorInARow }), ...values }).suggestsCameraOff;
    expect([poor(0), poor(1), poor(2), poor(3)]).toEqual([false, false, true, true]);
    expect(poor(2, { cameraOn: false })).toBe(false);
    expect(poor(2, { kind: 'voice' })).toBe(false);
    expect(poor(2, { missing: { camera: 'absent' } })).toBe(false);
  });

  it('has no controls and no picture of this user when the call has ended', () => {
    const over = view({ stage: { name: 'ended', result: 'completed', durationMs: 12_900, errorCode: null } });
    expect(over).toMatchObject({ controls: [], selfView: 'none', showsRemoteVideo: false });
    expect(over.phase).toEqual({ name: 'ended', result: 'completed', byCaller: true, seconds: 12, errorCode: null });
  });
});

describe('controls that hide', () => {
  it('hide three seconds after the last touch, and return with the next', () => {
    const clock = new HandClock();
    const visibility = createIdleVisibility(clock);
    const stop = visibility.subscribe(() => {});
    clock.advance(2_000);
    visibility.touch();
    clock.advance(2_999);
    expect(visibility.get()).toBe(true);
    clock.advance(1);
    expect(visibility.get()).toBe(false);
    visibility.touch();
    expect(visibility.get()).toBe(true);
    stop();
    expect(clock.pending).toBe(0);
  });
});

describe('a short message over the call', () => {
  it('disappears after four seconds, or when the next message arrives', () => {
    const clock = new HandClock();
    const notice = createPassingNotice(clock);
    notice.say('saved');
    clock.advance(3_999);
    notice.say('saved again');
    clock.advance(3_999);
    expect(notice.get()).toBe('saved again');
    clock.advance(1);
    expect(notice.get()).toBeNull();
    expect(clock.pending).toBe(0);
  });
});

describe('the corner of a docked call', () => {
  const page = { width: 400, height: 800 };

  it('is the one nearest to where the call was dropped', () => {
    expect(nearestCorner({ x: 10, y: 10 }, page)).toBe('top-start');
    expect(nearestCorner({ x: 390, y: 399 }, page)).toBe('top-end');
    expect(nearestCorner({ x: 201, y: 401 }, page)).toBe('bottom-end');
    expect(nearestCorner({ x: 199, y: 790 }, page)).toBe('bottom-start');
  });

  it('moves through all corners without dragging', () => {
    const walked = [nextCorner('bottom-end')];
    for (let step = 0; step < 3; step += 1) walked.push(nextCorner(walked.at(-1) ?? 'top-start'));
    expect(walked).toEqual(['bottom-start', 'top-start', 'top-end', 'bottom-end']);
  });
});

describe('docking a call in a corner of the page', () => {
  function dockWith(active: ActiveCall | null) {
    const calls = createStore<CallsState>({ ...NO_CALLS, active });
    const dock = createCallDock(calls);
    const isDocked = (): boolean => dock.state.get().key === calls.get().active?.key;
    return { calls, dock, isDocked };
  }

  it('makes the visible call small until the user expands it', () => {
    const { dock, isDocked } = dockWith(call());
    expect(isDocked()).toBe(false);
    dock.dock();
    expect(isDocked()).toBe(true);
    dock.moveOn();
    expect(dock.state.get().corner).toBe('bottom-start');
    dock.moveTo('top-end');
    expect(dock.state.get()).toEqual({ key: 'line-1', corner: 'top-end' });
    dock.expand();
    expect(isDocked()).toBe(false);
  });

  it('applies to one call: another call that comes to the front fills the page', () => {
    const { calls, dock, isDocked } = dockWith(call());
    dock.dock();
    calls.update((current) => ({ ...current, active: call({ key: 'line-2' }) }));
    expect(isDocked()).toBe(false);
  });

  it('does nothing without a call, and nothing to a summary', () => {
    const none = dockWith(null);
    none.dock.dock();
    expect(none.dock.state.get().key).toBeNull();
    const over = dockWith(call({ stage: { name: 'ended', result: 'completed', durationMs: 0, errorCode: null } }));
    over.dock.dock();
    expect(over.isDocked()).toBe(false);
  });
});

describe('the detection of a present user', () => {
  it('is false for a hidden page, and for a page without a touch for a minute', () => {
    const clock = new HandClock();
    const listeners = new Map<string, () => void>();
    const page = {
      hidden: false,
      addEventListener: (name: string, listener: () => void) => void listeners.set(name, listener),
      removeEventListener: (name: string) => void listeners.delete(name),
    };
    const attention = createAttention(page as unknown as Document, clock);
    const stop = attention.watch();
    clock.advance(59_999);
    expect(attention.isAway()).toBe(false);
    clock.advance(1);
    expect(attention.isAway()).toBe(true);
    listeners.get('pointerdown')?.();
    expect(attention.isAway()).toBe(false);
    page.hidden = true;
    expect(attention.isAway()).toBe(true);
    stop();
    expect(listeners.size).toBe(0);
  });
});

describe('the detection of speech', () => {
  it('tells speech from a knock by its duration, and bridges short gaps in it', () => {
    const detect = createSpeechDetector();
    const hear = (level: number, times: number): boolean =>
      Array.from({ length: times }, () => detect(level)).at(-1) ?? false;
    expect(hear(0.5, 2)).toBe(false);
    expect(hear(0, 1)).toBe(false);
    expect(hear(0.1, 3)).toBe(true);
    expect(hear(0.001, 14)).toBe(true);
    expect(hear(0.001, 1)).toBe(false);
  });

  it('measures loudness as the root mean square of the samples', () => {
    expect(loudness(new Float32Array([0.5, -0.5, 0.5, -0.5]))).toBeCloseTo(0.5);
    expect(loudness(new Float32Array(4))).toBe(0);
    expect(loudness(new Float32Array())).toBe(0);
  });
});

describe('fullscreen', () => {
  function page(request: () => Promise<void>) {
    const exitFullscreen = vi.fn(() => Promise.resolve());
    const requestFullscreen = vi.fn(request);
    const element: FullscreenDocument = {
      fullscreenElement: null,
      exitFullscreen,
      addEventListener: vi.fn(),
      removeEventListener: vi.fn(),
      documentElement: { requestFullscreen },
    };
    return { element, exitFullscreen, requestFullscreen };
  }

  it('OVL-09: toggles', async () => {
    const { element, exitFullscreen, requestFullscreen } = page(() => Promise.resolve());
    await createFullscreen(element, new RecordingLogger()).toggle();
    expect(requestFullscreen).toHaveBeenCalledTimes(1);
    const full = { ...element, fullscreenElement: {} as Element };
    await createFullscreen(full, new RecordingLogger()).toggle();
    expect(exitFullscreen).toHaveBeenCalledTimes(1);
  });

  it('OVL-09: a failure is only logged as a warning', async () => {
    const { element } = page(() => Promise.reject(new TypeError('Permissions check failed')));
    const logger = new RecordingLogger();
    await expect(createFullscreen(element, logger).toggle()).resolves.toBeUndefined();
    expect(logger.of('warn')).toEqual(['fullscreen was not toggled']);
    expect(logger.of('error')).toEqual([]);
  });
});

describe('what a call costs or earns', () => {
  const bill = {
    type: 'call_billing',
    call_id: 'call-1',
    billed_minutes: 3,
    rate: 40,
    coins_left: 400,
    points_earned: null,
    ends_at: null,
  } as const;

  it('shows a payer the coins that are left and the coins that were spent', () => {
    expect(billView(bill, NOW)).toEqual({ kind: 'pays', coinsLeft: 400, spent: 120, warning: null });
  });

  it('shows an earner whole points, rounded down', () => {
    expect(billView({ ...bill, coins_left: null, points_earned: 4_899 }, NOW)).toEqual({ kind: 'earns', points: 48 });
  });

  it('shows nothing where the server sends neither', () => {
    expect(billView({ ...bill, coins_left: null }, NOW)).toBeNull();
  });

  it('warns during the last two minutes, the paid minute included, and counts the last minute down', () => {
    const warning = (values: Partial<Record<'coins_left' | 'ends_at' | 'rate', number>>) => {
      const seen = billView({ ...bill, ...values }, NOW);
      return seen?.kind === 'pays' ? seen.warning : undefined;
    };
    expect(warning({ coins_left: 80 })).toBeNull();
    expect(warning({ coins_left: 79 })).toEqual({ name: 'low', minutes: 2 });
    expect(warning({ coins_left: 40 })).toEqual({ name: 'low', minutes: 2 });
    expect(warning({ coins_left: 12, ends_at: NOW + 41_200 })).toEqual({ name: 'last', seconds: 42 });
    expect(warning({ coins_left: 12, ends_at: NOW - 1 })).toEqual({ name: 'last', seconds: 0 });
    expect(warning({ coins_left: 0, rate: 0 })).toBeNull();
  });

  it('is stored by call: the newest value of each, for the last four calls', () => {
    const billing = createCallBilling();
    for (const call_id of ['a', 'b', 'c', 'd', 'a', 'e']) billing.apply({ ...bill, call_id });
    expect(Array.from(billing.bills.get().keys())).toEqual(['c', 'd', 'a', 'e']);
    billing.apply({ ...bill, call_id: 'e', coins_left: 360 });
    expect(billing.bills.get().get('e')?.coins_left).toBe(360);
    billing.clear();
    expect(billing.bills.get().size).toBe(0);
  });
});

describe('what a ringing call costs', () => {
  const mina = {
    callId: 'call-1',
    kind: 'video',
    party: { userId: 'mina', nickname: 'Mina', profileUrl: '' },
  } as const;
  const costs: Quote = { allowed: true, reason: null, rate: 1_040, max_minutes: 3, coins: 3_200, points: null };

  function ringing() {
    const state = createStore<CallsState>(NO_CALLS);
    const asked: string[] = [];
    const answers = new Map<string, Deferred<Quote>>();
    const logger = new RecordingLogger();
    const quote = createIncomingQuote({
      calling: { state },
      product: fakeProduct({
        quoteCall({ body: { callee, kind } }) {
          const answer = new Deferred<Quote>();
          asked.push(`${callee}, ${kind}`);
          answers.set(callee, answer);
          return answer.promise;
        },
      }),
      logger,
    });
    const ring = (...incoming: CallsState['incoming']): void => state.set({ ...NO_CALLS, incoming });
    return { ring, asked, answers, logger, quote };
  }

  it('is requested once for each call, shows the call in front, and disappears with it', async () => {
    const { ring, asked, answers, quote } = ringing();
    const leo = { ...mina, callId: 'call-2', kind: 'voice', party: { ...mina.party, userId: 'leo' } } as const;
    ring(mina);
    ring(mina, leo);
    expect(asked).toEqual(['mina, video']);
    expect(quote.get()).toBeNull();
    ring(leo);
    answers.get('mina')?.resolve(costs);
    await vi.waitFor(() => expect(asked).toEqual(['mina, video', 'leo, voice']));
    await Promise.resolve();
    expect(quote.get()).toBeNull();
    answers.get('leo')?.resolve({ ...costs, rate: 20 });
    await vi.waitFor(() => expect(quote.get()?.rate).toBe(20));
    ring();
    expect(quote.get()).toBeNull();
  });

  it('is not shown when the server does not answer, and the failure is logged', async () => {
    const { ring, answers, logger, quote } = ringing();
    ring(mina);
    answers.get('mina')?.reject(new Error('no answer'));
    await vi.waitFor(() => expect(logger.of('warn')).toEqual(['the price of the ringing call did not load']));
    expect(quote.get()).toBeNull();
  });

  it('shows the price to a payer, whole points to an earner, and nothing when the call is free', () => {
    expect(incomingQuoteText(costs)).toContain('1,040');
    const earns = { ...costs, max_minutes: null, coins: null, points: 41_690 };
    expect(incomingQuoteText(earns)).toContain('416');
    expect(incomingQuoteText({ ...costs, rate: 0 })).toBeNull();
    expect(incomingQuoteText(null)).toBeNull();
  });
});
