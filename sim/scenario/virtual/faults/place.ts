import type { VirtualPlatform } from '../../../virtual/platform.ts';
import type { World } from '../../../virtual/world.ts';
import type { ExchangeClock } from '../exchange-clock.ts';
import type { VirtualServer } from '../virtual-server.ts';

/** Where faults are injected: a world, its devices, and the clock of its exchange. */
export interface FaultPlace {
  readonly world: World<VirtualServer>;
  readonly exchangeClock: ExchangeClock;
  /** Every device of an actor; the one device where the name is a device's; all there are, where no name is given. */
  readonly devicesOf: (actor?: string) => readonly VirtualPlatform[];
  readonly usersOf: (actor?: string) => readonly string[];
  /** The chances of this fault, its own: another fault beside it changes nothing about them. */
  readonly random: () => number;
}

/** Undoes what a fault did. */
export type Mend = () => void;

/** Harms each of these devices; the mending mends them all. */
export function each(devices: readonly VirtualPlatform[], harm: (device: VirtualPlatform) => Mend): Mend {
  const mendings = devices.map(harm);
  return () => mendings.forEach((mend) => mend());
}

/** What cannot be mended. */
export const forGood: Mend = () => undefined;
