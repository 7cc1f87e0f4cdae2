import { describe, expect, it } from 'vitest';
import type { VirtualDevice } from '../../../sim/virtual/devices.ts';
import type { SendBirdCallListener } from '../../../src/calls/client/listeners.ts';
import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import type { Environment } from '../../../src/calls/platform/environment.ts';
import { callWorld, MediaPeer, type CallWorld } from './support/call-world.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

/** Microphones, cameras and speakers: the lists, the used devices, and the effects of a change on calls. */

const CAMERA_2: VirtualDevice = { deviceId: 'cam-2', groupId: 'usb', kind: 'videoinput', label: 'Camera 2' };
const CAMERA_3: VirtualDevice = { deviceId: 'cam-3', groupId: 'desk', kind: 'videoinput', label: 'Camera 3' };
const MICROPHONE_2: VirtualDevice = { deviceId: 'mic-2', groupId: 'usb', kind: 'audioinput', label: 'Microphone 2' };
const SPEAKER_2: VirtualDevice = { deviceId: 'speaker-2', groupId: 'usb', kind: 'audiooutput', label: 'Speaker 2' };

const refusal = (code: number, param?: string) => expect.objectContaining(param ? { code, param } : { code });
const labels = (devices: readonly MediaDeviceInfo[]) => devices.map(({ label }) => label);

/** A device whose client was neither initialised nor signed in. */
async function stranger(environment: Partial<Environment> = {}) {
  const world = await callWorld();
  world.world.platform('device', environment);
  return { world, party: new MediaPeer(world, 'carol', 'device') };
}

/** Alice with two devices of each kind, and the events of her listeners. */
async function signedIn() {
  const world = await callWorld();
  const alice = await world.party('alice');
  const { devices, page } = alice.platform;
  for (const device of [CAMERA_2, MICROPHONE_2, SPEAKER_2]) devices.plug(device);
  await world.settle();
  const told: unknown[][] = [];
  const note =
    (what: string) =>
    (current: MediaDeviceInfo | null, available: MediaDeviceInfo[]): void =>
      void told.push([what, current?.label ?? null, labels(available)]);
  alice.client.addListener('devices', {
    onAudioInputDeviceChanged: note('microphone'),
    onAudioOutputDeviceChanged: note('speaker'),
    onVideoInputDeviceChanged: note('camera'),
  });
  return { world, alice, client: alice.client, devices, page, told };
}

/** Alice in a call with Bob; `rungOnly` leaves it ringing. */
async function inCall({
  isVideoCall = true,
  rungOnly = false,
  remoteMediaView = null as HTMLMediaElement | null,
} = {}) {
  const signed = await signedIn();
  const { world, alice } = signed;
  const bob = await world.party('bob');
  const call = alice.dial('bob', { isVideoCall, callOption: { remoteMediaView } });
  await world.settle();
  const rung = bob.rung();
  if (!rungOnly) await answer(world, rung, alice, call);
  return { ...signed, bob, call, rung };
}

async function answer(world: CallWorld, rung: DirectCall, alice: MediaPeer, call: DirectCall): Promise<void> {
  rung.accept({ callOption: {} });
  await world.advance(2_000);
  expect(alice.state(call)).toBe('connected');
}

function named<T extends MediaDeviceInfo>(devices: readonly T[], label: string): T {
  const found = devices.find((device) => device.label === label);
  if (!found) throw new Error(`there is no ${label}`);
  return found;
}
const camera = (client: MediaPeer['client'], label: string) => named(client.getAvailableVideoInputDevices(), label);
const microphone = (client: MediaPeer['client'], label: string) => named(client.getAvailableAudioInputDevices(), label);
const speaker = (client: MediaPeer['client'], label: string) => named(client.getAvailableAudioOutputDevices(), label);

/** An element that records which speaker it plays through. */
function speakingView(refuse = false) {
  const view = {
    srcObject: null,
    muted: false,
    sinks: [] as string[],
    setSinkId: async (id: string) => {
      if (refuse) throw new DOMException('no such speaker', 'NotFoundError');
      view.sinks.push(id);
    },
  };
  return view as unknown as HTMLMediaElement & { readonly sinks: string[] };
}

