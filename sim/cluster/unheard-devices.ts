import type { Clock } from '../../src/common/clock.ts';
import { deviceKey, type DeviceId } from '../exchange/directory/sessions.ts';
import type { NodeName } from './node-link.ts';

/** The devices of a node that fell silent. `until`: when they count as heard again, by the monotonic clock. */
interface Unheard {
  readonly devices: Set<string>;
  readonly until: number;
}

export interface UnheardDevicesOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** The time for which a silent node may have its devices. Milliseconds. */
  readonly silentMs: number;
  /** The time in which each device of a node that has returned sends something. Milliseconds. */
  readonly returnMs: number;
}

/**
 * The devices that were connected to nodes that fell silent. Such a node may only be cut off from the shared state, with
 * its devices: that nothing of them arrives here shows nothing.
 */
export class UnheardDevices {
  readonly #options: UnheardDevicesOptions;
  readonly #nodes = new Map<NodeName, Unheard>();

  constructor(options: UnheardDevicesOptions) {
    this.#options = options;
  }

  /** Records the devices of a node that fell silent. */
  fellSilent(node: NodeName, devices: readonly DeviceId[]): void {
    const { clock, silentMs } = this.#options;
    const now = clock.now();
    for (const [other, { until }] of this.#nodes) if (until <= now) this.#nodes.delete(other);
    // A node that is cut off again may not have announced its devices since.
    const before = this.#nodes.get(node)?.devices ?? [];
    this.#nodes.set(node, { devices: new Set([...before, ...devices.map(deviceKey)]), until: now + silentMs });
  }

  /** Records that a node is heard again. */
  returned(node: NodeName): void {
    const { clock, returnMs } = this.#options;
    const unheard = this.#nodes.get(node);
    const now = clock.now();
    if (unheard && now < unheard.until) this.#nodes.set(node, { ...unheard, until: now + returnMs });
  }

  /** Records that a device has connected to a node. A former node does not explain its silence any more. */
  connected(device: DeviceId, node: NodeName): void {
    const key = deviceKey(device);
    for (const [silent, { devices }] of this.#nodes) if (silent !== node) devices.delete(key);
  }

  has(device: DeviceId): boolean {
    const [key, now] = [deviceKey(device), this.#options.clock.now()];
    return [...this.#nodes.values()].some(({ devices, until }) => now < until && devices.has(key));
  }
}
