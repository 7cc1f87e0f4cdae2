import type { FaultSite } from '../../../faults/inject-fault.ts';
import type { VirtualPlatform } from '../../../virtual/platform.ts';
import type { VirtualNetworkWorld } from '../../../virtual/world.ts';
import type { VirtualCluster } from '../virtual-cluster.ts';

/** The place where faults are injected: a world, its devices, and its exchange. */
export interface FaultPlace extends FaultSite {
  readonly world: VirtualNetworkWorld<VirtualCluster>;
  /** Returns all devices of an actor, or the one device of this name. Without a name: all devices. */
  readonly devicesOf: (actor?: string) => readonly VirtualPlatform[];
  readonly usersOf: (actor?: string) => readonly string[];
}
