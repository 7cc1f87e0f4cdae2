/** The objects that the pages of platform-browser.spec.ts use. */
import { CallSounds } from '../../../src/calls/media/sounds.ts';
import { LocalMedia } from '../../../src/calls/media/local-media.ts';
import { MediaDevices } from '../../../src/calls/media/media-devices.ts';
import { browserPlatform } from '../../../src/calls/platform/browser.ts';
import { StatsSampler } from '../../../src/calls/stats/sampler.ts';
import { clockContract } from '../../contract/ports/clock.contract.ts';
import { type ContractSuite, eventually, setPatience } from '../../contract/ports/contract.ts';
import { devicesContract } from '../../contract/ports/devices.contract.ts';
import { fetchContract } from '../../contract/ports/fetch.contract.ts';
import { framesContract } from '../../contract/ports/frames.contract.ts';
import { recorderContract } from '../../contract/ports/recorder.contract.ts';
import { rtcContract } from '../../contract/ports/rtc.contract.ts';
import { socketContract } from '../../contract/ports/socket.contract.ts';

const platform = browserPlatform();
const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const track = (kind: 'audio' | 'video') =>
  kind === 'audio' ? platform.devices.silence() : platform.devices.blackPicture();
const dead = 'localhost:1';

/** The server side of the newest socket, by the test requests of the server. */
const farEnd = {
  received: async (): Promise<string[]> => (await fetch('/far-end/received')).json(),
  send: async (text: string) => void (await fetch('/far-end/send', { method: 'POST', body: text })),
  close: async (code: number) => void (await fetch('/far-end/close', { method: 'POST', body: String(code) })),
};

/** Runs each case of a suite. Returns the titles, and the failures. */
async function run<Subject>(suite: ContractSuite<Subject>, subject: Subject) {
  const results: { title: string; broken: string | null }[] = [];
  for (const { title, run: runCase } of suite) {
    const broken = await runCase(subject).then(
      () => null,
      (error: unknown) => String(error),
    );
    results.push({ title, broken });
  }
  return results;
}

const contracts = {
  clock: () => run(clockContract, { clock: platform.clock, pass }),
  devices: () => run(devicesContract, { devices: platform.devices, pass }),
  fetch: () =>
    run(fetchContract, { fetch: platform.fetch, pass, origin: location.origin, deadOrigin: `http://${dead}` }),
  frames: () =>
    run(framesContract, {
      frames: platform.frames,
      element: (stream) =>
        Object.assign(document.createElement('video'), { srcObject: stream, muted: true, autoplay: true }),
      picture: () => platform.rtc.createMediaStream([platform.devices.blackPicture()]),
      pass,
    }),
  recorder: () => run(recorderContract, { recorder: platform.recorder, track, pass }),
  rtc: () => run(rtcContract, { rtc: [platform.rtc, platform.rtc], track, pass }),
  socket: () =>
    run(socketContract, {
      sockets: platform.sockets,
      pass,
      url: `ws://${location.host}/far-end`,
      deadUrl: `ws://${dead}/`,
      refusingUrl: `ws://${location.host}/refused`,
      server: farEnd,
    }),
};

/** The media of a call without selected devices. */
function localMedia(log: { warning: (line: string) => void }): LocalMedia {
  const { devices, rtc, page } = platform;
  return new LocalMedia({
    devices,
    rtc,
    log,
    choice: new MediaDevices({ devices, page, log, changed: () => undefined }),
  });
}

export const lab = {
  browserPlatform,
  CallSounds,
  localMedia,
  StatsSampler,
  platform,
  contracts,
  /** Multiplies the limits of this page by the factor of the machine. */
  setPatience,
  /**
   * Waits until the condition holds.
   *
   * @throws Error that names the condition.
   */
  eventually: (holds: () => boolean, promise: string) => eventually(pass, holds, promise, 20_000),
};

Object.assign(globalThis, { lab });
