/** One device of a real world: the library's ports over wrtc and real sockets, and what can be broken of each. */
import type { Platform } from '../../../src/calls/platform/platform.ts';
import { seededRandom, seedFor } from '../../../sim/virtual/random.ts';
import { VirtualPage } from '../../../sim/virtual/page.ts';
import { createWrtcPlatform } from '../../headless/platform/wrtc-platform.ts';
import { measuredMedia, type MeasuredMedia } from './heard-and-seen.ts';
import { openGate, type Gate } from './gate.ts';
import { breakableDevices, type BreakableDevices } from './real-devices.ts';
import { type CountedClock, scaledClock } from './scaled-clock.ts';
import { wiredFetch, wiredSockets, type Wiring } from './wire.ts';

export interface RealPlatform extends Platform {
  readonly clock: CountedClock;
  readonly devices: BreakableDevices;
  readonly page: VirtualPage;
}

/** A device, and the gates its channel and its requests go through. */
export interface RealDevice {
  readonly platform: RealPlatform;
  readonly media: MeasuredMedia;
  readonly channelGate: Gate;
  readonly httpGate: Gate;
  /** Requests that are under way have been answered. */
  settled(): Promise<void>;
}

export interface RealDeviceOptions {
  readonly name: string;
  readonly seed: number;
  readonly timeScale: number;
  /** Hertz of what its microphone hears. */
  readonly tone: number;
  /** The exchange's port. */
  readonly port: number;
  readonly wiring: Wiring;
}

/** Small pictures: a scenario looks whether they come, not how fine they are. */
const PICTURE = { width: 160, height: 120, fps: 15 };

export async function openRealDevice(options: RealDeviceOptions): Promise<RealDevice> {
  const { name, seed, timeScale, tone, port, wiring } = options;
  const media = { tone, ...PICTURE };
  const inner = createWrtcPlatform(media, () => undefined);
  const measured = measuredMedia(inner.rtc);
  const [channelGate, httpGate] = await Promise.all([openGate(port), openGate(port)]);
  return {
    platform: {
      ...inner,
      clock: scaledClock(timeScale),
      // What is left to chance, a wait between two tries, is the same for the same seed.
      random: seededRandom(seedFor(seed, name)),
      sockets: wiredSockets(name, inner.sockets, wiring),
      fetch: wiredFetch(name, inner.fetch, wiring),
      rtc: measured.rtc,
      devices: breakableDevices(media),
      page: new VirtualPage(),
    },
    media: measured,
    channelGate,
    httpGate,
    settled: () => inner.requestsSettled(),
  };
}
