import { describe, expect, test } from 'vitest';
import { LocalMedia } from '../../../src/calls/media/local-media.ts';
import { deviceError, fakeDevices, fakeLog, fakeRtc, fakeStream, fakeTrack, noChoice } from './media-fakes.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

type Answer = Parameters<typeof fakeDevices>[0];

function setUp(answer: Answer = () => undefined) {
  const { devices, asked, handedOut } = fakeDevices(answer);
  const log = fakeLog();
  const switched: MediaStreamTrack[] = [];
  const choice = noChoice(devices);
  const users = new Set<unknown>();
  choice.join = (user) => {
    users.add(user);
    return () => users.delete(user);
  };
  const onTrack = (_kind: string, track: MediaStreamTrack) => void switched.push(track);
  const media = new LocalMedia({ devices, rtc: fakeRtc, choice, log, onTrack });
  const live = () => handedOut.filter(({ readyState }) => readyState === 'live').map(({ label }) => label);
  return { media, asked, handedOut, log, switched, live, users };
}

const refuse = (name: string) => Promise.reject(deviceError(name));

/** A promise that the test settles. */
function gate<T>() {
  let open: (value: T) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}

describe('opening the devices of a call', () => {
  test('nothing is opened before it is requested (D27)', async () => {
    const { media, asked, handedOut } = setUp();
    media.setAudioEnabled(false);
    media.close();
    await expect(media.switchCamera()).rejects.toMatchObject({ code: ErrorCode.ERR_CAMERA_SWITCH });
    expect(asked).toEqual([]);
    expect(handedOut).toEqual([]);
  });

  test('ENT-13: audio on, video on and the front camera on by default; width, height and fps are unset', async () => {
    const { media, asked } = setUp();
    const { audioTrack, videoTrack } = await media.open({ video: true });
    expect(audioTrack?.enabled).toBe(true);
    expect(videoTrack?.enabled).toBe(true);
    expect(media.missing).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ audio: true, video: { facingMode: { ideal: 'user' } } });
    expect(asked[0]?.video).not.toHaveProperty('width');
    expect(asked[0]?.video).not.toHaveProperty('height');
  });

  test('DEV-07: the camera is requested with 24 frames a second', async () => {
    const { media, asked } = setUp();
    await media.open({ video: true });
    expect(asked[0]).toMatchObject({ video: { frameRate: { ideal: 24 } } });
  });

  test('size, frame rate and the rear camera are requested when set', async () => {
    const { media, asked } = setUp();
    await media.open({ video: true, width: 640, height: 360, frameRate: 15, frontCamera: false });
    expect(asked[0]?.video).toEqual({
      width: { ideal: 640 },
      height: { ideal: 360 },
      frameRate: { ideal: 15 },
      facingMode: { ideal: 'environment' },
    });
    expect(media.frontCamera).toBe(false);
  });

  test('a voice call opens no camera', async () => {
    const { media, asked } = setUp();
    const { videoTrack, stream } = await media.open({ video: false });
    expect(videoTrack).toBeNull();
    expect(asked).toEqual([{ audio: true, video: false }]);
    expect(stream.getTracks().map(({ kind }) => kind)).toEqual(['audio']);
  });

  test('a call without a requested microphone has no audio track, not even silence', async () => {
    const { media, asked } = setUp();
    const { audioTrack, stream } = await media.open({ audio: false, video: true });
    expect(audioTrack).toBeNull();
    expect(stream.getTracks().map(({ kind }) => kind)).toEqual(['video']);
    expect(media.missing).toEqual([]);
    expect(asked).toMatchObject([{ audio: false }]);
  });

  test('a second request returns the same tracks', async () => {
    const { media, asked } = setUp();
    expect(await media.open({ video: true })).toBe(await media.open({ video: true }));
    expect(asked).toHaveLength(1);
  });

  test('a track that is off stays off, whether set before or with the opening', async () => {
    const { media } = setUp();
    media.setAudioEnabled(false);
    const { audioTrack, videoTrack } = await media.open({ video: true, audioEnabled: true, videoEnabled: false });
    expect([audioTrack?.enabled, videoTrack?.enabled]).toEqual([false, false]);
    media.setAudioEnabled(true);
    media.setVideoEnabled(true);
    expect([audioTrack?.enabled, videoTrack?.enabled]).toEqual([true, true]);
  });
});

describe('a device that cannot be opened', () => {
  test('when both fail together they are opened one by one, and the missing one is replaced', async () => {
    const { media, asked, log } = setUp(({ video }) => (video ? refuse('NotFoundError') : undefined));
    const { audioTrack, videoTrack } = await media.open({ video: true });
    expect(asked.map(({ audio, video }) => [Boolean(audio), Boolean(video)])).toEqual([
      [true, true],
      [true, false],
      [false, true],
    ]);
    expect([audioTrack?.label, videoTrack?.label]).toEqual(['microphone', 'black']);
    expect(media.missing).toEqual([{ kind: 'video', reason: 'NotFoundError' }]);
    expect(log.warnings).toEqual(['no video device (NotFoundError): a black picture is sent instead']);
  });

  test('a denied microphone is replaced by silence, the camera stays', async () => {
    const { media } = setUp(({ audio }) => (audio ? refuse('NotAllowedError') : undefined));
    const { audioTrack, videoTrack } = await media.open({ video: true });
    expect([audioTrack?.label, videoTrack?.label]).toEqual(['silence', 'camera 3']);
    expect(media.missing).toEqual([{ kind: 'audio', reason: 'NotAllowedError' }]);
  });

  test('a call without camera and microphone continues with black and silence', async () => {
    const { media, log } = setUp(() => refuse('NotReadableError'));
    const { stream } = await media.open({ video: true });
    expect(stream.getTracks().map(({ label }) => label)).toEqual(['silence', 'black']);
    expect(media.missing.map(({ kind }) => kind)).toEqual(['audio', 'video']);
    expect(log.warnings).toHaveLength(2);
  });

  test('a voice call requests the microphone once', async () => {
    const { media, asked } = setUp(() => refuse('NotFoundError'));
    const { audioTrack } = await media.open({ video: false });
    expect(audioTrack?.label).toBe('silence');
    expect(asked).toHaveLength(1);
  });
});

