/** The media of a stay in a room, in virtual time, against the exchange and its media server. */
import { describe, expect, test, vi } from 'vitest';
import { MEDIA_SERVER } from '../../../sim/faults/vocabulary.ts';
import type { MediaElement } from '../../../src/calls/platform/media-element.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import type { RoomType } from '../../../src/protocol/room-entities.ts';
import { RoomMediaWorld, type Stay } from './support/room-media-world.ts';

/** An element for pictures, or only for sound. It records the speakers that it was given. */
function element(localName: 'video' | 'audio' = 'video', refuses = '') {
  const speakers: string[] = [];
  const made = {
    localName,
    srcObject: null as MediaProvider | null,
    speakers,
    setSinkId: (speaker: string) => {
      if (speaker === refuses) return Promise.reject(new Error('no such speaker'));
      speakers.push(speaker);
      return Promise.resolve();
    },
  };
  return made satisfies MediaElement;
}

const tracksIn = ({ srcObject }: { srcObject: MediaProvider | null }) =>
  srcObject && 'getTracks' in srcObject ? srcObject.getTracks() : [];
const labelsIn = (of: { srcObject: MediaProvider | null }) => tracksIn(of).map(({ label }) => label);
const kindsIn = (of: { srcObject: MediaProvider | null }) => tracksIn(of).map(({ kind }) => kind);

/** A room with participants who are connected. Each shows the pictures of the others. */
async function scene(type: RoomType, ...names: string[]) {
  const room = new RoomMediaWorld(type);
  const stays: Stay[] = [];
  for (const name of names) stays.push(await room.enter(name));
  for (const stay of stays)
    for (const other of stays) if (other !== stay) await stay.media.setView(other.participantId, element());
  await room.pass(500);
  const [alice = room.stay('alice'), bob = room.stay('bob'), carol = room.stay('carol')] = stays;
  return { room, stays, alice, bob, carol };
}

/** What is left after a stay, besides the listeners of the choice of devices and the timers of the exchange. */
const leftovers = (room: RoomMediaWorld) =>
  room.world.leftovers().filter((line) => !/: 1 (device|page) listeners$|a timer due/.test(line));

