import type { Clock } from '../../common/clock.ts';
import type { DevicesPort } from './devices.ts';
import type { Environment } from './environment.ts';
import type { FetchPort } from './fetch.ts';
import type { FramesPort } from './frames.ts';
import type { PagePort } from './page.ts';
import type { RecorderPort } from './recorder.ts';
import type { RtcPort } from './rtc.ts';
import type { SocketPort } from './socket.ts';
import type { SoundsPort } from './sounds.ts';

/**
 * The ports of the library to the outside. There is an implementation for the browser (browser.ts), one over wrtc (the
 * terminal's) and a virtual one (the simulator's). Each passes the same contract suites.
 */
export interface Platform {
  readonly clock: Clock;
  /** Returns a number from 0 up to, not including, 1. */
  readonly random: () => number;
  /** Creates a unique identifier. */
  readonly newId: () => string;
  readonly environment: Environment;
  readonly sockets: SocketPort;
  readonly fetch: FetchPort;
  readonly rtc: RtcPort;
  readonly devices: DevicesPort;
  readonly frames: FramesPort;
  readonly recorder: RecorderPort;
  readonly page: PagePort;
  readonly sounds: SoundsPort;
  /** Prints log lines that passed their level. They are masked. */
  readonly print: (level: 'debug' | 'info' | 'warn' | 'error', line: string) => void;
}
