/** Tests devices and captures between two hosts of the library in Chromium. */
import { expect } from '@playwright/test';
import type * as Calls from '../../src/calls/index.ts';
import { connect, expectShown, expectTold, type Host, test } from './support/hosts-test.ts';
import { scaled } from '../../tools/run/machine-factor.ts';

/** In the pages. */
declare const calls: typeof Calls;

const ALICE = { tone: 500, colour: 'red', secondColour: 'yellow' } as const;
const BOB = { tone: 1_300, colour: 'green' } as const;

const sent = ({ page }: Host) =>
  page.evaluate(() => {
    const track = pageHost.sentPicture();
    return { id: track?.id, deviceId: track?.getSettings().deviceId, state: track?.readyState };
  });

/** Requests the list of devices, which arrives later. */
const expectCameras = ({ page }: Host, count: number) =>
  expect.poll(() => page.evaluate(() => calls.getAvailableVideoInputDevices().length)).toBe(count);

const chooseCamera = ({ page }: Host, label: string) =>
  page.evaluate(async (name) => {
    const device = calls.getAvailableVideoInputDevices().find((known) => known.label === name);
    if (!device) throw new Error(`there is no ${name}`);
    await calls.selectVideoInputDevice(device);
  }, label);

test('CAP-01 CAP-03 CAP-05 ERR-1800601 ERR-1800603: a capture shows what the camera of its side drew, pixel by pixel', async ({
  host,
}) => {
  const [alice, bob] = await Promise.all([host('alice', ALICE), host('bob', BOB)]);
  await connect(alice, bob);
  // The difference is compression only. The first pictures of a sender may be poor. The other capture shows another
  // picture.
  await expect(async () => {
    const seen = await bob.page.evaluate(async () => {
      const call = pageHost.call();
      const [local, remote] = [await call.captureLocalVideoView(), await call.captureRemoteVideoView()];
      const far = (image: string, colour: 'red' | 'green') => pageHost.distance(image, colour);
      return {
        own: [await far(local.data, 'green'), await far(local.data, 'red')],
        theirs: [await far(remote.data, 'red'), await far(remote.data, 'green')],
      };
    });
    for (const [right, wrong] of [seen.own, seen.theirs]) {
      expect(right).toBeLessThan(8);
      expect(wrong).toBeGreaterThan(80);
    }
  }).toPass({ timeout: scaled(20_000) });

  const refusals = await bob.page.evaluate(async () => {
    const call = pageHost.call();
    const refusal = () =>
      call.captureRemoteVideoView().then(
        () => null,
        ({ code, name }: Calls.CallError) => [code, name],
      );
    const { toDataURL } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.toDataURL = () => 'data:,';
    const noImage = await refusal();
    HTMLCanvasElement.prototype.toDataURL = toDataURL;
    await call.setRemoteMediaView(new Audio());
    const noVideo = await refusal();
    await call.setRemoteMediaView(document.createElement('video'));
    return { noImage, noVideo, noFrameYet: await refusal() };
  });
  expect(refusals).toEqual({
    noImage: [1_800_603, 'FAILED_TO_GET_IMAGE_FROM_THE_MEDIA_STREAM'],
    noVideo: [1_800_601, 'ERR_VIDEO_VIEW_NOT_READY'],
    noFrameYet: [1_800_601, 'ERR_VIDEO_VIEW_NOT_READY'],
  });
});

test('DEV-04: a selected camera replaces the sent track, and the first available camera replaces a removed one', async ({
  host,
}) => {
  const [alice, bob] = await Promise.all([host('alice', ALICE), host('bob', BOB)]);
  await connect(alice, bob);
  const first = await sent(alice);
  await expectCameras(alice, 2);
  await chooseCamera(alice, 'Camera 2');
  const second = await sent(alice);
  expect([first.deviceId, second.deviceId, second.state]).toEqual(['camera-1', 'camera-2', 'live']);
  await expectShown(bob, 'remote', 'yellow');
  await expectShown(alice, 'local', 'yellow');

  await alice.page.evaluate(() => pageHost.unplug('camera-2'));
  await expectShown(bob, 'remote', 'red');
  await alice.page.evaluate(() => pageHost.unplug('camera-1'));
  await expectShown(bob, 'remote', 'black');
  await alice.page.evaluate(() => pageHost.plug('camera-3', 'blue'));
  await expectShown(bob, 'remote', 'blue');
  expect(await alice.page.evaluate(() => pageHost.toldOfCameras)).toEqual([
    'Camera 1 of Camera 1, Camera 2',
    'Camera 2 of Camera 1, Camera 2',
    'Camera 1 of Camera 1',
    'undefined of ',
    'Camera 3 of Camera 3',
  ]);
});