describe('the media of a room', () => {
  test.each<[RoomType, string[], string[], string[][], number]>([
    ['small_room_for_audio_only', ['bob', 'carol'], [], [['sendonly'], ['recvonly'], ['recvonly']], 0],
    ['large_room_for_audio_only', ['bob', 'carol'], [], [['sendrecv']], 0],
    [
      'small_room_for_video',
      ['bob', 'carol'],
      ['bob', 'carol'],
      [
        ['sendonly', 'sendonly'],
        ['recvonly', 'recvonly'],
        ['recvonly', 'recvonly'],
      ],
      0,
    ],
    [
      'large_room_for_video',
      ['bob', 'carol'],
      ['bob', 'carol'],
      [['sendrecv', 'sendonly'], ['recvonly'], ['recvonly']],
      1,
    ],
  ])('EP-17: %s has its master and its viewers', async (type, heard, seen, directions, elements) => {
    const { room, alice } = await scene(type, 'alice', 'bob', 'carol');
    expect([alice.gets('audio'), alice.gets('video')]).toEqual([heard, seen]);
    const transceivers = alice.connections.map((one) => one.getTransceivers());
    expect(transceivers.map((one) => one.map(({ currentDirection }) => currentDirection))).toEqual(directions);
    const kinds = transceivers.flat().map(({ kind, direction }) => `${kind} ${direction}`);
    expect(kinds.includes('video sendonly')).toBe(type.endsWith('video'));
    // The library plays the mix of a large room for video: no view has its sound.
    expect(alice.platform.rtc.audioElements.map(kindsIn)).toEqual(Array.from({ length: elements }, () => ['audio']));
    expect(alice.errors).toEqual([]);
    // A view that is about to count as absent ends with the stay too.
    await alice.media.setView(room.stays[1]?.participantId ?? '', null);
    for (const { media } of room.stays) media.close();
    expect(leftovers(room).filter((line) => !line.startsWith(MEDIA_SERVER))).toEqual([]);
    expect(room.stays.flatMap(({ timers }) => timers.running())).toEqual([]);
  });

  test('a participant who leaves is released, and the stay ends with nothing left', async () => {
    const { room, alice, bob, carol } = await scene('small_room_for_video', 'alice', 'bob', 'carol');
    await bob.exit();
    await room.pass(100);
    expect([alice.gets('video'), alice.connections.length]).toEqual([['carol'], 2]);
    expect(alice.timesOf('endpoint_release').length).toBe(1);
    await alice.exit();
    await carol.exit();
    await room.world.advance(200);
    expect(leftovers(room)).toEqual([]);
    expect(room.world.mediaServer(MEDIA_SERVER).open).toEqual([]);
  });

  test('a loss of the master and of the viewers is reported, and heals', async () => {
    const { room, alice, bob } = await scene('small_room_for_video', 'alice', 'bob');
    room.cut(alice);
    await room.pass(18_500);
    expect(alice.notices).toEqual(['stream of bob', 'disconnected']);
    room.restore(alice);
    await room.pass(7_000);
    expect(alice.notices.slice(2).sort()).toEqual(['reconnected', 'stream of bob']);
    expect([alice.gets('video'), bob.gets('video')]).toEqual([['bob'], ['alice']]);
    expect(bob.notices).toEqual(['stream of alice']);
  });

  test('ERR-1800704 ERR-1800705: an endpoint that cannot connect is reported with its participant', async () => {
    const room = new RoomMediaWorld();
    const alice = await room.enter('alice');
    await room.pass(500);
    alice.next('endpoint_create', ErrorCode.ERR_REQUEST_FAILED);
    const bob = room.stay('bob');
    await room.join(bob);
    bob.next('endpoint_create', ErrorCode.ERR_REQUEST_FAILED, ErrorCode.ERR_REQUEST_FAILED);
    bob.startMedia();
    await room.pass(15_000);
    expect(bob.notices.sort()).toEqual(['failed 1800704', 'failed 1800705 alice', 'stream of alice']);
    expect(alice.notices).toEqual(['failed 1800705 bob', 'stream of bob']);
    expect([alice.gets('audio'), bob.gets('audio')]).toEqual([['bob'], ['alice']]);
  });
});

