import { describe, expect, it } from 'vitest';
import { DirectCallRecordOption } from '../../../src/calls/direct-call/record-option.ts';
import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import { noRecordingCode, recordingFileName, recordingFormat } from '../../../src/calls/media/recording-file.ts';
import { isRecordingType } from '../../../src/calls/media/recording-tracks.ts';
import { RecordingStatus, RecordingType } from '../../../src/calls/host/public-enumerations.ts';
import { callWorld, type MediaPeer } from './support/call-world.ts';
import { publicError, thrownCode } from './support/public-errors.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

/** Screen share and recording in a call between two users, in virtual time. */
async function connected({ isVideoCall = true, rungOnly = false, videoEnabled = true, userAgent = '' } = {}) {
  const world = await callWorld();
  const [alice, bob] = [await world.party('alice'), await world.party('bob')];
  if (userAgent) Object.assign(alice.platform.environment, { userAgent });
  const heard: { by: string; what: string; args: unknown[] }[] = [];
  for (const party of [alice, bob]) {
    const note = (what: string) => {
      return (...args: unknown[]) => void heard.push({ by: party.name, what, args });
    };
    party.client.addRecordingListener('test', {
      onRecordingSucceeded: note('succeeded'),
      onRecordingFailed: note('failed'),
    });
  }
  const call = alice.dial('bob', { isVideoCall, callOption: { videoEnabled } });
  await world.settle();
  const rung = bob.rung();
  if (!rungOnly) {
    rung.accept({ callOption: { videoEnabled } });
    await world.advance(2_000);
    expect([alice.state(call), bob.state(rung)]).toEqual(['connected', 'connected']);
  }
  return { world, alice, bob, call, rung, heard };
}

type Connected = Awaited<ReturnType<typeof connected>>;

const option = (call: DirectCall, recordingType: DirectCallRecordOption['recordingType'], fileName?: string) =>
  new DirectCallRecordOption({ callId: call.callId, recordingType, fileName });

