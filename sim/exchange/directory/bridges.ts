import type { Clock, Sha256 } from '../ports.ts';
import { deviceKey, type DeviceId } from './sessions.ts';

interface Bridge {
  readonly device: DeviceId;
  /** By the monotonic clock. */
  readonly until: number;
}

/**
 * Sessions of the exchange before this one, of the devices that have a live call. For a short while such a device may ask by
 * HTTP with the session it had, until its client has signed in again: so a call can be ended or accepted meanwhile. Only a
 * hash of each token is known, and no channel is opened with one.
 */
export class Bridges {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #sha256: Sha256 | undefined;
  readonly #lifeMs: number;
  readonly #byHash = new Map<string, Bridge>();
  /** The hash of each device's session. */
  readonly #hashes = new Map<string, string>();

  constructor(clock: Pick<Clock, 'monotonic'>, sha256: Sha256 | undefined, lifeMs: number) {
    this.#clock = clock;
    this.#sha256 = sha256;
    this.#lifeMs = lifeMs;
  }

  /** What is written down of a session; null where there is none, or nothing to hash with. */
  hashOf(token: string | undefined): string | null {
    return token === undefined ? null : (this.#sha256?.(token) ?? null);
  }

  /** Lets a device ask with the session it had. */
  add(hash: string, device: DeviceId): void {
    this.remove(device);
    this.#hashes.set(deviceKey(device), hash);
    this.#byHash.set(hash, { device, until: this.#clock.monotonic() + this.#lifeMs });
  }

  /** Whose session it was; undefined where it is none of these, its time is over, or another client uses it. */
  find(token: string, clientId: string): DeviceId | undefined {
    const bridge = this.#byHash.get(this.hashOf(token) ?? '');
    if (!bridge || bridge.device.clientId !== clientId || bridge.until <= this.#clock.monotonic()) return undefined;
    return bridge.device;
  }

  /** The device has signed in again. */
  remove(device: DeviceId): void {
    const hash = this.#hashes.get(deviceKey(device));
    if (hash === undefined) return;
    this.#hashes.delete(deviceKey(device));
    this.#byHash.delete(hash);
  }

  /** Ends those of a user. */
  revoke(userId: string): void {
    for (const { device } of this.#byHash.values()) if (device.userId === userId) this.remove(device);
  }
}
