import type { Environment } from '../../src/calls/platform/environment.ts';
import type { Platform } from '../../src/calls/platform/platform.ts';
import type { VirtualClock } from './clock.ts';
import { DeviceClock } from './device-clock.ts';
import { VirtualDevices } from './devices.ts';
import type { MediaNetwork } from './media-network.ts';
import type { VirtualNetwork } from './network.ts';
import type { NetworkAttachment } from './network-attachment.ts';
import { virtualEnvironment, VirtualFrames, VirtualPage } from './page.ts';
import { seededRandom, seedFor } from './random.ts';
import { VirtualRecorder } from './recorder.ts';
import { VirtualRtc } from './rtc.ts';
import { VirtualSounds } from './sounds.ts';

/** A device of the simulated world: every port of the library, with the controls of a test. */
export interface VirtualPlatform extends Platform {
  readonly name: string;
  readonly clock: DeviceClock;
  /** The device's connection to the network: a test can cut it, restore it and reset its sockets. */
  readonly net: NetworkAttachment;
  readonly rtc: VirtualRtc;
  readonly devices: VirtualDevices;
  readonly frames: VirtualFrames;
  readonly recorder: VirtualRecorder;
  readonly page: VirtualPage;
  readonly sounds: VirtualSounds;
  /** What the library printed, in order. */
  readonly printed: string[];
}

export function createVirtualPlatform(
  name: string,
  { clock, network, media, seed }: { clock: VirtualClock; network: VirtualNetwork; media: MediaNetwork; seed: number },
  environment: Partial<Environment> = {},
): VirtualPlatform {
  const random = seededRandom(seedFor(seed, name));
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `${name}-${ids}`;
  };
  const net = network.attach(name);
  const printed: string[] = [];
  return {
    name,
    clock: new DeviceClock(clock),
    random,
    newId,
    environment: virtualEnvironment(environment),
    net,
    sockets: net.sockets,
    fetch: net.fetch,
    rtc: new VirtualRtc({ node: name, clock, random, newId, media }),
    devices: new VirtualDevices(clock, newId),
    frames: new VirtualFrames(),
    recorder: new VirtualRecorder(clock),
    page: new VirtualPage(),
    sounds: new VirtualSounds(clock),
    printed,
    print: (_level, line) => {
      printed.push(line);
    },
  };
}