describe('sharing the screen', () => {
  it('SS-02 ERR-1800620 B26: is refused in a voice call before any other check', async () => {
    for (const rungOnly of [false, true]) {
      const { alice, call } = await connected({ isVideoCall: false, rungOnly });
      alice.platform.devices.canCaptureDisplay = false;
      await expect(call.startScreenShare()).rejects.toMatchObject(
        publicError(ErrorCode.ERR_SCREEN_SHARE_RESTRICTED_FROM_AUDIO_CALL),
      );
    }
  });

  it('SS-01 ERR-1800621 B26: requires a call that is connected or reconnecting', async () => {
    const { alice, call, world } = await connected({ rungOnly: true });
    alice.platform.devices.canCaptureDisplay = false;
    await expect(call.startScreenShare()).rejects.toMatchObject(
      publicError(ErrorCode.ERR_SCREEN_SHARE_REQUEST_BEFORE_CALL_IS_CONNECTED),
    );
    const other = await connected();
    other.world.cutMedia();
    await other.world.advance(8_000);
    expect(other.alice.state(other.call)).toBe('reconnecting');
    await other.world.done(other.call.startScreenShare());
    expect(other.call.isLocalScreenShareEnabled).toBe(true);
    other.call.end();
    await expect(other.call.startScreenShare()).rejects.toMatchObject(
      publicError(ErrorCode.ERR_SCREEN_SHARE_REQUEST_BEFORE_CALL_IS_CONNECTED),
    );
    call.end();
    await world.settle();
  });

  it('SS-03 ERR-1800622 B26: is refused while sharing, and while the user is choosing', async () => {
    const { alice, call, world } = await connected();
    const first = call.startScreenShare();
    await expect(call.startScreenShare()).rejects.toMatchObject(
      publicError(ErrorCode.ERR_SCREEN_SHARE_ALREADY_IN_PROGRESS),
    );
    await world.done(first);
    alice.platform.devices.canCaptureDisplay = false;
    await world.done(call.hold());
    await expect(call.startScreenShare()).rejects.toMatchObject(
      publicError(ErrorCode.ERR_SCREEN_SHARE_ALREADY_IN_PROGRESS),
    );
    expect(alice.platform.devices.screens).toHaveLength(1);
  });

  it('SS-04 ERR-1800631 B26: is refused on hold, whichever side holds', async () => {
    const { alice, bob, call, rung, world } = await connected();
    await world.done(call.hold());
    for (const party of [alice, bob]) party.platform.devices.canCaptureDisplay = false;
    for (const side of [call, rung])
      await expect(side.startScreenShare()).rejects.toMatchObject(
        publicError(ErrorCode.ERR_MEDIA_STREAM_NOT_ALLOWED_ON_HOLD),
      );
  });

  it('SS-05 ERR-1800625 B26: is refused where the browser cannot capture a screen', async () => {
    const { alice, call } = await connected();
    alice.platform.devices.canCaptureDisplay = false;
    await expect(call.startScreenShare()).rejects.toMatchObject(
      publicError(ErrorCode.ERR_NOT_SUPPORTED_BROWSER_FOR_SCREEN_SHARE),
    );
  });

  for (const [ids, name, code] of [
    ['SS-06 ERR-1800627', 'InvalidStateError', ErrorCode.ERR_NOT_SUPPORTED_APP_STATE_FOR_SCREEN_SHARE],
    ['SS-07 ERR-1800628', 'NotAllowedError', ErrorCode.ERR_PERMISSION_DENIED_FOR_SCREEN_SHARE],
    ['SS-08 ERR-1800629', 'NotFoundError', ErrorCode.ERR_SELECTED_CONTENT_NOT_EXIST],
    ['SS-09 ERR-1800630', 'NotReadableError', ErrorCode.ERR_SELECTED_CONTENT_INACCESSIBLE],
    ['SS-10 ERR-1800626', 'AbortError', ErrorCode.ERR_SCREEN_SHARE_FAILED_DUE_TO_UNKNOWN_REASON],
  ] as const) {
    it(`${ids}: ${name} of the browser gives ${code}, and the camera goes on`, async () => {
      const { alice, call, world } = await connected();
      const camera = alice.sentPicture();
      alice.platform.devices.fail('display', name);
      await expect(world.done(call.startScreenShare())).rejects.toMatchObject({
        ...publicError(code),
        cause: { name },
      });
      expect([call.isLocalScreenShareEnabled, alice.sentPicture()]).toEqual([false, camera]);
      alice.platform.devices.mend();
      await world.done(call.startScreenShare());
      expect(call.isLocalScreenShareEnabled).toBe(true);
    });
  }

  it('SS-11 ERR-1800623 B26: stopping without a share throws', async () => {
    const { call, world } = await connected();
    expect(thrownCode(() => call.stopScreenShare())).toBe(ErrorCode.ERR_NO_SCREEN_SHARE_EXISTS);
    await world.done(call.startScreenShare());
    call.stopScreenShare();
    expect(thrownCode(() => call.stopScreenShare())).toBe(ErrorCode.ERR_NO_SCREEN_SHARE_EXISTS);
  });

  it('DC-53: the screen of either side replaces its camera for both users, until the share ends', async () => {
    const { alice, bob, call, rung, world } = await connected();
    for (const [party, side] of [
      [alice, call],
      [bob, rung],
    ] as const) {
      const view = party.view();
      await side.setLocalMediaView(view);
      const [camera, shown] = [party.sentPicture(), view.srcObject];
      await world.done(side.startScreenShare());
      const [screen] = party.platform.devices.screens;
      expect(screen).toBeDefined();
      expect(party.sentPicture()).toBe(screen);
      expect(view.srcObject).toMatchObject({});
      expect(view.srcObject).not.toBe(shown);
      side.stopScreenShare();
      await world.settle();
      expect([party.sentPicture(), view.srcObject]).toEqual([camera, shown]);
      expect([screen?.readyState, camera?.readyState]).toEqual(['ended', 'live']);
      expect(side.isLocalScreenShareEnabled).toBe(false);
      expect(party.told().filter((name) => name === 'onScreenShareStopped')).toHaveLength(1);
    }
  });

  it('ends when the user stops it with the browser’s control', async () => {
    const { alice, call, world } = await connected();
    const camera = alice.sentPicture();
    await world.done(call.startScreenShare());
    alice.platform.devices.screens[0]?.end();
    await world.settle();
    expect([call.isLocalScreenShareEnabled, alice.sentPicture()]).toEqual([false, camera]);
    expect(alice.told().filter((name) => name === 'onScreenShareStopped')).toHaveLength(1);
    expect(thrownCode(() => call.stopScreenShare())).toBe(ErrorCode.ERR_NO_SCREEN_SHARE_EXISTS);
  });

  it('a screen chosen after the end or on hold is not shared', async () => {
    for (const [act, code] of [
      [(call: DirectCall) => call.end(), ErrorCode.ERR_SCREEN_SHARE_REQUEST_BEFORE_CALL_IS_CONNECTED],
      [(call: DirectCall) => void call.hold(), ErrorCode.ERR_MEDIA_STREAM_NOT_ALLOWED_ON_HOLD],
    ] as const) {
      const { alice, call, world } = await connected();
      const asked = world.done(call.startScreenShare());
      act(call);
      await expect(asked).rejects.toMatchObject(publicError(code));
      expect([alice.platform.devices.screens, call.isLocalScreenShareEnabled]).toEqual([[], false]);
    }
  });

  it('a shared screen is black on hold and returns after it', async () => {
    const { alice, call, world } = await connected();
    await world.done(call.startScreenShare());
    await world.done(call.hold());
    expect(alice.sentPicture()?.enabled).toBe(false);
    await world.done(call.unhold());
    expect(alice.sentPicture()?.enabled).toBe(true);
  });

  it('the other side gets the video state on while a screen is shared with the camera off', async () => {
    const { alice, call, rung, world } = await connected({ videoEnabled: false });
    expect(rung.isRemoteVideoEnabled).toBe(false);
    await world.done(call.startScreenShare());
    expect([rung.isRemoteVideoEnabled, alice.sentPicture()?.enabled]).toEqual([true, true]);
    call.startVideo();
    call.stopVideo();
    await world.settle();
    expect(rung.isRemoteVideoEnabled).toBe(true);
    call.stopScreenShare();
    await world.settle();
    expect([rung.isRemoteVideoEnabled, call.isLocalVideoEnabled]).toEqual([false, false]);
  });

  it('a camera that is switched during the share is sent after the share', async () => {
    const { alice, call, world } = await connected();
    await world.done(call.startScreenShare());
    const [screen] = alice.platform.devices.screens;
    await world.done(call.switchCamera());
    expect(alice.sentPicture()).toBe(screen);
    call.stopScreenShare();
    await world.settle();
    expect([alice.sentPicture()?.label, alice.sentPicture()?.readyState]).toEqual(['Camera 1', 'live']);
  });

  it('SS-01: a share survives a reconnection, and may be stopped during it', async () => {
    for (const stopWhen of ['connected', 'reconnecting'] as const) {
      const { alice, call, rung, world } = await connected();
      const camera = alice.sentPicture();
      await world.done(call.startScreenShare());
      const [screen] = alice.platform.devices.screens;
      world.cutMedia();
      await world.advance(8_000);
      expect(alice.state(call)).toBe('reconnecting');
      expect([call.isLocalScreenShareEnabled, screen?.readyState]).toEqual([true, 'live']);
      if (stopWhen === 'reconnecting') call.stopScreenShare();
      world.restoreMedia();
      await world.advance(20_000);
      expect([alice.state(call), rung.isRemoteVideoEnabled]).toEqual(['connected', true]);
      if (stopWhen === 'connected') {
        expect([alice.sentPicture(), call.isLocalScreenShareEnabled]).toEqual([screen, true]);
        expect(alice.told()).not.toContain('onScreenShareStopped');
        call.stopScreenShare();
        await world.settle();
      }
      expect([alice.sentPicture(), camera?.readyState, screen?.readyState]).toEqual([camera, 'live', 'ended']);
      expect(alice.told().filter((name) => name === 'onScreenShareStopped')).toHaveLength(1);
    }
  });

  it('a connection that takes over through another relay sends the screen too', async () => {
    const { alice, call, world } = await connected();
    await world.done(call.startScreenShare());
    const [screen] = alice.platform.devices.screens;
    const [former] = alice.platform.rtc.open;
    world.world.exchange.changeTurn(call.callId);
    await world.advance(6_000);
    expect(alice.platform.rtc.open).not.toContain(former);
    expect([screen?.readyState, alice.sentPicture()]).toEqual(['live', screen]);
  });
});