describe('the lists of devices', () => {
  it('ENT-12: a device has its id, its label, its group and its kind', async () => {
    const { client } = await signedIn();
    const lists = [
      client.getAvailableAudioInputDevices(),
      client.getAvailableAudioOutputDevices(),
      client.getAvailableVideoInputDevices(),
    ];
    expect(JSON.parse(JSON.stringify(lists))).toEqual([
      [{ deviceId: 'mic-1', groupId: 'headset', kind: 'audioinput', label: 'Microphone 1' }, MICROPHONE_2],
      [{ deviceId: 'speaker-1', groupId: 'headset', kind: 'audiooutput', label: 'Speaker 1' }, SPEAKER_2],
      [{ deviceId: 'cam-1', groupId: 'screen', kind: 'videoinput', label: 'Camera 1' }, CAMERA_2],
    ]);
    expect(camera(client, 'Camera 2').getCapabilities()).toEqual({});
  });

  it('a host may freeze the values it gets: devices are no plain objects, and each list is a copy', async () => {
    const { client, devices, world } = await signedIn();
    const list = Object.freeze(client.getAvailableVideoInputDevices());
    for (const device of list) {
      // The values that stores with deep freezing do not change.
      expect(Object.getPrototypeOf(device)).not.toBe(Object.prototype);
      Object.freeze(device);
    }
    devices.unplug('cam-1');
    await world.settle();
    expect(labels(list)).toEqual(['Camera 1', 'Camera 2']);
    client.getAvailableVideoInputDevices().pop();
    expect(labels(client.getAvailableVideoInputDevices())).toEqual(['Camera 2']);
  });

  it('host 5: they are ready soon after init, and can be requested before it and before signing in', async () => {
    const { world, party } = await stranger();
    expect(party.client.getAvailableAudioInputDevices()).toEqual([]);
    expect(party.client.updateMediaDevices({ audio: true, video: true })).toBeUndefined();
    await world.settle();
    expect(labels(party.client.getAvailableAudioInputDevices())).toEqual(['Microphone 1']);
    const other = await stranger();
    other.party.client.init('ringback-demo');
    await other.world.settle();
    expect(labels(other.party.client.getAvailableVideoInputDevices())).toEqual(['Camera 1']);
  });

  it('host 5: a browser that cannot list its devices causes a warning, not a rejection', async () => {
    const { world, party } = await stranger();
    party.platform.devices.enumerate = () => Promise.reject(new DOMException('not now', 'NotAllowedError'));
    party.client.updateMediaDevices({ audio: true, video: false });
    await world.settle();
    expect(party.logged('warn')[0]).toContain('the devices could not be listed');
    expect(party.client.getCurrentAudioInputDevice()).toBeNull();
  });

  it('DEV-02: refreshing needs audio or video', async () => {
    const { client } = await signedIn();
    expect(() => client.updateMediaDevices({ audio: false, video: false })).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'constraints'),
    );
    expect(() => client.updateMediaDevices({})).toThrow(refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'constraints'));
    expect(() => client.updateMediaDevices(undefined as never)).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'constraints'),
    );
    expect(() => client.updateMediaDevices({ audio: 'yes' } as never)).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'constraints.audio'),
    );
  });

  it('updateMediaDevices asks again a browser that reports no changes', async () => {
    const { client, devices, world, told } = await signedIn();
    devices.notifyChange = () => undefined;
    devices.plug({ ...CAMERA_2, deviceId: 'cam-3', label: 'Camera 3' });
    await world.settle();
    expect(told).toEqual([]);
    client.updateMediaDevices({ audio: false, video: true });
    await world.settle();
    expect(told).toEqual([['camera', 'Camera 1', ['Camera 1', 'Camera 2', 'Camera 3']]]);
  });

  it('host 15: the current device is one of the available ones whenever there is any', async () => {
    const { client, devices, world } = await signedIn();
    const kinds = [
      [client.getCurrentAudioInputDevice, client.getAvailableAudioInputDevices, ['mic-1', 'mic-2']],
      [client.getCurrentAudioOutputDevice, client.getAvailableAudioOutputDevices, ['speaker-1', 'speaker-2']],
      [client.getCurrentVideoInputDevice, client.getAvailableVideoInputDevices, ['cam-1', 'cam-2']],
    ] as const;
    for (const [current, available, ids] of kinds) {
      expect(current().deviceId).toBe(ids[0]);
      devices.unplug(ids[0]);
      await world.settle();
      expect([current().deviceId, available().length]).toEqual([ids[1], 1]);
      devices.unplug(ids[1]);
      await world.settle();
      expect([current(), available()]).toEqual([null, []]);
    }
  });

  it('names that the browser hid are reported once a device was allowed', async () => {
    const { client, devices, world, told } = await signedIn();
    devices.secretive = true;
    devices.notifyChange();
    await world.settle();
    expect(client.getCurrentAudioInputDevice()).toMatchObject({ deviceId: '', label: '' });
    told.length = 0;
    const access = client.useMedia({ audio: true, video: false });
    await world.settle();
    expect(told).toEqual([
      ['microphone', 'Microphone 1', ['Microphone 1', 'Microphone 2']],
      ['speaker', 'Speaker 1', ['Speaker 1', 'Speaker 2']],
    ]);
    expect(client.getCurrentVideoInputDevice()).toMatchObject({ deviceId: '', label: '' });
    access?.dispose();
  });
});

