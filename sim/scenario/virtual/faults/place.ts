import type { VirtualPlatform } from '../../../virtual/platform.ts';
import type { World } from '../../../virtual/world.ts';
import type { ExchangeClock } from '../exchange-clock.ts';
import type { VirtualServer } from '../virtual-server.ts';

/** The place where faults are injected: a world, its devices, and the clock of its exchange. */
export interface FaultPlace {
  readonly world: World<VirtualServer>;
  readonly exchangeClock: ExchangeClock;
  /** Returns all devices of an actor, or the one device of this name. Without a name: all devices. */
  readonly devicesOf: (actor?: string) => readonly VirtualPlatform[];
  readonly usersOf: (actor?: string) => readonly string[];
  /** The random numbers of this fault only: another fault does not change them. */
  readonly random: () => number;
}

/** A function that ends a fault. */
export type Mend = () => void;

/** Applies a fault to each device. Returns the function that ends all of them. */
export function each(devices: readonly VirtualPlatform[], harm: (device: VirtualPlatform) => Mend): Mend {
  const mendings = devices.map(harm);
  return () => mendings.forEach((mend) => mend());
}

/** The end of a permanent fault: it does nothing. */
export const forGood: Mend = () => undefined;
