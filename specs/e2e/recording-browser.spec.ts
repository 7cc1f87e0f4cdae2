/**
 * Tests recording and screen share between two hosts of the library in Chromium. Each file is checked by decoding
 * it.
 */
import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { RecordingType } from '../../src/calls/host/public-enumerations.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type * as Calls from '../../src/calls/index.ts';
import { connect, expectShown, expectTold, type Host, test, told } from './support/hosts-test.ts';
import { SHARED_TAB } from './support/shared-tab.ts';
import { ErrorCode } from '../../src/protocol/errors.ts';

/** In the pages. */
declare const calls: typeof Calls;

const ALICE = { tone: 500, colour: 'red' } as const;
const BOB = { tone: 1_300, colour: 'green' } as const;

/** Starts a recording. Returns its id. */
const start = ({ page }: Host, recordingType: RecordingType, fileName?: string): Promise<string> =>
  page.evaluate(
    ([type, name]) => {
      const call = pageHost.call();
      const option = { callId: call.callId, recordingType: type, fileName: name };
      return call.startRecording(new calls.DirectCallRecordOption(option));
    },
    [recordingType, fileName] as const,
  );

const stop = ({ page }: Host, id: string): Promise<boolean> =>
  page.evaluate((recording) => pageHost.call().stopRecording(recording), id);

/** Waits for some seconds of media of the other side. */
const recordedFor = ({ page }: Host, seconds: number): Promise<void> =>
  page.evaluate((frames) => pageHost.framesPass(frames), seconds * LIMITS.videoFrameRate);

/** Returns the next file that a page gets: its name and content. */
async function nextFile({ page }: Host, more: readonly number[] = []) {
  const download = await page.waitForEvent('download');
  const data = await readFile(await download.path());
  const decoded = await page.evaluate(
    async ([base64, ...tones]) =>
      pageHost.decode(await (await fetch(`data:application/octet-stream;base64,${base64}`)).blob(), tones),
    [data.toString('base64'), ALICE.tone, BOB.tone, ...more] as const,
  );
  return { name: download.suggestedFilename(), ...decoded };
}

test('REC-07 REC-08 REC-09 REC-10 REC-11 REC-12 (B25): each recording type makes a file that plays, with the tracks of its type', async ({
  host,
}) => {
  const [alice, bob] = await Promise.all([host('alice', ALICE), host('bob', BOB)]);
  await connect(alice, bob);
  const callId = await alice.page.evaluate(() => pageHost.call().callId);
  const [mine, theirs] = [ALICE.tone, BOB.tone];
  for (const [type, given, name, tones, colour] of [
    ['remote_audio_and_video', undefined, `remote_audio_and_video_${callId}_TIME.webm`, [theirs], BOB.colour],
    ['remote_audio_only', '../../x', 'x.webm', [theirs], null],
    ['local_remote_audios', 'a\0b', 'a_b.webm', [mine, theirs], null],
    ['local_audio_remote_audio_and_video', '5'.repeat(5_120), `${'5'.repeat(250)}.webm`, [mine, theirs], BOB.colour],
    ['local_audio_and_video_remote_audio', 'x.exe', 'x.exe.webm', [mine, theirs], ALICE.colour],
  ] as const) {
    const id = await start(alice, type, given);
    const startedAt = performance.now();
    await expectTold(bob, 'remote recording recording');
    expect(await alice.page.evaluate(() => pageHost.call().localRecordingStatus)).toBe('recording');
    await recordedFor(alice, 1.5);
    const [file, stopped] = await Promise.all([nextFile(alice), stop(alice, id)]);
    const length = (performance.now() - startedAt) / 1_000;

    expect([stopped, file.name.replace(/_\d{13}\./, '_TIME.')]).toEqual([true, name]);
    expect(file.tracks).toEqual(colour === null ? ['audio'] : ['audio', 'video']);
    expect([type, file.colour, file.tones]).toEqual([type, colour, tones]);
    expect(file.duration).toBeGreaterThan(1);
    expect(file.duration).toBeLessThan(length + 0.3);
    expect(file.seekable).toBe(file.duration);
    await expectTold(alice, `recorded ${type} true ${id} ${file.name}`);
    await expectTold(bob, 'remote recording recording', 'remote recording none');
  }

  // The other side ends the call, and the recording is saved.
  const id = await start(alice, 'remote_audio_and_video', 'to the end');
  await expectTold(bob, 'remote recording recording');
  await recordedFor(alice, 1);
  const [file] = await Promise.all([nextFile(alice), bob.page.evaluate(() => pageHost.call().end())]);
  expect([file.name, file.colour, file.tones]).toEqual(['to the end.webm', BOB.colour, [theirs]]);
  expect(file.duration).toBeGreaterThan(0.5);
  await expectTold(alice, 'ended COMPLETED', `recorded remote_audio_and_video true ${id} ${file.name}`);
  await expectTold(bob, 'remote recording recording', 'ended COMPLETED');
  for (const { page } of [alice, bob]) {
    const { localRecordingStatus: local, remoteRecordingStatus: remote } = await page.evaluate(() => {
      const { localRecordingStatus, remoteRecordingStatus } = pageHost.call();
      return { localRecordingStatus, remoteRecordingStatus };
    });
    expect([local, remote]).toEqual(['none', 'none']);
  }
});

