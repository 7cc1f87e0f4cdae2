import type { Clock } from './clock.ts';
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
 * Everything outside the library, by port. There is an implementation for the browser (browser.ts), one over wrtc (the
 * terminal's) and a virtual one (the simulator's); each passes the same contract suites.
 */
export interface Platform {
  readonly clock: Clock;
  /** A number from 0 up to, not including, 1. */
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
  /** Where log lines go once their level is let through; already masked. */
  readonly print: (level: 'debug' | 'info' | 'warn' | 'error', line: string) => void;
}
