import type { Clock } from '../../../src/common/clock.ts';
import { AgingMap } from '../limits/aging-map.ts';
import type { Sha256 } from '../ports.ts';
import { deviceKey, type DeviceId } from './sessions.ts';

interface Bridge {
  readonly device: DeviceId;
  /** When it expires, by the monotonic clock. */
  readonly until: number;
}

/** The most sessions whose hash is kept. A call in its set-up asks for it with each write. */
const KNOWN_HASHES = 1_000;

/**
 * Sessions of the former exchange, for the devices with a live call. For a short time such a device may send HTTP
 * requests with its former session, until its client logs in again. So it can end or accept a call after a restart.
 * Only a hash of each token is known. A bridge does not open a channel.
 */
export class Bridges {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #sha256: Sha256 | undefined;
  readonly #lifeMs: number;
  readonly #byHash = new Map<string, Bridge>();
  /** The hash of each device's session. */
  readonly #hashes = new Map<string, string>();
  /** The hashes of the tokens that were asked for last, oldest first. */
  readonly #known = new AgingMap<string, string>();

  constructor(clock: Pick<Clock, 'now'>, sha256: Sha256 | undefined, lifeMs: number) {
    this.#clock = clock;
    this.#sha256 = sha256;
    this.#lifeMs = lifeMs;
  }

  /** Returns the stored form of a session of this exchange. Null without a session, or without a hash function. */
  hashOf(token: string | undefined): string | null {
    if (token === undefined || !this.#sha256) return null;
    const known = this.#known.get(token);
    if (known !== undefined) return known;
    const hash = this.#sha256(token);
    this.#known.set(token, hash);
    this.#known.dropOldest(() => this.#known.size > KNOWN_HASHES);
    return hash;
  }

  /** Lets a device use the session it had. */
  add(hash: string, device: DeviceId): void {
    this.remove(device);
    this.#hashes.set(deviceKey(device), hash);
    this.#byHash.set(hash, { device, until: this.#clock.now() + this.#lifeMs });
  }

  /** Returns the device of a former session. Undefined for an unknown or expired one, and for another client. */
  find(token: string, clientId: string): DeviceId | undefined {
    // Any client may send any token, so its hash is not kept.
    const bridge = this.#byHash.get(this.#sha256?.(token) ?? '');
    if (!bridge || bridge.device.clientId !== clientId || bridge.until <= this.#clock.now()) return undefined;
    return bridge.device;
  }

  /** Removes the bridge of a device that has logged in again. */
  remove(device: DeviceId): void {
    const hash = this.#hashes.get(deviceKey(device));
    if (hash === undefined) return;
    this.#hashes.delete(deviceKey(device));
    this.#byHash.delete(hash);
  }

  /** Revokes the bridges of a user. */
  revoke(userId: string): void {
    for (const { device } of this.#byHash.values()) if (device.userId === userId) this.remove(device);
  }
}