describe('views', () => {
  test('show the media of their participant, may be set before it, and change nothing when set again', async () => {
    const room = new RoomMediaWorld();
    const local = element();
    const alice = await room.enter('alice', { views: { local, largeRoomAudio: null } });
    const bob = room.stay('bob');
    await room.join(bob);
    const early = element();
    await room.pass(500);
    await alice.media.setView(bob.participantId, early);
    bob.startMedia();
    await room.pass(500);
    expect([kindsIn(early), labelsIn(local)]).toEqual([
      ['audio', 'video'],
      ['Microphone 1', 'Camera 1'],
    ]);
    const shown = early.srcObject;
    await alice.media.setView(bob.participantId, early);
    expect(early.srcObject).toBe(shown);
    const later = element();
    await alice.media.setView(bob.participantId, later);
    expect([early.srcObject, later.srcObject]).toEqual([null, shown]);
    await alice.media.setLocalView(null);
    expect(local.srcObject).toBeNull();
    await bob.exit();
    await room.pass(100);
    expect(later.srcObject).toBeNull();
    await alice.media.setLocalView(local);
    alice.media.close();
    expect(local.srcObject).toBeNull();
  });

  test('a picture that no view shows for a second is not received, and its sound is', async () => {
    const { room, alice, bob } = await scene('small_room_for_video', 'alice', 'bob');
    expect(alice.gets('video')).toEqual(['bob']);
    await alice.media.setView(bob.participantId, null);
    await room.pass(900);
    await alice.media.setView(bob.participantId, element());
    await room.pass(5_000);
    expect([alice.gets('video'), alice.timesOf('endpoint_put')]).toEqual([['bob'], []]);
    await alice.media.setView(bob.participantId, element('audio'));
    await room.pass(900);
    expect(alice.gets('video')).toEqual(['bob']);
    await room.pass(200);
    expect([alice.gets('video'), alice.gets('audio')]).toEqual([[], ['bob']]);
    await alice.media.setView(bob.participantId, element());
    await room.pass(100);
    expect([alice.gets('video'), alice.gets('audio')]).toEqual([['bob'], ['bob']]);
    expect([alice.timesOf('endpoint_put').length, alice.notices]).toEqual([2, ['stream of bob']]);
  });

  test('an audio room has no picture, so no view changes its media', async () => {
    const { room, alice, bob } = await scene('small_room_for_audio_only', 'alice', 'bob');
    await alice.media.setView(bob.participantId, element('audio'));
    await room.pass(3_000);
    expect([alice.timesOf('endpoint_put'), alice.gets('audio')]).toEqual([[], ['bob']]);
  });

  test('a view that comes while its picture is being removed gets the picture after it', async () => {
    const { room, alice, bob } = await scene('small_room_for_video', 'alice', 'bob');
    const viewer = alice.connections[1];
    const signalling = viewer && vi.spyOn(viewer, 'setLocalDescription');
    await alice.media.setView(bob.participantId, null);
    await room.pass(1_003);
    // The offer without the picture is on its way.
    expect([alice.timesOf('endpoint_put').length, signalling?.mock.calls.length]).toEqual([1, 1]);
    await alice.media.setView(bob.participantId, element());
    await room.pass(3);
    expect(alice.timesOf('endpoint_put').length).toBe(1);
    await room.pass(100);
    expect([alice.gets('video'), alice.timesOf('endpoint_put').length]).toEqual([['bob'], 2]);
    expect(alice.debugs).toEqual([]);
  });

  test('a large room for video receives only the pictures that a view shows', async () => {
    const { room, alice, bob, carol } = await scene('large_room_for_video', 'alice', 'bob', 'carol');
    await alice.media.setView(bob.participantId, null);
    await room.pass(1_200);
    expect([alice.gets('video'), alice.gets('audio')]).toEqual([['carol'], ['bob', 'carol']]);
    // A new connection begins with the picture, and is reduced again.
    room.cut(alice);
    await room.pass(18_000);
    room.restore(alice);
    await room.pass(7_500);
    expect([alice.gets('video'), carol.gets('video')]).toEqual([['carol'], ['alice', 'bob']]);
  });

  test('a change of the picture that fails is tried again, with the last wish', async () => {
    const { room, alice, bob } = await scene('small_room_for_video', 'alice', 'bob');
    alice.next('endpoint_put', ErrorCode.ERR_REQUEST_FAILED, 'reply lost');
    await alice.media.setView(bob.participantId, null);
    await room.pass(7_000);
    expect(alice.timesOf('endpoint_put').length).toBe(2);
    await alice.media.setView(bob.participantId, element());
    await room.pass(70_000);
    expect([alice.gets('video'), alice.gets('audio')]).toEqual([['bob'], ['bob']]);
    await alice.media.setView(bob.participantId, null);
    await room.pass(2_000);
    expect(alice.gets('video')).toEqual([]);
    expect(alice.errors).toEqual([]);
  });
});