test('D29 REC-10 DEV-03: a recording follows a change of microphone and of connection; it is saved when its picture ends', async ({
  host,
  sim,
}) => {
  const SECOND = 2_300;
  const [alice, bob] = await Promise.all([host('alice', ALICE), host('bob', BOB)]);
  await connect(alice, bob);
  const id = await start(alice, 'local_remote_audios', 'followed');
  const pictured = await start(bob, 'remote_audio_and_video', 'pictured');
  await expectTold(bob, 'remote recording recording');
  await recordedFor(alice, 2);

  await alice.page.evaluate((tone) => pageHost.plugMicrophone('microphone-2', tone), SECOND);
  const listed = () => alice.page.evaluate(() => calls.getAvailableAudioInputDevices().map(({ deviceId }) => deviceId));
  await expect.poll(listed).toEqual(['microphone-2']);
  await alice.page.evaluate(async () => {
    const [device] = calls.getAvailableAudioInputDevices();
    if (device) await calls.selectAudioInputDevice(device);
  });
  await recordedFor(alice, 1);

  // Another connection replaces the first, so the picture that Bob records ends.
  const coming = nextFile(bob, [SECOND]);
  sim.exchange.changeTurn();
  const cut = await coming;
  expect([cut.name, cut.colour, cut.ends[0]]).toEqual(['pictured.webm', ALICE.colour, [ALICE.tone]]);
  await expectTold(bob, `recorded remote_audio_and_video true ${pictured} pictured.webm`);
  expect(await bob.page.evaluate(() => pageHost.call().localRecordingStatus)).toBe('none');
  expect(await alice.page.evaluate(() => pageHost.call().localRecordingStatus)).toBe('recording');

  await recordedFor(alice, 3);
  const [file] = await Promise.all([nextFile(alice, [SECOND]), stop(alice, id)]);
  expect([file.name, file.tracks]).toEqual(['followed.webm', ['audio']]);
  expect(file.ends.map((tones) => tones.toSorted((one, other) => one - other))).toEqual([
    [ALICE.tone, BOB.tone],
    [BOB.tone, SECOND],
  ]);
  await bob.page.evaluate(() => pageHost.call().end());
});