describe('listeners for devices', () => {
  it('are each called when a device comes or goes, and not when nothing changed', async () => {
    const { client, devices, world, told } = await signedIn();
    const others: string[] = [];
    client.addListener('broken', {
      onVideoInputDeviceChanged: () => {
        throw new Error('a host at fault');
      },
    });
    client.addListener('greedy', { onVideoInputDeviceChanged: (_, available) => void available.splice(0) });
    client.addListener('half', { onVideoInputDeviceChanged: null } satisfies SendBirdCallListener);
    client.addListener('other', { onVideoInputDeviceChanged: (_, available) => others.push(...labels(available)) });
    devices.plug({ ...CAMERA_2, deviceId: 'cam-3', label: 'Camera 3' });
    await world.settle();
    devices.notifyChange();
    await world.settle();
    devices.unplug('cam-1');
    await world.settle();
    expect(told).toEqual([
      ['camera', 'Camera 1', ['Camera 1', 'Camera 2', 'Camera 3']],
      ['camera', 'Camera 2', ['Camera 2', 'Camera 3']],
    ]);
    expect(others).toEqual(['Camera 1', 'Camera 2', 'Camera 3', 'Camera 2', 'Camera 3']);
  });

  it('get null and an empty list when the last device is removed', async () => {
    const { devices, world, told } = await signedIn();
    devices.unplug('speaker-2');
    devices.unplug('speaker-1');
    await world.settle();
    expect(told.at(-1)).toEqual(['speaker', null, []]);
  });

  it('a new device does not replace the one in use, wherever the browser lists it', async () => {
    const { client, devices, world } = await signedIn();
    const { enumerate } = devices;
    devices.enumerate = async () => (await enumerate.call(devices)).toReversed();
    devices.notifyChange();
    await world.settle();
    expect(labels(client.getAvailableVideoInputDevices())).toEqual(['Camera 2', 'Camera 1']);
    expect(client.getCurrentVideoInputDevice().label).toBe('Camera 1');
  });

  it('hidden devices that are opened together are listed once, and known ones are not listed', async () => {
    const { client, devices, world } = await signedIn();
    devices.secretive = true;
    devices.notifyChange();
    await world.settle();
    let lists = 0;
    const { enumerate } = devices;
    devices.enumerate = () => {
      lists += 1;
      return enumerate.call(devices);
    };
    for (let preview = 1; preview <= 2; preview += 1) {
      const access = client.useMedia({ audio: true, video: true });
      await world.settle();
      access?.dispose();
      expect(lists).toBe(1);
    }
  });

  it('a named device that the browser opens in place of the first one becomes the current one', async () => {
    const { client, devices, world, told } = await signedIn();
    const { getUserMedia } = devices;
    devices.getUserMedia = () => getUserMedia.call(devices, { video: { deviceId: { exact: 'cam-2' } } });
    const access = client.useMedia({ audio: false, video: true });
    await world.settle();
    expect(told).toEqual([['camera', 'Camera 2', ['Camera 1', 'Camera 2']]]);
    access?.dispose();
  });
});