describe('the devices', () => {
  test('RM-27 RM-28: without a microphone the camera is tried alone, and silence is sent', async () => {
    const room = new RoomMediaWorld();
    const alice = room.stay('alice');
    alice.platform.devices.fail('audio', 'NotAllowedError');
    const asked = vi.spyOn(alice.platform.devices, 'getUserMedia');
    await room.join(alice);
    alice.startMedia();
    const bob = await room.enter('bob');
    await room.pass(500);
    const kinds = asked.mock.calls.map(([{ audio, video }]) => [Boolean(audio), Boolean(video)]);
    expect(kinds).toEqual([
      [true, true],
      [true, false],
      [false, true],
    ]);
    expect(bob.seesOf('alice')).toEqual({ label: 'Camera 1', enabled: true });
    const sound = bob.connections.flatMap((one) => one.arriving('audio'));
    expect(sound.map(({ track }) => track.label)).toEqual(['silence']);
    expect(alice.media.missing).toEqual([{ kind: 'audio', reason: 'NotAllowedError' }]);
    expect(alice.notices).toContain('missing audio');
  });

  test('RM-29: without a camera a black picture is sent, which is drawn again each second', async () => {
    const room = new RoomMediaWorld();
    const alice = room.stay('alice');
    alice.platform.devices.take('video');
    await room.join(alice);
    alice.startMedia();
    const bob = await room.enter('bob');
    await room.pass(500);
    expect(bob.seesOf('alice')).toEqual({ label: 'black picture', enabled: true });
    const [black] = alice.platform.devices.liveTracks.filter(({ kind }) => kind === 'video');
    expect(black?.getSettings().height).toBeUndefined();
    const before = alice.platform.devices.redraws;
    await room.pass(5_000);
    expect(alice.platform.devices.redraws).toBe(before + 5);
    alice.media.close();
    expect(alice.platform.devices.liveTracks).toEqual([]);
  });

  test('EP-09: that fail with their replacement are opened again by the next pass', async () => {
    const room = new RoomMediaWorld();
    const alice = room.stay('alice');
    alice.platform.devices.take('video');
    const black = vi.spyOn(alice.platform.devices, 'blackPicture');
    black.mockImplementationOnce(() => {
      throw new Error('no canvas');
    });
    await room.join(alice);
    alice.startMedia();
    const bob = await room.enter('bob');
    void bob.media.setView(alice.participantId, { srcObject: null });
    await room.pass(500);
    expect([alice.errors[0], alice.platform.devices.liveTracks]).toEqual(['no media could be opened', []]);
    await room.pass(7_000);
    expect(bob.seesOf('alice')).toEqual({ label: 'black picture', enabled: true });
    expect(alice.platform.devices.liveTracks.map(({ kind }) => kind).sort()).toEqual(['audio', 'video']);
    alice.media.close();
    expect(alice.platform.devices.liveTracks).toEqual([]);
  });

  test('are muted, and send no picture, when the user switched them off before they opened again', async () => {
    const room = new RoomMediaWorld();
    const alice = room.stay('alice');
    vi.spyOn(alice.platform.devices, 'blackPicture').mockImplementationOnce(() => {
      throw new Error('no canvas');
    });
    alice.platform.devices.take('video');
    await room.join(alice);
    alice.startMedia();
    await room.enter('bob');
    await room.pass(500);
    expect(alice.errors).toContain('no media could be opened');
    alice.media.setAudioEnabled(false);
    alice.media.setVideoEnabled(false);
    await room.pass(7_000);
    const live = alice.platform.devices.liveTracks;
    expect(Object.fromEntries(live.map(({ kind, enabled }) => [kind, enabled]))).toEqual({
      audio: false,
      video: false,
    });
    expect(live).toHaveLength(2);
    alice.media.close();
  });

  test('are muted, switched, and closed with the stay', async () => {
    const { room, alice, bob } = await scene('small_room_for_video', 'alice', 'bob');
    const heard = () => bob.connections.flatMap((one) => one.arriving('audio')).map(({ track }) => track.enabled);
    alice.media.setAudioEnabled(false);
    alice.media.setVideoEnabled(false);
    expect([heard(), bob.seesOf('alice')]).toEqual([[false], { label: 'Camera 1', enabled: false }]);
    alice.media.setAudioEnabled(true);
    alice.media.setVideoEnabled(true);
    expect([heard(), bob.seesOf('alice')?.enabled]).toEqual([[true], true]);
    alice.platform.devices.plug({ deviceId: 'cam-2', groupId: 'desk', kind: 'videoinput', label: 'Camera 2' });
    await room.pass(100);
    const camera = alice.choice.available('videoinput').find(({ deviceId }) => deviceId === 'cam-2');
    if (camera) void alice.choice.select('videoinput', camera);
    await room.pass(100);
    expect(bob.seesOf('alice')).toEqual({ label: 'Camera 2', enabled: true });
    expect(alice.platform.devices.liveTracks.map(({ label }) => label).sort()).toEqual(['Camera 2', 'Microphone 1']);
    alice.media.close();
    expect(alice.platform.devices.liveTracks).toEqual([]);
  });

  test('that open after the close are closed at once, and nothing begins again', async () => {
    const room = new RoomMediaWorld();
    const alice = room.stay('alice');
    await room.join(alice);
    alice.startMedia();
    alice.media.close();
    alice.media.follow([{ participantId: 'late', isConnected: true }]);
    await room.pass(20_000);
    expect([alice.platform.devices.liveTracks, alice.connections, alice.requests]).toEqual([[], [], []]);
  });

  test('the chosen speaker plays every view, also later ones and the mix', async () => {
    const { room, alice, bob } = await scene('large_room_for_audio_only', 'alice', 'bob');
    const [mix, view] = [element('audio'), element()];
    alice.media.setLargeRoomAudio(mix);
    await alice.media.setView(bob.participantId, view);
    const speaker = { deviceId: 'speaker-2', groupId: 'desk', kind: 'audiooutput', label: 'Speaker 2' } as const;
    alice.platform.devices.plug(speaker);
    await room.pass(100);
    const second = alice.choice.available('audiooutput').find(({ deviceId }) => deviceId === 'speaker-2');
    if (second) await alice.choice.select('audiooutput', second);
    expect([mix.speakers, view.speakers]).toEqual([['speaker-2'], ['speaker-2']]);
    const carol = room.stay('carol');
    await room.join(carol);
    const later = element();
    await alice.media.setView(carol.participantId, later);
    await room.pass(50);
    expect(later.speakers).toEqual(['speaker-2']);
    await alice.media.setView(carol.participantId, element('video', 'speaker-1'));
    const first = alice.choice.available('audiooutput').find(({ deviceId }) => deviceId === 'speaker-1');
    const chosen = first && alice.choice.select('audiooutput', first);
    await expect(chosen).rejects.toMatchObject({ code: ErrorCode.ERR_CHANGING_AUDIO_DEVICE });
  });

  test('RM-34: the mix plays in the element of a large audio room, before and after it arrives', async () => {
    const room = new RoomMediaWorld('large_room_for_audio_only');
    const early = element('audio');
    const alice = await room.enter('alice', { views: { local: null, largeRoomAudio: early } });
    await room.enter('bob');
    await room.pass(500);
    expect(kindsIn(early)).toEqual(['audio']);
    const later = element('audio');
    alice.media.setLargeRoomAudio(later);
    expect([early.srcObject, kindsIn(later)]).toEqual([null, ['audio']]);
    alice.media.close();
    expect(later.srcObject).toBeNull();
    const small = new RoomMediaWorld('small_room_for_audio_only');
    const carol = await small.enter('carol');
    const never = element('audio');
    carol.media.setLargeRoomAudio(never);
    await small.enter('dave');
    await small.pass(500);
    expect(never.srcObject).toBeNull();
  });
});