describe('the end of a call', () => {
  test('every track is stopped, also replacement tracks (S36)', async () => {
    const { media, handedOut, live, users } = setUp(({ audio }) => (audio ? refuse('NotFoundError') : undefined));
    await media.open({ video: true });
    expect(users).toEqual(new Set([media]));
    expect(live()).toEqual(['camera 3', 'silence']);
    media.close();
    media.close();
    expect(live()).toEqual([]);
    expect(handedOut).toHaveLength(2);
    expect(users.size).toBe(0);
  });

  test('no listener is left on a released track: a browser may keep it for long', async () => {
    const { media, handedOut } = setUp();
    const listeners = () => handedOut.map((track) => (track as unknown as { listeners: Set<unknown> }).listeners.size);
    await media.open({ video: true });
    await media.switchCamera();
    expect(listeners()).toEqual([1, 0, 1]);
    media.close();
    expect(listeners()).toEqual([0, 0, 0]);
  });

  test('devices that answer after the end are stopped, and no other is requested', async () => {
    const late = gate<MediaStream>();
    const { media, asked, live } = setUp(() => late.promise);
    const opened = media.open({ video: true });
    media.close();
    late.open(fakeStream([fakeTrack('audio'), fakeTrack('video')]));
    const { audioTrack, videoTrack } = await opened;
    expect([audioTrack?.readyState, videoTrack?.readyState]).toEqual(['ended', 'ended']);
    expect(live()).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  test('a refusal after the end requests nothing more and leaves no replacement track alive', async () => {
    const late = gate<MediaStream>();
    const { media, asked, live } = setUp(() => late.promise);
    const opened = media.open({ video: true });
    media.close();
    late.fail(deviceError('NotAllowedError'));
    await opened;
    expect(asked).toHaveLength(1);
    expect(live()).toEqual([]);
  });
});

describe('switching the camera', () => {
  test('the new camera replaces the previous one, which is stopped first', async () => {
    let former: MediaStreamTrack | null = null;
    const { media, asked, switched, live } = setUp(() => {
      if (former) expect(former.readyState).toBe('ended');
      return undefined;
    });
    const { videoTrack, stream } = await media.open({ video: true });
    former = videoTrack;
    media.setVideoEnabled(false);
    await media.switchCamera();
    expect(asked[1]).toMatchObject({ audio: false, video: { facingMode: { ideal: 'environment' } } });
    expect(switched).toEqual([media.videoTrack]);
    expect(media.videoTrack?.enabled).toBe(false);
    expect(stream.getVideoTracks()).toEqual(switched);
    expect(live()).toEqual(['microphone', 'camera 2']);
    expect(media.frontCamera).toBe(false);
    former = media.videoTrack;
    await media.switchCamera();
    expect(asked[2]).toMatchObject({ video: { facingMode: { ideal: 'user' } } });
  });

  test('DEV-05: a switch during a switch fails with 1800400', async () => {
    const { media } = setUp();
    await media.open({ video: true });
    const first = media.switchCamera();
    await expect(media.switchCamera()).rejects.toMatchObject({
      code: ErrorCode.CAMERA_ALREADY_SWITCHING,
      message: 'Camera is already switching.',
    });
    await first;
    await media.switchCamera();
  });

  test('DEV-05: a failed switch gives 1800401 with its cause, and the previous camera is restored', async () => {
    const { media, switched } = setUp(({ video }) =>
      JSON.stringify(video).includes('environment') ? refuse('NotReadableError') : undefined,
    );
    await media.open({ video: true });
    await expect(media.switchCamera()).rejects.toMatchObject({
      code: ErrorCode.ERR_CAMERA_SWITCH,
      cause: { name: 'NotReadableError' },
    });
    expect(media.frontCamera).toBe(true);
    expect(switched.map(({ label, readyState }) => [label, readyState])).toEqual([['camera 3', 'live']]);
  });

  test('when no camera can be opened any more, black replaces it', async () => {
    let cameras = 1;
    const { media, switched } = setUp(({ video }) => {
      if (!video) return undefined;
      cameras -= 1;
      return cameras < 0 ? refuse('NotFoundError') : undefined;
    });
    await media.open({ video: true });
    await expect(media.switchCamera()).rejects.toMatchObject({ code: ErrorCode.ERR_CAMERA_SWITCH });
    expect(switched.map(({ label }) => label)).toEqual(['black']);
    expect(media.missing).toEqual([{ kind: 'video', reason: 'NotFoundError' }]);
  });

  test('a voice call has no camera to switch', async () => {
    const { media, asked } = setUp();
    await media.open({ video: false });
    await expect(media.switchCamera()).rejects.toMatchObject({ code: ErrorCode.ERR_CAMERA_SWITCH });
    expect(asked).toHaveLength(1);
  });

  test('a call that ends during a switch leaves no camera open', async () => {
    const { media, switched, live } = setUp();
    await media.open({ video: true });
    const switching = media.switchCamera();
    media.close();
    await expect(switching).rejects.toMatchObject({ code: ErrorCode.ERR_CAMERA_SWITCH });
    expect(live()).toEqual([]);
    expect(switched).toEqual([]);
  });
});
