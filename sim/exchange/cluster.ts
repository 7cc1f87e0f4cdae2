import type { Router } from './delivery/router.ts';
import type { DeviceDirectory } from './directory/devices.ts';

/**
 * What a cluster of exchanges replaces in each of its nodes. Each function gets the part of the node itself, and
 * returns one that also knows the other nodes.
 */
export interface Cluster {
  devices(here: DeviceDirectory): DeviceDirectory;
  router(here: Router): Router;
}
