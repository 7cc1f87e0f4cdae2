/** A device of a real world: the ports of the library over wrtc and real sockets, and the faults of each port. */
import type { Clock } from '../../../src/common/clock.ts';
import type { Platform } from '../../../src/calls/platform/platform.ts';
import { toneOf } from '../../../sim/scenario/actor/received-media.ts';
import { seededRandom, seedFor } from '../../../sim/virtual/random.ts';
import { VirtualPage } from '../../../sim/virtual/page.ts';
import { createWrtcPlatform } from '../../headless/platform/wrtc-platform.ts';
import { measuredMedia, type MeasuredMedia } from './heard-and-seen.ts';
import { openGate, type Gate } from './gate.ts';
import { breakableDevices, type BreakableDevices } from './real-devices.ts';
import { type CountedClock, scaledClock } from './scaled-clock.ts';
import { type Wire, wiredFetch, wiredSockets } from './wire.ts';

export interface RealPlatform extends Platform {
  readonly clock: CountedClock;
  readonly devices: BreakableDevices;
  readonly page: VirtualPage;
}

/** A device, and the gates of its channel and its requests. */
export interface RealDevice {
  readonly platform: RealPlatform;
  readonly media: MeasuredMedia;
  readonly channelGate: Gate;
  readonly httpGate: Gate;
  /** Resolves when all pending requests are answered. */
  settled(): Promise<void>;
}

export interface RealDeviceOptions {
  readonly name: string;
  readonly seed: number;
  readonly timeScale: number;
  /** The names of all devices. The n-th has the n-th tone. */
  readonly names: readonly string[];
  /** Whether the scenario reads the received media. */
  readonly readsMedia: boolean;
  /** The port of the exchange. */
  readonly port: number;
  readonly wire: Wire;
  /** The clock of the library. Default: that of the host. */
  readonly clock?: Clock | undefined;
}

/** Small pictures, because a scenario checks only whether they arrive. */
const PICTURE = { width: 160, height: 120, fps: 15 };

export async function openRealDevice(options: RealDeviceOptions): Promise<RealDevice> {
  const { name, names, readsMedia: isRead, seed, timeScale, port, wire, clock } = options;
  const media = { tone: toneOf(names.indexOf(name)), ...PICTURE };
  const inner = createWrtcPlatform(media, () => undefined);
  const measured = measuredMedia(inner.rtc, { clock: inner.clock, names, isRead });
  const [channelGate, httpGate] = await Promise.all([openGate(port), openGate(port)]);
  return {
    platform: {
      ...inner,
      clock: scaledClock(timeScale, clock),
      // Random waits, such as those between retries, are the same for the same seed.
      random: seededRandom(seedFor(seed, name)),
      sockets: wiredSockets(name, inner.sockets, wire),
      fetch: wiredFetch(name, inner.fetch, wire),
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
