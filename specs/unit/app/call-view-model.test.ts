import { describe, expect, it, vi } from 'vitest';
import type { ActiveCall, CallStage } from '../../../src/app/calling/call-state.ts';
import { HandClock } from '../../../src/app/fakes/hand-clock.ts';
import { RecordingLogger } from '../../../src/app/fakes/recording-logger.ts';
import { callViewModel, displayName } from '../../../src/app/overlays/call-view/call-view-model.ts';
import { type FullscreenDocument, createFullscreen } from '../../../src/app/overlays/call-view/fullscreen.ts';
import { missingText } from '../../../src/app/overlays/call-view/missing-text.ts';
import { createIdleVisibility } from '../../../src/app/overlays/call-view/idle-visibility.ts';

const NOW = 1_000_000;
const connected: CallStage = { name: 'connected', connectedAt: NOW - 65_900 };

function call(values: Partial<ActiveCall> = {}): ActiveCall {
  return {
    role: 'caller',
    kind: 'video',
    party: { userId: 'mina', nickname: 'Mina', profileUrl: '/portraits/mina.svg' },
    stage: connected,
    microphoneOn: true,
    cameraOn: true,
    missing: {},
    facing: 'user',
    switchingCamera: false,
    remoteMicrophoneOn: true,
    remoteCameraOn: true,
    ...values,
  };
}

const view = (values: Partial<ActiveCall> = {}, fullscreen = false) => callViewModel(call(values), NOW, fullscreen);
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

  it('OVL-05: the own picture fills the stage until the other side is there', () => {
    expect(view({ stage: { name: 'outgoing' } })).toMatchObject({ showsRemoteVideo: false, selfView: 'stage' });
    expect(view({ stage: { name: 'connecting' } }).selfView).toBe('stage');
  });

  it('OVL-06: camera, switch and fullscreen for video calls only; microphone and end for both', () => {
    expect(controlNames({})).toEqual(['microphone', 'camera', 'switchCamera', 'fullscreen', 'end']);
    expect(controlNames({ kind: 'voice' })).toEqual(['microphone', 'end']);
  });

  it('a device that cannot be had is off, cannot be turned on, and is said until the end', () => {
    const without = { missing: { camera: 'absent' } } as const;
    expect(view(without)).toMatchObject({ showsSelf: false, missing: { camera: 'absent' } });
    expect(view(without).controls.slice(0, 3)).toEqual([
      { name: 'microphone', on: true, missing: false },
      { name: 'camera', on: false, missing: true },
      { name: 'switchCamera', busy: true },
    ]);
    expect(view({ missing: { microphone: 'denied' } })).toMatchObject({ showsSelf: true });
    expect(view().missing).toBeNull();
    const over: CallStage = { name: 'ended', result: 'completed', durationMs: 0, errorCode: null };
    expect(view({ ...without, stage: over }).missing).toBeNull();
  });

  it('what is missing is said in one line, with what to do about it', () => {
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

  it('OVL-07: the controls say what is on', () => {
    expect(view({ microphoneOn: false, cameraOn: false }, true).controls).toEqual([
      { name: 'microphone', on: false, missing: false },
      { name: 'camera', on: false, missing: false },
      { name: 'switchCamera', busy: true },
      { name: 'fullscreen', on: true },
      { name: 'end' },
    ]);
  });

  it('OVL-08: only the front camera is mirrored', () => {
    expect(view({ facing: 'user' }).selfViewMirrored).toBe(true);
    expect(view({ facing: 'environment' }).selfViewMirrored).toBe(false);
  });

  it('counts whole seconds since it was connected, and the whole seconds that are left', () => {
    expect(view().phase).toEqual({ name: 'connected', seconds: 65 });
    expect(view({ stage: { name: 'reconnecting', connectedAt: NOW - 65_000, givesUpAt: NOW + 28_200 } }).phase).toEqual(
      { name: 'reconnecting', seconds: 65, secondsLeft: 29 },
    );
    expect(view({ stage: { name: 'reconnecting', connectedAt: NOW, givesUpAt: NOW - 1 } }).phase).toMatchObject({
      secondsLeft: 0,
    });
  });

  it('hides controls only where they cover a moving picture', () => {
    expect(view().controlsMayHide).toBe(true);
    expect(view({ kind: 'voice' }).controlsMayHide).toBe(false);
    expect(view({ remoteCameraOn: false }).controlsMayHide).toBe(false);
    expect(view({ stage: { name: 'outgoing' } }).controlsMayHide).toBe(false);
    expect(view({ stage: { name: 'reconnecting', connectedAt: 0, givesUpAt: NOW } }).controlsMayHide).toBe(false);
  });

  it('says that the other side is muted only while there is another side', () => {
    expect(view({ remoteMicrophoneOn: false }).remoteMuted).toBe(true);
    expect(view({ remoteMicrophoneOn: false, stage: { name: 'connecting' } }).remoteMuted).toBe(false);
  });

  it('has no controls and no own picture when the call is over', () => {
    const over = view({ stage: { name: 'ended', result: 'completed', durationMs: 12_900, errorCode: null } });
    expect(over).toMatchObject({ controls: [], selfView: 'none', showsRemoteVideo: false });
    expect(over.phase).toEqual({ name: 'ended', result: 'completed', byCaller: true, seconds: 12, errorCode: null });
  });
});

describe('controls that get out of the way', () => {
  it('go three seconds after the last touch, and come back with the next', () => {
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

  it('OVL-09: a failure is logged as a warning only', async () => {
    const { element } = page(() => Promise.reject(new TypeError('Permissions check failed')));
    const logger = new RecordingLogger();
    await expect(createFullscreen(element, logger).toggle()).resolves.toBeUndefined();
    expect(logger.of('warn')).toEqual(['fullscreen was not toggled']);
    expect(logger.of('error')).toEqual([]);
  });
});