test('REC-05 REC-06 ERR-1800613 ERR-1800614 ERR-1800615 ERR-1800616 ERR-1800618: a browser that cannot record refuses with the named error, and no part keeps running', async ({
  host,
}) => {
  const oldSystem =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 13_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
  const [alice, bob] = await Promise.all([host('alice', ALICE), host('bob', { ...BOB, userAgent: oldSystem })]);
  await connect(alice, bob);
  /** Records two sounds in a changed page. Returns the error, and the audio mixes that were left open. */
  const refusal = ({ page }: Host, change: 'no recorder' | 'no start') =>
    page.evaluate(async (changed) => {
      const [Recorder, Context] = [MediaRecorder, AudioContext];
      const mixes: AudioContext[] = [];
      globalThis.AudioContext = class extends Context {
        constructor() {
          super();
          mixes.push(this);
        }
      };
      if (changed === 'no recorder') Reflect.deleteProperty(globalThis, 'MediaRecorder');
      else {
        globalThis.MediaRecorder = class extends Recorder {
          override start() {
            throw new DOMException('no encoder is free', 'UnknownError');
          }
        };
      }
      const call = pageHost.call();
      try {
        const recordingType = 'local_remote_audios';
        call.startRecording(new calls.DirectCallRecordOption({ callId: call.callId, recordingType }));
        return null;
      } catch (error) {
        const { code, name, message } = error as Calls.CallError;
        return { code, name, message, status: call.localRecordingStatus, mixes: mixes.map(({ state }) => state) };
      } finally {
        [globalThis.MediaRecorder, globalThis.AudioContext] = [Recorder, Context];
      }
    }, change);

  expect(await refusal(alice, 'no recorder')).toEqual({
    code: ErrorCode.ERR_NOT_SUPPORTED_BROWSER_FOR_RECORDING,
    name: 'ERR_NOT_SUPPORTED_BROWSER_FOR_RECORDING',
    message: "The browser doesn't support media recording.",
    status: 'none',
    mixes: [],
  });
  expect(await refusal(bob, 'no recorder')).toMatchObject({
    code: ErrorCode.ERR_NOT_SUPPORTED_OS_VERSION_FOR_RECORDING,
    name: 'ERR_NOT_SUPPORTED_OS_VERSION_FOR_RECORDING',
    message: "The operating system version doesn't support media recording.",
    status: 'none',
  });
  expect(await refusal(alice, 'no start')).toEqual({
    code: ErrorCode.ERR_FAILED_TO_START_RECORDING,
    name: 'ERR_FAILED_TO_START_RECORDING',
    message: "Couldn't start a recording session.",
    status: 'none',
    mixes: ['closed'],
  });

  // A file that the page may not download, and a recorder that fails.
  await alice.page.evaluate(() => {
    URL.createObjectURL = () => {
      throw new TypeError('no address');
    };
  });
  const unsaved = await start(alice, 'remote_audio_only');
  await expectTold(bob, 'remote recording recording');
  await stop(alice, unsaved);
  await expectTold(alice, `not recorded true ${unsaved} 1800613 ERR_FAILED_TO_OPEN_FILE`);
  await alice.page.evaluate(() => {
    const { start: begin } = MediaRecorder.prototype;
    MediaRecorder.prototype.start = function (this: MediaRecorder) {
      begin.call(this);
      setTimeout(() => this.dispatchEvent(new Event('error')), 100);
    };
  });
  const broken = await start(alice, 'remote_audio_only');
  await expectTold(alice, `not recorded true ${broken} 1800615 ERR_FAILED_TO_STOP_RECORDING`);
  await expectTold(
    bob,
    ...Array.from({ length: 2 }, () => ['remote recording recording', 'remote recording none']).flat(),
  );
  expect(await alice.page.evaluate(() => pageHost.call().localRecordingStatus)).toBe('none');
});

test('SS-01 SS-11 DC-35: a shared tab replaces the camera, also through a reconnection, until the user closes the tab', async ({
  host,
  path,
}) => {
  const [alice, bob] = await Promise.all([host('alice', ALICE), host('bob', BOB)]);
  await connect(alice, bob);
  const sent = () =>
    alice.page.evaluate(() => {
      const { id = '', label = '' } = pageHost.sentPicture() ?? {};
      return {
        id,
        isTab: label.startsWith('web-contents-media-stream:'),
        shares: pageHost.call().isLocalScreenShareEnabled,
      };
    });
  const openSlides = async (colour: string) => {
    const slides = await alice.page.context().newPage();
    await slides.setContent(`<title>${SHARED_TAB}</title><body style="background: ${colour}">`);
    return slides;
  };
  const share = () => alice.page.evaluate(() => pageHost.call().startScreenShare());
  const expectPicture = async (colour: 'red' | 'blue' | 'yellow') => {
    await expectShown(bob, 'remote', colour);
    await expectShown(alice, 'local', colour);
  };
  const camera = await sent();
  expect(camera).toMatchObject({ isTab: false, shares: false });

  const slides = await openSlides('blue');
  await share();
  await expectPicture('blue');
  expect(await sent()).toMatchObject({ isTab: true, shares: true });

  path.cut();
  for (const one of [alice, bob]) await expectTold(one, 'reconnecting');
  expect(await sent()).toMatchObject({ isTab: true, shares: true });
  await slides.evaluate(() => (document.body.style.background = 'yellow'));
  path.restore();
  for (const one of [alice, bob]) await expectTold(one, 'reconnected');
  await expectPicture('yellow');

  // The browser ends the track.
  await slides.close();
  await expectTold(alice, 'share stopped');
  await expectPicture('red');
  expect(await sent()).toEqual(camera);

  // A second share, which the host stops.
  await openSlides('blue');
  await share();
  await expectPicture('blue');
  const codes = await alice.page.evaluate(() => {
    const call = pageHost.call();
    call.stopScreenShare();
    try {
      call.stopScreenShare();
      return null;
    } catch (error) {
      return (error as Calls.CallError).code;
    }
  });
  expect(codes).toBe(ErrorCode.ERR_NO_SCREEN_SHARE_EXISTS);
  await expectPicture('red');
  expect(await sent()).toEqual(camera);
  expect((await told(alice)).slice(-2)).toEqual(['share stopped', 'share stopped']);
});