describe('recording', () => {
  it('REC-01 ERR-1800610: requires a connected call', async () => {
    const { call, alice } = await connected({ rungOnly: true });
    alice.platform.recorder.supported = [];
    expect(thrownCode(() => call.startRecording(option(call, 'remote_audio_only')))).toBe(
      ErrorCode.ERR_CALL_NOT_CONNECTED_YET,
    );
    const other = await connected();
    other.world.cutMedia();
    await other.world.advance(8_000);
    expect(thrownCode(() => other.call.startRecording(option(other.call, 'remote_audio_only')))).toBe(
      ErrorCode.ERR_CALL_NOT_CONNECTED_YET,
    );
  });

  it('REC-02 ERR-1800611: a type with video is refused in a voice call, an audio type is not', async () => {
    const { alice, call, world } = await connected({ isVideoCall: false });
    for (const type of Object.values(RecordingType)) {
      const withVideo = type.endsWith('and_video') || type.includes('_and_video_');
      if (withVideo)
        expect(thrownCode(() => call.startRecording(option(call, type)))).toBe(
          ErrorCode.ERR_WRONG_RECORDING_TYPE_FOR_AUDIO_CALL,
        );
      else expect(call.stopRecording(call.startRecording(option(call, type)))).toBe(true);
    }
    await world.settle();
    expect(alice.platform.recorder.recordings.map(({ mimeType }) => mimeType)).toEqual(['audio/webm', 'audio/webm']);
  });

  it('REC-04 ERR-1800617: an invalid type is refused', async () => {
    const { alice, call } = await connected();
    call.startRecording(option(call, 'remote_audio_only'));
    alice.platform.recorder.supported = [];
    // As a host without types would pass it.
    for (const type of ['everything', 'toString']) {
      const wish = Object.assign(option(call, 'remote_audio_only'), { recordingType: type });
      expect(isRecordingType(type)).toBe(false);
      expect(thrownCode(() => call.startRecording(wish))).toBe(ErrorCode.ERR_INVALID_RECORDING_TYPE);
    }
  });

  it('REC-03 ERR-1800612: only one at a time; the next may begin after the first was stopped', async () => {
    const { alice, call, world } = await connected();
    const first = call.startRecording(option(call, 'remote_audio_only'));
    const { supported } = alice.platform.recorder;
    alice.platform.recorder.supported = [];
    expect(thrownCode(() => call.startRecording(option(call, 'local_remote_audios')))).toBe(
      ErrorCode.ERR_RECORDING_ALREADY_IN_PROGRESS,
    );
    alice.platform.recorder.supported = supported;
    call.stopRecording(first);
    expect(call.startRecording(option(call, 'local_remote_audios'))).not.toBe(first);
    await world.settle();
    expect(call.localRecordingStatus).toBe('recording');
    expect(alice.platform.recorder.running).toHaveLength(1);
  });

  it('REC-05 ERR-1800616: is refused where the browser cannot record', async () => {
    const { alice, call } = await connected();
    alice.platform.recorder.supported = [];
    expect(thrownCode(() => call.startRecording(option(call, 'remote_audio_only')))).toBe(
      ErrorCode.ERR_NOT_SUPPORTED_BROWSER_FOR_RECORDING,
    );
    expect(call.localRecordingStatus).toBe('none');
  });

  it('REC-05 ERR-1800618: is refused on an iPhone or iPad whose system is too old, in any browser', async () => {
    const inside = (system: string) => `Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148`;
    const [old, iPad, former, first, newer, mac] = [
      'iPhone; CPU iPhone OS 14_2 like Mac OS X',
      'iPad; CPU OS 12_5_7 like Mac OS X',
      'iPod touch; CPU iPhone OS 9_3_5 like Mac OS X',
      'iPhone; CPU iPhone OS 14_3 like Mac OS X',
      'iPad; CPU OS 17_0 like Mac OS X',
      'Macintosh; Intel Mac OS X 10_15_7',
    ].map(inside);
    expect([old, iPad, former].map((agent) => noRecordingCode(agent ?? ''))).toEqual([
      ErrorCode.ERR_NOT_SUPPORTED_OS_VERSION_FOR_RECORDING,
      ErrorCode.ERR_NOT_SUPPORTED_OS_VERSION_FOR_RECORDING,
      ErrorCode.ERR_NOT_SUPPORTED_OS_VERSION_FOR_RECORDING,
    ]);
    expect([first, newer, mac, ''].map((agent) => noRecordingCode(agent ?? ''))).toEqual([
      ErrorCode.ERR_NOT_SUPPORTED_BROWSER_FOR_RECORDING,
      ErrorCode.ERR_NOT_SUPPORTED_BROWSER_FOR_RECORDING,
      ErrorCode.ERR_NOT_SUPPORTED_BROWSER_FOR_RECORDING,
      ErrorCode.ERR_NOT_SUPPORTED_BROWSER_FOR_RECORDING,
    ]);
    const { alice, call } = await connected({ userAgent: old });
    alice.platform.recorder.supported = [];
    expect(thrownCode(() => call.startRecording(option(call, 'remote_audio_only')))).toBe(
      ErrorCode.ERR_NOT_SUPPORTED_OS_VERSION_FOR_RECORDING,
    );
    expect(call.localRecordingStatus).toBe('none');
  });

  it('REC-06 ERR-1800614: a recording that does not start throws, and no side gets an event', async () => {
    const { alice, call, rung, world } = await connected();
    alice.platform.recorder.fail('start');
    expect(thrownCode(() => call.startRecording(option(call, 'remote_audio_only')))).toBe(
      ErrorCode.ERR_FAILED_TO_START_RECORDING,
    );
    await world.settle();
    expect([call.localRecordingStatus, rung.remoteRecordingStatus]).toEqual(['none', 'none']);
    expect(alice.sent('recording')).toEqual([]);
  });

  for (const [ids, step, code] of [
    ['REC-06 ERR-1800615', 'stop', ErrorCode.ERR_FAILED_TO_STOP_RECORDING],
    ['REC-06 ERR-1800613', 'save', ErrorCode.ERR_FAILED_TO_OPEN_FILE],
  ] as const) {
    it(`${ids}: when ${step} fails the listeners get ${code}`, async () => {
      const { alice, call, heard, world } = await connected();
      alice.platform.recorder.fail(step);
      const id = call.startRecording(option(call, 'remote_audio_only'));
      expect(call.stopRecording(id)).toBe(true);
      await world.settle();
      expect(heard).toEqual([
        { by: 'alice', what: 'failed', args: [call.callId, id, expect.objectContaining(publicError(code))] },
      ]);
      expect(alice.platform.recorder.saved).toEqual([]);
    });
  }

  it('a recording that the browser stops ends for both sides', async () => {
    const { alice, call, rung, heard, world } = await connected();
    alice.platform.recorder.fail('stop');
    call.startRecording(option(call, 'remote_audio_only'));
    await world.settle();
    alice.platform.recorder.breakOff();
    await world.settle();
    expect(heard.map(({ what }) => what)).toEqual(['failed']);
    expect([call.localRecordingStatus, rung.remoteRecordingStatus]).toEqual(['none', 'none']);
  });

  it('a recording whose tracks ended is saved, and ends for both sides', async () => {
    const { alice, call, rung, heard, world } = await connected();
    call.startRecording(option(call, 'remote_audio_only', 'talk'));
    await world.settle();
    alice.platform.recorder.breakOff();
    await world.settle();
    expect([heard.map(({ what }) => what), alice.platform.recorder.saved]).toEqual([['succeeded'], ['talk.webm']]);
    expect([call.localRecordingStatus, rung.remoteRecordingStatus]).toEqual(['none', 'none']);
  });

  it('REC-07: mp4 on Safari-type browsers that support it, otherwise webm', () => {
    const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
    const safari = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/17.4 Safari/605.1.15`;
    const iPhone = `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${webKit} CriOS/123.0 Mobile/15E148 Safari/604.1`;
    const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36';
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const old =
      'Mozilla/5.0 (Linux; U; Android 4.0) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30';
    const pick = (userAgent: string, isSupported: (type: string) => boolean) =>
      recordingFormat('video', { recorder: { isSupported }, userAgent })?.mimeType;
    const both = () => true;
    expect([safari, iPhone, chrome, firefox, old].map((agent) => pick(agent, both))).toEqual([
      'video/mp4',
      'video/mp4',
      'video/webm',
      'video/webm',
      'video/webm',
    ]);
    expect(pick(safari, (type) => type === 'video/webm')).toBe('video/webm');
    expect(pick(chrome, (type) => type === 'video/mp4')).toBeUndefined();
    expect(recordingFormat('audio', { recorder: { isSupported: both }, userAgent: safari })).toEqual({
      mimeType: 'audio/mp4',
      extension: 'mp4',
    });
  });

  it('REC-08: the correct extension is appended to another one', () => {
    const name = (given: string, extension: string) =>
      recordingFileName(given, { type: 'remote_audio_only', callId: 'c', timestamp: 1, extension });
    expect(name('talk', 'webm')).toBe('talk.webm');
    expect(name('talk.mp4', 'webm')).toBe('talk.mp4.webm');
    expect(name('talk.webm', 'webm')).toBe('talk.webm');
    expect(name('talk.WEBM', 'webm')).toBe('talk.WEBM');
    expect(name('talk.webm', 'mp4')).toBe('talk.webm.mp4');
  });

  it('REC-08 REC-09 (B25): only the last part of a path is used, without characters that file systems refuse', () => {
    const facts = { type: 'remote_audio_only', callId: 'c', timestamp: 1, extension: 'webm' } as const;
    const unnamed = 'remote_audio_only_c_1.webm';
    for (const [given, name] of [
      ['../../x', 'x.webm'],
      ['C:\\talks\\x.webm', 'x.webm'],
      ['/etc/passwd', 'passwd.webm'],
      ['a\0b', 'a_b.webm'],
      ['a\r\nb: "c"?', 'a__b_ _c__.webm'],
      ['x.exe', 'x.exe.webm'],
      ['.webm', 'webm.webm'],
      ['一場 談話', '一場 談話.webm'],
      ['', unnamed],
      ['talks/', unnamed],
      ['../..', unnamed],
      [' . ', unnamed],
    ]) {
      expect(recordingFileName(given, facts)).toBe(name);
    }
    expect(recordingFileName(undefined, { ...facts, callId: '../../c' })).toBe('c_1.webm');
  });

  it('REC-08 (B25): a name of 5 KB is cut to the limit of file systems, before its extension and between characters', () => {
    const facts = { type: 'remote_audio_only', callId: 'c', timestamp: 1, extension: 'webm' } as const;
    for (const [letter, bytes] of [
      ['a', 1],
      ['é', 2],
      ['談', 3],
      ['🙂', 4],
    ] as const) {
      for (const ending of ['', '.webm', '.exe']) {
        const name = recordingFileName(letter.repeat(5_120 / bytes) + ending, facts);
        expect(name).toBe(`${letter.repeat(Math.floor(250 / bytes))}.webm`);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      }
    }
  });

  it('REC-08 REC-09: the file has the name given, or recording type, call id and timestamp; the listeners get it', async () => {
    const { alice, call, heard, world } = await connected();
    const unnamed = option(call, 'remote_audio_only');
    const now = alice.platform.clock.wallTime();
    const first = call.startRecording(unnamed);
    await world.advance(1_000);
    call.stopRecording(first);
    await world.settle();
    const named = option(call, 'remote_audio_and_video', 'talk.avi');
    const second = call.startRecording(named);
    call.stopRecording(second);
    await world.settle();
    const files = [`remote_audio_only_${call.callId}_${now}.webm`, 'talk.avi.webm'] as const;
    expect(alice.platform.recorder.saved).toEqual(files);
    expect(heard).toEqual([
      { by: 'alice', what: 'succeeded', args: [call.callId, first, unnamed, files[0]] },
      { by: 'alice', what: 'succeeded', args: [call.callId, second, named, files[1]] },
    ]);
  });

  it('REC-10: the five types record the tracks they name', async () => {
    const { alice, bob, call, world } = await connected();
    const tracks = (party: MediaPeer, end: 'sender' | 'receiver', kind: string) =>
      party.platform.rtc.open[0]?.getTransceivers().find((transceiver) => transceiver.kind === kind)?.[end].track;
    const local = { audio: tracks(alice, 'sender', 'audio'), video: tracks(alice, 'sender', 'video') };
    const remote = { audio: tracks(alice, 'receiver', 'audio'), video: tracks(alice, 'receiver', 'video') };
    expect(new Set([...Object.values(local), ...Object.values(remote)]).size).toBe(4);
    for (const [type, audio, video] of [
      [RecordingType.REMOTE_AUDIO_AND_VIDEO, [remote.audio], remote.video],
      [RecordingType.REMOTE_AUDIO_ONLY, [remote.audio], null],
      [RecordingType.LOCAL_REMOTE_AUDIOS, [local.audio, remote.audio], null],
      [RecordingType.LOCAL_AUDIO_REMOTE_AUDIO_AND_VIDEO, [local.audio, remote.audio], remote.video],
      [RecordingType.LOCAL_AUDIO_AND_VIDEO_REMOTE_AUDIO, [local.audio, remote.audio], local.video],
    ] as const) {
      const id = call.startRecording(option(call, type));
      const recorded = alice.platform.recorder.recordings.at(-1);
      expect(recorded?.audio.map((track, at) => track === audio[at])).toEqual(audio.map(() => true));
      expect(recorded?.video).toBe(video);
      expect(recorded?.mimeType).toBe(video ? 'video/webm' : 'audio/webm');
      call.stopRecording(id);
    }
    await world.done(call.startScreenShare());
    call.startRecording(option(call, 'local_audio_and_video_remote_audio'));
    expect(alice.platform.recorder.recordings.at(-1)?.video).toBe(alice.platform.devices.screens[0]);
    expect(bob.platform.recorder.recordings).toEqual([]);
  });

  it('D29 REC-10: a recording continues with another microphone, and with the sound of another connection', async () => {
    const { alice, call, heard, world } = await connected();
    alice.platform.devices.plug({ deviceId: 'mic-2', groupId: 'usb', kind: 'audioinput', label: 'Microphone 2' });
    await world.settle();
    const id = call.startRecording(option(call, 'local_remote_audios'));
    const [recorded] = alice.platform.recorder.recordings;
    const received = () => alice.platform.rtc.open[0]?.getTransceivers()[0]?.receiver.track;
    const [microphone, theirs] = recorded?.audio ?? [];
    const second = alice.client.getAvailableAudioInputDevices().find(({ label }) => label === 'Microphone 2');
    await world.done(alice.client.selectAudioInputDevice(second as InputDeviceInfo));
    expect(microphone?.readyState).toBe('ended');
    expect(recorded?.audio[0]).toBe(alice.sentSound());
    expect(recorded?.audio[1]).toBe(theirs);
    world.world.exchange.changeTurn(call.callId);
    await world.advance(6_000);
    expect(theirs?.readyState).toBe('ended');
    expect(recorded?.audio[0]).toBe(alice.sentSound());
    expect(recorded?.audio[1]).toBe(received());
    expect(recorded?.audio.map(({ readyState }) => readyState)).toEqual(['live', 'live']);
    expect(call.localRecordingStatus).toBe('recording');
    call.stopRecording(id);
    await world.settle();
    expect(heard.map(({ what }) => what)).toEqual(['succeeded']);
  });

  it('another microphone is sent, also where the browser cannot mix its sound into the recording', async () => {
    const { alice, call, world } = await connected();
    alice.platform.devices.plug({ deviceId: 'mic-2', groupId: 'usb', kind: 'audioinput', label: 'Microphone 2' });
    await world.settle();
    call.startRecording(option(call, 'local_remote_audios'));
    alice.platform.recorder.fail('mix');
    const second = alice.client.getAvailableAudioInputDevices().find(({ label }) => label === 'Microphone 2');
    await world.done(alice.client.selectAudioInputDevice(second as InputDeviceInfo));
    expect([alice.sentSound()?.label, alice.sentSound()?.readyState]).toEqual(['Microphone 2', 'live']);
    expect(alice.logged('warn').join('\n')).toMatch(/the recording cannot continue with another sound/);
    expect(call.localRecordingStatus).toBe('recording');
  });

  it.each(['remote_audio_and_video', 'local_audio_remote_audio_and_video'] as const)(
    'D29 REC-11: a recording of %s whose video ends with its connection is saved, and both sides are notified',
    async (type) => {
      const { alice, call, rung, heard, world } = await connected();
      call.startRecording(option(call, type, 'cut.webm'));
      await world.settle();
      expect(rung.remoteRecordingStatus).toBe('recording');
      world.world.exchange.changeTurn(call.callId);
      await world.advance(6_000);
      expect([call.localRecordingStatus, rung.remoteRecordingStatus]).toEqual(['none', 'none']);
      expect(alice.platform.recorder.saved).toEqual(['cut.webm']);
      expect(heard.map(({ what }) => what)).toEqual(['succeeded']);
      expect(alice.logged('warn').join('\n')).toContain('the picture that was recorded has ended');
    },
  );

  it('D29: a recorded screen that is no longer shared ends its recording, and a shared screen ends no recording of the camera', async () => {
    const { alice, call, world } = await connected();
    call.startRecording(option(call, 'local_audio_and_video_remote_audio', 'camera.webm'));
    await world.done(call.startScreenShare());
    expect(call.localRecordingStatus).toBe('recording');
    call.stopScreenShare();
    await world.settle();
    expect(call.localRecordingStatus).toBe('recording');
    const [recording] = alice.platform.recorder.running;
    alice.platform.recorder.breakOff();
    await world.settle();
    await world.done(call.startScreenShare());
    call.startRecording(option(call, 'local_audio_and_video_remote_audio', 'screen.webm'));
    call.stopScreenShare();
    await world.settle();
    expect([recording?.running, call.localRecordingStatus]).toEqual([false, 'none']);
    expect(alice.platform.recorder.saved).toEqual(['camera.webm', 'screen.webm']);
  });

  it.each([
    ['switched to', async ({ call, world }: Connected) => await world.done(call.switchCamera())],
    [
      'chosen',
      async ({ alice, world }: Connected) => {
        alice.platform.devices.plug({ deviceId: 'cam-2', groupId: 'usb', kind: 'videoinput', label: 'Camera 2' });
        await world.settle();
        const other = alice.client.getAvailableVideoInputDevices().find(({ label }) => label === 'Camera 2');
        await world.done(alice.client.selectVideoInputDevice(other as InputDeviceInfo));
      },
    ],
  ])(
    'D29 REC-11: a recording of the own camera is saved when another one is %s, and both sides are notified',
    async (_how, change) => {
      const here = await connected();
      const { alice, call, rung, heard, world } = here;
      const camera = alice.sentPicture();
      call.startRecording(option(call, 'local_audio_and_video_remote_audio', 'camera.webm'));
      await change(here);
      expect([camera?.readyState, alice.sentPicture()?.readyState]).toEqual(['ended', 'live']);
      await world.settle();
      expect([call.localRecordingStatus, rung.remoteRecordingStatus]).toEqual(['none', 'none']);
      expect(alice.platform.recorder.saved).toEqual(['camera.webm']);
      expect(heard.map(({ what }) => what)).toEqual(['succeeded']);
      expect(alice.logged('warn').join('\n')).toContain('the picture that was recorded has ended');
      // The next recording has the new camera.
      call.startRecording(option(call, 'local_audio_and_video_remote_audio'));
      expect(alice.platform.recorder.recordings.at(-1)?.video).toBe(alice.sentPicture());
    },
  );

  it.each(['remote_audio_and_video', 'local_audio_remote_audio_and_video', 'local_remote_audios'] as const)(
    'D29: a recording of %s continues when either side switches its camera',
    async (type) => {
      const { call, rung, world, alice } = await connected();
      call.startRecording(option(call, type));
      const [recorded] = alice.platform.recorder.recordings;
      const picture = recorded?.video;
      await world.done(call.switchCamera());
      await world.done(rung.switchCamera());
      expect([call.localRecordingStatus, rung.remoteRecordingStatus]).toEqual(['recording', 'recording']);
      expect(recorded?.video).toBe(picture);
      expect(recorded?.audio.map(({ readyState }) => readyState)).not.toContain('ended');
    },
  );

  it('D29: a recording of the own camera is saved when it is closed for one that cannot be opened', async () => {
    const { alice, call, rung, world } = await connected();
    call.startRecording(option(call, 'local_audio_and_video_remote_audio', 'camera.webm'));
    alice.platform.devices.fail('video', 'NotReadableError');
    await expect(world.done(call.switchCamera())).rejects.toMatchObject({ code: ErrorCode.ERR_CAMERA_SWITCH });
    await world.settle();
    expect([call.localRecordingStatus, rung.remoteRecordingStatus]).toEqual(['none', 'none']);
    expect(alice.platform.recorder.saved).toEqual(['camera.webm']);
  });

  it('D29: a camera that is switched behind a shared screen ends its own recording, and not that of the screen', async () => {
    for (const [recordsScreen, status] of [
      [false, 'none'],
      [true, 'recording'],
    ] as const) {
      const { call, world } = await connected();
      if (recordsScreen) await world.done(call.startScreenShare());
      call.startRecording(option(call, 'local_audio_and_video_remote_audio'));
      if (!recordsScreen) await world.done(call.startScreenShare());
      await world.done(call.switchCamera());
      expect(call.localRecordingStatus).toBe(status);
    }
  });

  it('REC-11 PAY-10 DC-53: the other side is notified, whichever side records', async () => {
    const { alice, bob, call, rung, world } = await connected();
    for (const [mine, theirs, party, other] of [
      [call, rung, alice, bob],
      [rung, call, bob, alice],
    ] as const) {
      const id = mine.startRecording(option(mine, 'local_remote_audios'));
      expect(mine.localRecordingStatus).toBe(RecordingStatus.RECORDING);
      await world.settle();
      expect(theirs.remoteRecordingStatus).toBe(RecordingStatus.RECORDING);
      expect(mine.stopRecording('another id')).toBe(false);
      expect(mine.stopRecording(id)).toBe(true);
      expect(mine.stopRecording(id)).toBe(false);
      expect(mine.localRecordingStatus).toBe(RecordingStatus.NONE);
      await world.settle();
      expect(theirs.remoteRecordingStatus).toBe(RecordingStatus.NONE);
      const payload = { call_id: mine.callId, recording_id: id, recording_type: 'local_remote_audios' };
      expect(party.sent('recording').map(({ cmd, payload: sent }) => [cmd, sent])).toEqual([
        ['COMM', { ...payload, recording_status: 'recording' }],
        ['COMM', { ...payload, recording_status: 'none' }],
      ]);
      expect(other.told().filter((name) => name === 'onRemoteRecordingStatusChanged')).toHaveLength(2);
    }
  });

  it('an invalid option is refused with the name of its field', async () => {
    const { call } = await connected();
    for (const [wrong, code, param] of [
      [{ callId: 'another call' }, ErrorCode.INVALID_PARAMETER_VALUE, 'callId'],
      [{ callId: 7 }, ErrorCode.INVALID_PARAMETER_TYPE, 'callId'],
      [{ recordingType: '' }, ErrorCode.INVALID_PARAMETER_VALUE, 'recordingType'],
      [{ fileName: 7 }, ErrorCode.INVALID_PARAMETER_TYPE, 'fileName'],
    ] as const) {
      expect(() => call.startRecording(Object.assign(option(call, 'remote_audio_only'), wrong))).toThrow(
        expect.objectContaining({ code, param }),
      );
    }
  });

  it('removed listeners get no event; one that throws affects no other', async () => {
    const { alice, call, heard, world } = await connected();
    const told: string[] = [];
    alice.client.addRecordingListener('thrower', {
      onRecordingSucceeded: () => {
        throw new Error('host');
      },
    });
    alice.client.addRecordingListener('last', { onRecordingSucceeded: () => told.push('last') });
    const record = async () => {
      call.stopRecording(call.startRecording(option(call, 'remote_audio_only')));
      await world.settle();
      return [heard.length, told.length];
    };
    expect(await record()).toEqual([1, 1]);
    expect(alice.errors().join('\n')).toMatch(/onRecordingSucceeded of the host threw/);
    alice.client.removeRecordingListener('test');
    expect(await record()).toEqual([1, 2]);
    alice.client.removeAllRecordingListeners();
    expect(await record()).toEqual([1, 2]);
  });
});

describe('the end of a call', () => {
  it('DC-41 REC-12: stops recording and screen share, saves the file, and leaves no timer or track', async () => {
    for (const ender of ['alice', 'bob'] as const) {
      const { alice, bob, call, rung, heard, world } = await connected();
      await world.done(call.startScreenShare());
      const [screen] = alice.platform.devices.screens;
      const id = call.startRecording(option(call, 'local_audio_and_video_remote_audio', 'talk'));
      rung.startRecording(option(rung, 'remote_audio_and_video', 'their side'));
      await world.advance(5_000);
      expect([call.remoteRecordingStatus, rung.remoteRecordingStatus]).toEqual(['recording', 'recording']);
      (ender === 'alice' ? call : rung).end();
      await world.settle();
      expect([screen?.readyState, call.isLocalScreenShareEnabled]).toEqual(['ended', false]);
      expect([call.localRecordingStatus, rung.localRecordingStatus]).toEqual(['none', 'none']);
      expect([call.remoteRecordingStatus, rung.remoteRecordingStatus]).toEqual(['none', 'none']);
      expect([alice.platform.recorder.saved, bob.platform.recorder.saved]).toEqual([
        ['talk.webm'],
        ['their side.webm'],
      ]);
      expect(heard.map(({ by, what }) => `${by} ${what}`).toSorted()).toEqual(['alice succeeded', 'bob succeeded']);
      expect(heard.find(({ by }) => by === 'alice')?.args.slice(0, 2)).toEqual([call.callId, id]);
      // Silent: the host gets no event of the share, and the exchange none of the recording, since its call is over.
      expect(alice.told()).not.toContain('onScreenShareStopped');
      expect(
        [...alice.sent('recording'), ...bob.sent('recording')].map(({ payload }) => payload['recording_status']),
      ).toEqual(['recording', 'recording']);
      expect([alice.leftovers(), bob.leftovers()]).toEqual([[], []]);
      expect([...alice.errors(), ...bob.errors()]).toEqual([]);
    }
  });
});