describe('choosing a device', () => {
  it('DEV-03: a device of another kind is refused and changes nothing', async () => {
    const { client, told } = await signedIn();
    const select = [client.selectAudioInputDevice, client.selectVideoInputDevice, client.selectAudioOutputDevice];
    const wrong = [camera(client, 'Camera 2'), speaker(client, 'Speaker 2'), microphone(client, 'Microphone 2')];
    for (const [n, choose] of select.entries()) {
      expect(() => choose(wrong[n] as never)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'device'));
      expect(() => choose(null as never)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'device'));
      expect(() => choose('cam-2' as never)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'device'));
    }
    expect(told).toEqual([]);
  });

  it('a device that is absent is replaced by the first available one (B31)', async () => {
    const { client, world } = await signedIn();
    await client.selectVideoInputDevice(camera(client, 'Camera 2'));
    await client.selectVideoInputDevice({ ...CAMERA_2, deviceId: 'cam-9' } as never);
    expect(client.getCurrentVideoInputDevice().label).toBe('Camera 1');
    await world.settle();
  });

  it('is reported to the listeners, and used by the next call', async () => {
    const { client, alice, world, told } = await signedIn();
    await client.selectVideoInputDevice(camera(client, 'Camera 2'));
    await client.selectAudioInputDevice(microphone(client, 'Microphone 2'));
    expect(told).toEqual([
      ['camera', 'Camera 2', ['Camera 1', 'Camera 2']],
      ['microphone', 'Microphone 2', ['Microphone 1', 'Microphone 2']],
    ]);
    const bob = await world.party('bob');
    const call = alice.dial('bob', { isVideoCall: true, callOption: {} });
    await world.settle();
    await answer(world, bob.rung(), alice, call);
    expect([alice.sentPicture()?.label, alice.sentSound()?.label]).toEqual(['Camera 2', 'Microphone 2']);
    // An exact constraint, since Chromium ignores a preferred one.
    expect(alice.constraintsAsked()).toMatchObject([
      { audio: { deviceId: { exact: 'mic-2' } }, video: { deviceId: { exact: 'cam-2' } } },
    ]);
  });

  it('replaces what a live call sends, without another negotiation, and stops the previous one', async () => {
    const { client, alice, call, rung, world } = await inCall();
    const view = alice.view();
    await call.setLocalMediaView(view);
    const former = [alice.sentPicture(), alice.sentSound()];
    const offers = alice.sent('offer').length;
    await world.done(client.selectVideoInputDevice(camera(client, 'Camera 2')));
    await world.done(client.selectAudioInputDevice(microphone(client, 'Microphone 2')));
    const sent = [alice.sentPicture(), alice.sentSound()];
    expect(sent.map((track) => [track?.label, track?.readyState])).toEqual([
      ['Camera 2', 'live'],
      ['Microphone 2', 'live'],
    ]);
    expect(former.map((track) => track?.readyState)).toEqual(['ended', 'ended']);
    expect((view.srcObject as MediaStream).getTracks().toSorted((a, b) => (a.kind > b.kind ? -1 : 1))).toEqual(sent);
    expect(alice.sent('offer')).toHaveLength(offers);
    expect([alice.liveTracks(), rung.isOngoing]).toEqual([2, true]);
    // The chosen device is not opened again.
    const asked = alice.devicesOpened();
    await world.done(client.selectVideoInputDevice(camera(client, 'Camera 2')));
    expect([alice.devicesOpened(), alice.sentPicture()]).toEqual([asked, sent[0]]);
  });

  it('the last of several choices is used', async () => {
    const { client, alice, world } = await inCall();
    const choices = ['Camera 2', 'Camera 1', 'Camera 2', 'Camera 1', 'Camera 2'].map((label) =>
      client.selectVideoInputDevice(camera(client, label)),
    );
    await world.done(Promise.all(choices));
    expect([alice.sentPicture()?.label, client.getCurrentVideoInputDevice().label]).toEqual(['Camera 2', 'Camera 2']);
    expect(alice.liveTracks()).toBe(2);
  });

  it('a choice waits while the devices of a call are still being opened', async () => {
    const { client, alice, world } = await signedIn();
    await world.party('bob');
    const call = alice.dial('bob', { isVideoCall: true, callOption: {} });
    await world.done(client.selectVideoInputDevice(camera(client, 'Camera 2')));
    expect(labels(alice.platform.devices.liveTracks as never)).toEqual(['Microphone 1', 'Camera 2']);
    call.end();
  });

  it('a device that is chosen while the call rings is sent once the call connects', async () => {
    const { client, alice, call, rung, world } = await inCall({ rungOnly: true });
    await world.done(client.selectVideoInputDevice(camera(client, 'Camera 2')));
    await answer(world, rung, alice, call);
    expect(alice.sentPicture()).toMatchObject({ label: 'Camera 2', readyState: 'live' });
  });

  it('a connection that takes over through another relay sends the chosen device too', async () => {
    const { client, alice, call, world } = await inCall();
    await world.done(client.selectAudioInputDevice(microphone(client, 'Microphone 2')));
    const [former] = alice.platform.rtc.open;
    world.world.exchange.changeTurn(call.callId);
    await world.advance(6_000);
    expect(alice.platform.rtc.open).not.toContain(former);
    expect(alice.sentSound()).toMatchObject({ label: 'Microphone 2', readyState: 'live' });
  });

  it('DEV-06 ERR-1800402: a microphone that cannot be opened leaves the previous one chosen and sent', async () => {
    const { client, alice, devices, world, told } = await inCall();
    devices.fail(MICROPHONE_2, 'NotReadableError');
    const failure = await world.done(
      client.selectAudioInputDevice(microphone(client, 'Microphone 2')).catch((error: unknown) => error),
    );
    expect(failure).toMatchObject({ code: ErrorCode.ERR_CHANGING_AUDIO_DEVICE, cause: { name: 'NotReadableError' } });
    expect(alice.sentSound()).toMatchObject({ label: 'Microphone 1', readyState: 'live' });
    expect(client.getCurrentAudioInputDevice().label).toBe('Microphone 1');
    expect(told.map(([what, label]) => [what, label])).toEqual([
      ['microphone', 'Microphone 2'],
      ['microphone', 'Microphone 1'],
    ]);
    // The host ignores the outcome: an unhandled rejection would fail this test.
    void client.selectAudioInputDevice(microphone(client, 'Microphone 2'));
    await world.settle();
  });

  it('DEV-05 ERR-1800401: a camera that cannot be opened leaves the previous one chosen and sent', async () => {
    const { client, alice, devices, world } = await inCall();
    devices.fail(CAMERA_2, 'NotReadableError');
    await expect(world.done(client.selectVideoInputDevice(camera(client, 'Camera 2')))).rejects.toMatchObject({
      code: ErrorCode.ERR_CAMERA_SWITCH,
      cause: { name: 'NotReadableError' },
    });
    expect(alice.sentPicture()).toMatchObject({ label: 'Camera 1', readyState: 'live' });
    expect(client.getCurrentVideoInputDevice().label).toBe('Camera 1');
  });

  it('DEV-05 ERR-1800401: a choice that fails late does not change a newer choice', async () => {
    const { client, alice, devices, world } = await inCall();
    devices.plug(CAMERA_3);
    await world.done(client.selectVideoInputDevice(camera(client, 'Camera 2')));
    devices.fail({ deviceId: 'cam-1' }, 'NotReadableError');
    const failing = client.selectVideoInputDevice(camera(client, 'Camera 1')).catch((error: unknown) => error);
    // The first camera is being opened when the host chooses another one.
    await world.advance(2);
    const newer = client.selectVideoInputDevice(camera(client, 'Camera 3'));
    await world.done(newer);
    expect(await world.done(failing)).toMatchObject({ code: ErrorCode.ERR_CAMERA_SWITCH });
    expect(client.getCurrentVideoInputDevice().label).toBe('Camera 3');
    expect(alice.sentPicture()).toMatchObject({ label: 'Camera 3', readyState: 'live' });
  });

  it('DEV-05 ERR-1800400: a switch of the camera during a switch is refused', async () => {
    const { call, world } = await inCall();
    const first = call.switchCamera();
    await expect(call.switchCamera()).rejects.toMatchObject({ code: ErrorCode.CAMERA_ALREADY_SWITCHING });
    await world.done(first);
  });

  it('a camera switched in a call undoes the choice: the next call asks for the one that faces the user', async () => {
    const { client, alice, call, world } = await inCall();
    await world.done(client.selectVideoInputDevice(camera(client, 'Camera 2')));
    await world.done(call.switchCamera());
    expect(client.getCurrentVideoInputDevice().label).toBe('Camera 1');
    call.end();
    await world.settle();
    alice.dial('bob', { isVideoCall: true, callOption: {} }).end();
    await world.settle();
    expect(alice.constraintsAsked().at(-1)?.video).toMatchObject({ facingMode: { ideal: 'user' } });
  });

  it('a denied device is requested again when it is chosen, and only once', async () => {
    const { client, alice, devices, world } = await signedIn();
    devices.fail('audio', 'NotAllowedError');
    const bob = await world.party('bob');
    const call = alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    await answer(world, bob.rung(), alice, call);
    expect(alice.sentSound()?.label).toBe('silence');
    const asked = alice.devicesOpened();
    const again = client.selectAudioInputDevice(microphone(client, 'Microphone 1'));
    await expect(world.done(again)).rejects.toMatchObject({ code: ErrorCode.ERR_CHANGING_AUDIO_DEVICE });
    expect([alice.sentSound()?.label, alice.devicesOpened()]).toEqual(['silence', asked + 1]);
    devices.mend();
    await world.done(client.selectAudioInputDevice(microphone(client, 'Microphone 1')));
    expect([alice.sentSound()?.label, call.missingDevices]).toEqual(['Microphone 1', []]);
  });

  it('a voice call opens no camera', async () => {
    const { client, alice, world } = await inCall({ isVideoCall: false });
    const asked = alice.devicesOpened();
    await world.done(client.selectVideoInputDevice(camera(client, 'Camera 2')));
    expect(alice.devicesOpened()).toBe(asked);
  });
});