describe('a shared screen', () => {
  test('RM-26: replaces the picture, and the camera returns when the user stops it', async () => {
    const { room, alice, bob } = await scene('small_room_for_video', 'alice', 'bob');
    const local = element();
    await alice.media.setLocalView(local);
    await room.done(alice.media.startScreenShare());
    expect([bob.seesOf('alice')?.label, labelsIn(local), alice.media.isSharingScreen]).toEqual([
      'Screen 1',
      ['Screen 1'],
      true,
    ]);
    alice.platform.devices.take('display');
    await room.pass(50);
    expect([bob.seesOf('alice')?.label, labelsIn(local), alice.media.isSharingScreen]).toEqual([
      'Camera 1',
      ['Microphone 1', 'Camera 1'],
      false,
    ]);
    expect(alice.notices).toEqual(['stream of bob', 'screen share stopped']);
    await room.done(alice.media.startScreenShare());
    alice.media.stopScreenShare();
    await room.pass(50);
    expect([bob.seesOf('alice')?.label, alice.platform.devices.screens]).toEqual(['Camera 1', []]);
    expect(() => alice.media.stopScreenShare()).toThrow(expect.objectContaining({ code: 1800623 }));
  });

  test('RM-26: survives a reconnect and a switch of the camera, is reported while the camera is off, ends with the stay', async () => {
    const { room, alice, bob } = await scene('small_room_for_video', 'alice', 'bob');
    alice.media.setVideoEnabled(false);
    await room.done(alice.media.startScreenShare());
    room.cut(alice);
    await room.pass(18_500);
    room.restore(alice);
    await room.pass(7_000);
    alice.platform.devices.unplug('cam-1');
    await room.pass(50);
    expect(bob.seesOf('alice')).toEqual({ label: 'Screen 1', enabled: true });
    alice.media.stopScreenShare();
    await room.pass(50);
    expect(bob.seesOf('alice')).toEqual({ label: 'black picture', enabled: false });
    expect(alice.notices.filter((notice) => notice.startsWith('video'))).toEqual(['video on', 'video off']);
    await room.done(alice.media.startScreenShare());
    alice.media.close();
    expect(alice.platform.devices.liveTracks).toEqual([]);
  });

  test.each<[RoomType, number]>([
    ['small_room_for_audio_only', 1800620],
    ['small_room_for_video', 1800621],
  ])('in %s before the media is connected is refused with %d', async (type, code) => {
    const room = new RoomMediaWorld(type);
    const alice = await room.enter('alice');
    await expect(alice.media.startScreenShare()).rejects.toMatchObject({ code });
  });
});

