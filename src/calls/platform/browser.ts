import { browserDevices } from './browser/devices.ts';
import { browserEnvironment } from './browser/environment.ts';
import { browserFetch } from './browser/fetch.ts';
import { browserFrames } from './browser/frames.ts';
import { hostClock } from '../../common/host-clock.ts';
import { newId } from './browser/new-id.ts';
import { browserPage } from './browser/page.ts';
import { browserRecorder } from './browser/recorder.ts';
import { browserRtc } from './browser/rtc.ts';
import { browserSockets } from './browser/sockets.ts';
import { browserSounds } from './browser/sounds.ts';
import type { Platform } from './platform.ts';

/**
 * Returns the ports of the browser. Importing this file touches no global, and neither does a call without a window:
 * `environment` states what is missing.
 */
export function browserPlatform(): Platform {
  const clock = hostClock();
  return {
    clock,
    random: Math.random,
    newId,
    environment: browserEnvironment(),
    sockets: browserSockets(),
    fetch: browserFetch(),
    rtc: browserRtc(),
    devices: browserDevices(clock),
    frames: browserFrames(),
    recorder: browserRecorder(clock),
    page: browserPage(),
    sounds: browserSounds(clock),
    print: (level, line) => console[level](line),
  };
}