describe('the other states of a call after a change of devices', () => {
  it('a muted microphone stays muted, a camera that is off stays off', async () => {
    const { client, alice, call, world } = await inCall();
    call.muteMicrophone();
    call.stopVideo();
    await world.done(client.selectAudioInputDevice(microphone(client, 'Microphone 2')));
    await world.done(client.selectVideoInputDevice(camera(client, 'Camera 2')));
    expect([alice.sentSound()?.enabled, alice.sentPicture()?.enabled]).toEqual([false, false]);
    call.unmuteMicrophone();
    call.startVideo();
    expect([alice.sentSound()?.enabled, alice.sentPicture()?.enabled]).toEqual([true, true]);
  });

  it('a held call stays silent until it is resumed', async () => {
    const { client, alice, call, world } = await inCall();
    await world.done(call.hold());
    await world.done(client.selectAudioInputDevice(microphone(client, 'Microphone 2')));
    await world.done(client.selectVideoInputDevice(camera(client, 'Camera 2')));
    expect([alice.sentSound()?.enabled, alice.sentPicture()?.enabled]).toEqual([false, false]);
    await world.done(call.unhold());
    expect([alice.sentSound()?.enabled, alice.sentPicture()?.enabled]).toEqual([true, true]);
    expect(alice.sentPicture()?.label).toBe('Camera 2');
  });

  it('a shared screen stays visible, and the chosen camera follows it', async () => {
    const { client, alice, call, world } = await inCall();
    await world.done(call.startScreenShare());
    const [screen] = alice.platform.devices.screens;
    await world.done(client.selectVideoInputDevice(camera(client, 'Camera 2')));
    expect([call.isLocalScreenShareEnabled, alice.sentPicture()]).toEqual([true, screen]);
    call.stopScreenShare();
    await world.settle();
    expect(alice.sentPicture()).toMatchObject({ label: 'Camera 2', readyState: 'live' });
  });
});