test('DEV-06 ENT-12: the browser’s devices and speakers are listed, current, selected and sent', async ({ host }) => {
  const [alice, bob] = await Promise.all([host('alice', { ...ALICE, own: true }), host('bob', BOB)]);
  await expectCameras(alice, 2);
  const looked = await alice.page.evaluate(async () => {
    const [, second] = calls.getAvailableVideoInputDevices();
    if (second) await calls.selectVideoInputDevice(second);
    const access = calls.useMedia({ audio: false, video: true });
    const stream = await new Promise<MediaStream>((resolve) => access?.on('streamChanged', resolve));
    const [track] = stream.getTracks();
    const opened = track?.getSettings().deviceId;
    access?.dispose();
    const device = calls.getCurrentVideoInputDevice();
    const { deviceId, groupId, kind, label } = device;
    return {
      isChosen: deviceId === second?.deviceId && opened === deviceId,
      state: track?.readyState,
      device: { kind, label, hasId: deviceId !== '', hasGroup: groupId !== '' },
      isPlain: Object.getPrototypeOf(device) === Object.prototype,
      sizes: 'width' in device.getCapabilities(),
    };
  });
  expect(looked).toEqual({
    isChosen: true,
    state: 'ended',
    device: { kind: 'videoinput', label: 'fake_device_1', hasId: true, hasGroup: true },
    isPlain: false,
    sizes: true,
  });

  await alice.page.evaluate(() => pageHost.dial('bob'));
  for (const one of [alice, bob]) await expectTold(one, 'connected');
  const chosen = await alice.page.evaluate(async () => {
    const used = () => pageHost.sentPicture()?.getSettings().deviceId;
    const [first, second] = calls.getAvailableVideoInputDevices();
    const speaker = calls.getAvailableAudioOutputDevices().at(-1);
    if (!first || !speaker) throw new Error('there are no devices');
    const before = used();
    await calls.selectVideoInputDevice(first);
    await calls.selectAudioOutputDevice(speaker);
    const { sinkId } = pageHost.call().remoteMediaView ?? {};
    // The element refuses a speaker that was removed.
    const unknown = Object.assign(Object.create(speaker), { kind: speaker.kind, deviceId: 'no such speaker' });
    await calls.selectAudioOutputDevice(unknown);
    const { sinkId: fallback } = pageHost.call().remoteMediaView ?? {};
    const outputs = calls.getAvailableAudioOutputDevices().map(({ deviceId }) => deviceId);
    return {
      cameras: [before === second?.deviceId, used() === first.deviceId],
      speakers: [sinkId === speaker.deviceId, fallback === outputs[0]],
    };
  });
  expect(chosen).toEqual({ cameras: [true, true], speakers: [true, true] });
  await bob.page.evaluate(() => pageHost.framesPass(5));
});

test('with denied devices the library sends silence and a black picture, the host receives the reason, and the call continues', async ({
  host,
}) => {
  const denied = { tone: 0, colour: 'black', own: true, permissions: [] } as const;
  const [alice, bob] = await Promise.all([host('alice', { ...denied, permissions: [] }), host('bob', BOB)]);
  const listed = () =>
    alice.page.evaluate(() => calls.getAvailableVideoInputDevices().map(({ deviceId, label }) => [deviceId, label]));
  await expect.poll(listed).toEqual([['', '']]);
  await connect(alice, bob);
  const missing = await alice.page.evaluate(() => pageHost.call().missingDevices);
  expect(missing).toEqual([
    { kind: 'audio', reason: 'NotAllowedError' },
    { kind: 'video', reason: 'NotAllowedError' },
  ]);
  // After the selection the library requests the device again, and the browser denies it again.
  const failure = await alice.page.evaluate(async () => {
    try {
      await calls.selectAudioInputDevice(calls.getCurrentAudioInputDevice());
      return null;
    } catch (error) {
      const { code, name } = error as Calls.CallError;
      return [code, name];
    }
  });
  expect(failure).toEqual([1_800_402, 'ERR_CHANGING_AUDIO_DEVICE']);
  await bob.page.evaluate(() => pageHost.call().end());
  for (const one of [alice, bob]) await expectTold(one, 'connected', 'ended COMPLETED');
});

test('a call continues in a hidden page; when the page is visible again, an ended track and a lost channel are reopened', async ({
  host,
}) => {
  const [alice, bob] = await Promise.all([host('alice', ALICE), host('bob', BOB)]);
  await connect(alice, bob);
  const before = await sent(alice);
  await alice.page.evaluate(() => pageHost.show('hidden'));
  await bob.page.evaluate(() => pageHost.framesPass(12));
  expect(await sent(alice)).toEqual(before);
  await expectShown(bob, 'remote', 'red');

  await alice.page.evaluate(() => {
    const track = pageHost.sentPicture();
    if (track) pageHost.takeBack(track);
  });
  await expectShown(bob, 'remote', 'black');
  const channels = await alice.page.evaluate(async () => {
    const lost = await pageHost.loseChannel();
    const waiting = pageHost.openedChannels();
    pageHost.show('visible');
    return { lost, waiting, back: pageHost.openedChannels() };
  });
  expect(channels).toEqual({ lost: 1, waiting: 1, back: 2 });
  await expectShown(bob, 'remote', 'red');
  expect(await sent(alice)).toMatchObject({ deviceId: 'camera-1', state: 'live' });
  // The new channel carries the call.
  await alice.page.evaluate(() => pageHost.call().end());
  await expectTold(bob, 'connected', 'ended COMPLETED');
});