describe('the size of the picture', () => {
  const sizeFrom = (of: Stay, by: Stay) => {
    const arriving = by.connections.flatMap((one) => one.arriving('video'));
    const { width, height, frameRate } = arriving.find(({ from }) => from === of.name)?.track.getSettings() ?? {};
    return `${width}x${height}@${frameRate}`;
  };

  test('RM-33 ENT-14: follows the number of connected remote participants, without a negotiation', async () => {
    const room = new RoomMediaWorld();
    const alice = await room.enter('alice');
    await room.pass(500);
    const [camera] = alice.platform.devices.liveTracks.filter(({ kind }) => kind === 'video');
    const size = () => {
      const { width, height, frameRate } = camera?.getSettings() ?? {};
      return `${width}x${height}@${frameRate}`;
    };
    const sizes = [size()];
    const others: Stay[] = [];
    for (const name of ['bob', 'carol', 'dave', 'erin', 'frank']) {
      const other = room.stay(name);
      others.push(other);
      await room.join(other);
      await room.pass(100);
      sizes.push(size());
      other.startMedia();
      await room.pass(500);
      sizes.push(size());
    }
    // Each pair: one more has entered, then one more is connected.
    expect(sizes).toEqual([
      '1280x720@24',
      ...['1280x720@24', '1280x720@24'],
      ...['1280x720@24', '960x540@24'],
      ...['960x540@24', '848x480@24'],
      ...['848x480@24', '640x360@24'],
      ...['640x360@24', '640x360@24'],
    ]);
    for (const other of others.slice(1)) await other.exit();
    await room.pass(100);
    expect(size()).toBe('1280x720@24');
    expect([alice.platform.rtc.made.length, alice.timesOf('endpoint_create').length]).toEqual([6, 6]);
    // The sender of this world refuses each change: none was needed.
    expect(alice.debugs).toEqual([]);
  });

  test('RM-33: is kept by another camera, and a shared screen keeps its own', async () => {
    const { room, alice, bob } = await scene('small_room_for_video', 'alice', 'bob', 'carol');
    expect(sizeFrom(alice, bob)).toBe('960x540@24');
    alice.platform.devices.plug({ deviceId: 'cam-2', groupId: 'desk', kind: 'videoinput', label: 'Camera 2' });
    alice.platform.devices.unplug('cam-1');
    await room.pass(100);
    expect([bob.seesOf('alice')?.label, sizeFrom(alice, bob)]).toEqual(['Camera 2', '960x540@24']);
    await room.done(alice.media.startScreenShare());
    expect(sizeFrom(alice, bob)).toBe('undefinedxundefined@undefined');
  });

  test('RM-33: what a camera gives beyond it is reduced by the sender, but not of a screen', async () => {
    const { room, alice, bob, carol } = await scene('small_room_for_video', 'alice', 'bob', 'carol');
    const sender = alice.connections[0]?.getTransceivers().find(({ kind }) => kind === 'video')?.sender;
    const [camera] = alice.platform.devices.liveTracks.filter(({ kind }) => kind === 'video');
    if (!sender || !camera) throw new Error('alice sends no picture');
    // A phone in portrait, whose camera has one size.
    vi.spyOn(camera, 'getSettings').mockReturnValue({ deviceId: 'cam-1', width: 1080, height: 1920 });
    const parameters = sender.getParameters();
    vi.spyOn(sender, 'getParameters').mockReturnValue(parameters);
    const set = vi.spyOn(sender, 'setParameters').mockResolvedValue();
    const factor = () => parameters.encodings[0]?.scaleResolutionDownBy;
    await carol.exit();
    await room.pass(100);
    expect([factor(), set.mock.calls.length]).toEqual([1.5, 1]);
    await room.done(alice.media.startScreenShare());
    expect(factor()).toBe(1);
    alice.media.stopScreenShare();
    await room.pass(50);
    expect(factor()).toBe(1.5);
    expect(bob.seesOf('alice')?.label).toBe('Camera 1');
  });
});