describe('a device that is removed', () => {
  it('DEV-04: the first available one replaces the chosen one in live calls, until it returns', async () => {
    const { client, alice, call, devices, world, told } = await inCall();
    await world.done(client.selectVideoInputDevice(camera(client, 'Camera 2')));
    await world.done(client.selectAudioInputDevice(microphone(client, 'Microphone 2')));
    told.length = 0;
    devices.unplug('cam-2');
    devices.unplug('mic-2');
    await world.settle();
    expect([alice.sentPicture()?.label, alice.sentSound()?.label]).toEqual(['Camera 1', 'Microphone 1']);
    expect([alice.sentPicture()?.readyState, alice.sentSound()?.readyState]).toEqual(['live', 'live']);
    expect(told).toHaveLength(2);
    expect(told).toEqual(
      expect.arrayContaining([
        ['camera', 'Camera 1', ['Camera 1']],
        ['microphone', 'Microphone 1', ['Microphone 1']],
      ]),
    );
    expect(alice.state(call)).toBe('connected');
    devices.plug(CAMERA_2);
    await world.settle();
    expect([alice.sentPicture()?.label, client.getCurrentVideoInputDevice().label]).toEqual(['Camera 2', 'Camera 2']);
    expect(alice.liveTracks()).toBe(2);
  });

  it('DEV-04: the next call uses the first available one', async () => {
    const { client, alice, devices, world } = await signedIn();
    await client.selectVideoInputDevice(camera(client, 'Camera 2'));
    devices.unplug('cam-2');
    await world.settle();
    const call = alice.dial('bob', { isVideoCall: true, callOption: {} });
    await world.settle();
    expect(alice.constraintsAsked().at(-1)?.video).toMatchObject({ deviceId: { exact: 'cam-1' } });
    call.end();
  });

  it('DEV-04: a device that was removed without an event is replaced when the call opens its devices; the other stays chosen', async () => {
    const { client, alice, devices, world } = await signedIn();
    await world.party('bob');
    await client.selectVideoInputDevice(camera(client, 'Camera 2'));
    await client.selectAudioInputDevice(microphone(client, 'Microphone 2'));
    devices.notifyChange = () => undefined;
    devices.unplug('cam-2');
    const call = alice.dial('bob', { isVideoCall: true, callOption: {} });
    await world.settle();
    expect(labels(devices.liveTracks as never)).toEqual(['Microphone 2', 'Camera 1']);
    expect([call.missingDevices, client.getCurrentVideoInputDevice().label]).toEqual([[], 'Camera 1']);
    call.end();
    devices.unplug('mic-2');
    const voice = alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    expect([labels(devices.liveTracks as never), voice.missingDevices]).toEqual([['Microphone 1'], []]);
    voice.end();
  });

  it('without a further device, black and silence are sent and the host is notified; a new device is sent', async () => {
    const { alice, call, devices, world } = await inCall();
    const missing: unknown[] = [];
    call.onLocalDeviceMissing = () => missing.push(call.missingDevices);
    for (const id of ['cam-1', 'cam-2', 'mic-1', 'mic-2']) devices.unplug(id);
    await world.settle();
    expect([alice.sentPicture()?.label, alice.sentSound()?.label]).toEqual(['black picture', 'silence']);
    expect(missing.at(-1)).toEqual([
      { kind: 'audio', reason: 'NotFoundError' },
      { kind: 'video', reason: 'NotFoundError' },
    ]);
    devices.plug(CAMERA_2);
    devices.plug(MICROPHONE_2);
    await world.settle();
    expect([alice.sentPicture()?.label, alice.sentSound()?.label]).toEqual(['Camera 2', 'Microphone 2']);
    expect([missing.at(-1), alice.liveTracks()]).toEqual([[], 2]);
  });

  it('a track that ends while its device exists was revoked: black is sent, and the user is not asked again', async () => {
    const { alice, call, world } = await inCall();
    const asked = alice.devicesOpened();
    alice.platform.devices.liveTracks.find(({ label }) => label === 'Camera 1')?.end();
    await world.settle();
    expect([alice.sentPicture()?.label, alice.devicesOpened()]).toEqual(['black picture', asked]);
    expect(call.missingDevices).toEqual([{ kind: 'video', reason: 'NotReadableError' }]);
  });

  it('the call continues with a black picture and a warning when no other device can be opened', async () => {
    const { alice, call, devices, world } = await inCall();
    devices.fail('video', 'NotReadableError');
    devices.unplug('cam-1');
    await world.settle();
    expect([alice.sentPicture()?.label, alice.state(call)]).toEqual(['black picture', 'connected']);
    expect(alice.logged('warn').join()).toContain('no other videoinput could be opened');
  });
});

describe('the speaker', () => {
  it("is set on the other user's views, those set later and those of the next call too", async () => {
    const view = speakingView();
    const { client, alice, call, world } = await inCall({ remoteMediaView: view });
    expect(view.sinks).toEqual([]);
    await client.selectAudioOutputDevice(speaker(client, 'Speaker 2'));
    expect([view.sinks, client.getCurrentAudioOutputDevice().label]).toEqual([['speaker-2'], 'Speaker 2']);
    const [later, next, own] = [speakingView(), speakingView(), speakingView()];
    await call.setRemoteMediaView(later);
    await call.setRemoteMediaView(later);
    await call.setLocalMediaView(own);
    call.end();
    await world.settle();
    alice.dial('bob', { isVideoCall: true, callOption: { remoteMediaView: next } }).end();
    await world.settle();
    expect([later.sinks, next.sinks, own.sinks]).toEqual([['speaker-2'], ['speaker-2'], []]);
    // An ended call is not affected.
    await client.selectAudioOutputDevice(speaker(client, 'Speaker 1'));
    expect([later.sinks, next.sinks]).toEqual([['speaker-2'], ['speaker-2']]);
  });

  it('DEV-04: when it is removed the first available one is used', async () => {
    const view = speakingView();
    const { client, devices, world } = await inCall({ remoteMediaView: view });
    await client.selectAudioOutputDevice(speaker(client, 'Speaker 2'));
    devices.unplug('speaker-2');
    await world.settle();
    expect(view.sinks).toEqual(['speaker-2', 'speaker-1']);
  });

  it('when no host chose one, the browser’s default is kept', async () => {
    const view = speakingView();
    const { devices, world } = await inCall({ remoteMediaView: view });
    devices.unplug('speaker-1');
    await world.settle();
    expect(view.sinks).toEqual([]);
  });

  it('DEV-06 ERR-1800402: a speaker that the element refuses does not change the choice', async () => {
    const { client, call, world } = await inCall({ remoteMediaView: speakingView(true) });
    await expect(client.selectAudioOutputDevice(speaker(client, 'Speaker 2'))).rejects.toMatchObject({
      code: ErrorCode.ERR_CHANGING_AUDIO_DEVICE,
      cause: { name: 'NotFoundError' },
    });
    expect(client.getCurrentAudioOutputDevice().label).toBe('Speaker 1');
    // In a browser without a choice of speakers, nothing is refused.
    await call.setRemoteMediaView({ srcObject: null } as HTMLMediaElement);
    await world.done(client.selectAudioOutputDevice(speaker(client, 'Speaker 2')));
  });
});

describe('the preview of the devices of this user', () => {
  const looked = async (constraints: { audio: boolean; video: boolean }) => {
    const signed = await signedIn();
    const access = signed.client.useMedia(constraints);
    const streams: MediaStream[] = [];
    const undo = access?.on('streamChanged', (stream) => streams.push(stream));
    await signed.world.settle();
    const shown = () => streams.map((stream) => labels(stream.getTracks() as never));
    return { ...signed, access, streams, shown, undo };
  };

  it('DEV-01: at least one of audio and video must be requested (B32)', async () => {
    const { client } = await signedIn();
    expect(() => client.useMedia({ audio: false, video: false })).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'constraints'),
    );
    expect(() => client.useMedia(null as never)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'constraints'));
    expect(() => client.useMedia({ audio: false, video: 1 } as never)).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'constraints.video'),
    );
  });

  it('opens the requested devices, and closes them when it is disposed', async () => {
    for (const [constraints, expected] of [
      [{ audio: true, video: true }, ['Microphone 1', 'Camera 1']],
      [{ audio: true, video: false }, ['Microphone 1']],
      [{ audio: false, video: true }, ['Camera 1']],
    ] as const) {
      const { access, alice, shown, streams } = await looked(constraints);
      expect(shown()).toEqual([expected]);
      expect(alice.liveTracks()).toBe(expected.length);
      access?.dispose();
      access?.dispose();
      expect(alice.liveTracks()).toBe(0);
      expect(streams[0]?.active).toBe(false);
    }
  });

  it('opens no device and emits nothing when it is disposed before the devices were open', async () => {
    const { client, alice, world } = await signedIn();
    const access = client.useMedia({ audio: true, video: true });
    const streams: MediaStream[] = [];
    access?.on('streamChanged', (stream) => streams.push(stream));
    access?.dispose();
    await world.settle();
    expect([alice.liveTracks(), streams]).toEqual([0, []]);
  });

  it('emits another stream when another device is chosen or one is removed, until it is disposed', async () => {
    const { access, client, devices, shown, streams, undo, world } = await looked({ audio: true, video: true });
    await world.done(client.selectVideoInputDevice(camera(client, 'Camera 2')));
    devices.unplug('mic-1');
    await world.settle();
    expect(shown()).toEqual([
      ['Microphone 1', 'Camera 1'],
      ['Microphone 1', 'Camera 2'],
      ['Microphone 2', 'Camera 2'],
    ]);
    expect(new Set(streams).size).toBe(3);
    undo?.();
    await world.done(client.selectVideoInputDevice(camera(client, 'Camera 1')));
    access?.on('streamChanged', (stream) => streams.push(stream));
    access?.dispose();
    await world.done(client.selectVideoInputDevice(camera(client, 'Camera 2')));
    expect(streams).toHaveLength(3);
  });

  it('a denied device is silence or a black picture; a listener that throws has no effect', async () => {
    const { client, devices, world } = await signedIn();
    devices.fail('video', 'NotAllowedError');
    const access = client.useMedia({ audio: true, video: true });
    const shown: string[][] = [];
    access?.on('streamChanged', () => {
      throw new Error('a host at fault');
    });
    access?.on('streamChanged', (stream) => shown.push(stream.getTracks().map(({ label }) => label)));
    await world.settle();
    expect(shown).toEqual([['Microphone 1', 'black picture']]);
    expect(access?.missingDevices).toEqual([{ kind: 'video', reason: 'NotAllowedError' }]);
    devices.mend();
    await world.done(client.selectVideoInputDevice(camera(client, 'Camera 1')));
    expect(access?.missingDevices).toEqual([]);
    access?.dispose();
  });

  it('is undefined in a browser without real-time media', async () => {
    const { party } = await stranger({ hasRealTimeMedia: false });
    expect(party.client.useMedia({ audio: true, video: true })).toBeUndefined();
  });
});