describe('a hidden page', () => {
  test('RM-30: sends black in place of the camera, and resumes on each return with ended devices renewed', async () => {
    const { room, alice, bob } = await scene('small_room_for_video', 'alice', 'bob');
    const { page, devices } = alice.platform;
    const heard = () => bob.connections.flatMap((one) => one.arriving('audio')).map(({ track }) => track.enabled);
    page.go('hidden');
    expect([bob.seesOf('alice')?.enabled, heard()]).toEqual([false, [true]]);
    page.go('frozen');
    devices.fail({ deviceId: 'cam-1' }, 'NotReadableError');
    for (const track of devices.liveTracks) if (track.kind === 'video') track.end();
    await room.pass(100);
    expect([bob.seesOf('alice'), alice.media.missing.length]).toEqual([{ label: 'black picture', enabled: false }, 1]);
    devices.mend();
    page.go('active');
    await room.pass(100);
    expect(bob.seesOf('alice')).toEqual({ label: 'Camera 1', enabled: true });
    expect(alice.media.missing).toEqual([]);
    page.go('passive');
    page.go('hidden');
    page.go('passive');
    expect(alice.notices.filter((notice) => notice === 'page returned').length).toBe(2);
    alice.media.setVideoEnabled(false);
    page.go('hidden');
    alice.media.setVideoEnabled(true);
    expect(bob.seesOf('alice')?.enabled).toBe(false);
    page.go('active');
    expect(bob.seesOf('alice')?.enabled).toBe(true);
  });

  test('RM-30: goes on with a shared screen, and a stay in it begins with black', async () => {
    const { room, alice, bob } = await scene('small_room_for_video', 'alice', 'bob');
    await room.done(alice.media.startScreenShare());
    alice.platform.page.go('hidden');
    expect(bob.seesOf('alice')).toEqual({ label: 'Screen 1', enabled: true });
    const carol = room.stay('carol');
    carol.platform.page.go('hidden');
    await room.join(carol);
    carol.startMedia();
    await room.pass(500);
    expect(alice.seesOf('carol')).toEqual({ label: 'Camera 1', enabled: false });
    carol.platform.page.go('active');
    expect(alice.seesOf('carol')?.enabled).toBe(true);
    carol.media.close();
    const { page } = carol.platform;
    page.go('hidden');
    page.go('active');
    expect(carol.notices.filter((notice) => notice === 'page returned').length).toBe(1);
  });
});