describe('a page that is hidden and shown', () => {
  it('continues to send while it is hidden, and the host gets no event', async () => {
    const { alice, bob, call, page, world } = await inCall();
    const sent = [alice.sentPicture(), alice.sentSound()];
    const frames = () => world.world.network.trace.filter(({ via }) => via === 'socket').length;
    const before = frames();
    page.go('hidden');
    await world.advance(5_000);
    expect([alice.sentPicture(), alice.sentSound()]).toEqual(sent);
    expect(sent.map((track) => [track?.readyState, track?.enabled])).toEqual([
      ['live', true],
      ['live', true],
    ]);
    expect(frames()).toBe(before);
    expect([alice.state(call), bob.told().includes('onUserHoldStatusChanged')]).toEqual(['connected', false]);
  });

  it('opens devices again that ended while it was hidden, and does not change live tracks', async () => {
    const { alice, call, devices, page, world } = await inCall();
    const sound = alice.sentSound();
    page.go('hidden');
    devices.liveTracks.find(({ label }) => label === 'Camera 1')?.end();
    await world.settle();
    expect(alice.sentPicture()?.label).toBe('black picture');
    page.go('terminated');
    await world.settle();
    expect(alice.sentPicture()?.label).toBe('black picture');
    page.go('hidden');
    page.go('active');
    await world.settle();
    expect(alice.sentPicture()).toMatchObject({ label: 'Camera 1', readyState: 'live' });
    expect([alice.sentSound(), call.missingDevices, alice.liveTracks()]).toEqual([sound, [], 2]);
  });

  it('sends black when it is shown and a device cannot be opened, and requests no denied device', async () => {
    const { alice, devices, page, world } = await inCall();
    page.go('frozen');
    devices.fail('video', 'NotReadableError');
    devices.liveTracks.find(({ label }) => label === 'Camera 1')?.end();
    await world.settle();
    page.go('passive');
    await world.settle();
    expect(alice.sentPicture()?.label).toBe('black picture');
    expect(alice.logged('warn').join()).toContain('a device could not be opened again');
    devices.mend();
    page.go('hidden');
    page.go('active');
    await world.settle();
    expect(alice.sentPicture()?.label).toBe('Camera 1');
  });

  it('does not request a denied device again when it is shown', async () => {
    const { alice, devices, page, world } = await signedIn();
    devices.fail('audio', 'NotAllowedError');
    const call = alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    const asked = alice.devicesOpened();
    page.go('hidden');
    page.go('active');
    await world.settle();
    expect(alice.devicesOpened()).toBe(asked);
    call.end();
  });

  it('opens no device after a change of focus', async () => {
    const { alice, devices, page, world } = await inCall();
    devices.liveTracks.find(({ label }) => label === 'Camera 1')?.end();
    await world.settle();
    page.go('passive');
    page.go('active');
    await world.settle();
    expect(alice.sentPicture()?.label).toBe('black picture');
  });

  it('reads the lists again when it is shown, and opens a lost channel at once', async () => {
    const { alice, call, devices, page, world, told } = await inCall();
    page.go('hidden');
    devices.notifyChange = () => undefined;
    devices.plug({ ...CAMERA_2, deviceId: 'cam-3', label: 'Camera 3' });
    alice.loseChannel({ forMs: 1_000 });
    await world.advance(1_500);
    expect(alice.platform.net.openSockets).toBe(0);
    page.go('active');
    await world.settle();
    expect([alice.platform.net.openSockets, alice.state(call)]).toEqual([1, 'connected']);
    expect(told.at(-1)).toEqual(['camera', 'Camera 1', ['Camera 1', 'Camera 2', 'Camera 3']]);
  });
});
