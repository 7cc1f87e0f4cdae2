import type { Link } from '../ports.ts';
import type { DeviceId, SignedIn } from './sessions.ts';

/** Another socket of the same client replaced this one. */
const CLOSE_REPLACED = 4000;

interface Device {
  readonly link: Link;
  /** The hash of the access token of the client's last login, which the device may outlive. Null without one. */
  access: string | null;
}

/**
 * The devices on the realtime channel, as the decisions about calls need them. The answers are those of this moment: a
 * dial waits for none. A cluster answers from its copy of what the other nodes published.
 */
export interface DeviceDirectory {
  /**
   * Returns the connected clients of a user in the order of their connection. With `access`, only those whose last login
   * used the access token with this hash.
   */
  clientsOf(userId: string, access?: string): string[];
  /** Returns whether the user has a connected device. */
  isConnected(userId: string): boolean;
  /** Returns whether the device is connected. */
  has(device: DeviceId): boolean;
  /** Returns the connected users who logged in with access tokens, with the hashes of the tokens. */
  signedIn(): SignedIn[];
}

/** The devices on the realtime channel of this exchange. A client has one socket: the newest. */
export class Devices implements DeviceDirectory {
  readonly #byUser = new Map<string, Map<string, Device>>();
  readonly #onPresence: (userId: string) => void;

  /** @param onPresence - called when the first device of a user connects and when the last one disconnects. */
  constructor(onPresence: (userId: string) => void) {
    this.#onPresence = onPresence;
  }

  /** Attaches a socket, and closes the former one of this client (F17). */
  attach({ userId, clientId }: DeviceId, link: Link, access: string | null): void {
    const existing = this.#byUser.get(userId);
    const devices = existing ?? new Map<string, Device>();
    const replaced = devices.get(clientId);
    devices.set(clientId, { link, access });
    this.#byUser.set(userId, devices);
    replaced?.link.close(CLOSE_REPLACED, 'replaced by a newer connection');
    if (!existing) this.#onPresence(userId);
  }

  /** Records that the client logged in again. Its connected device continues with this access. */
  loggedIn({ userId, clientId }: DeviceId, access: string | null): void {
    const device = this.#byUser.get(userId)?.get(clientId);
    if (device) device.access = access;
  }

  /** Detaches a closed socket. Returns whether it was the device's current one: a replaced socket closes late. */
  detach({ userId, clientId }: DeviceId, link: Link): boolean {
    const devices = this.#byUser.get(userId);
    if (devices?.get(clientId)?.link !== link) return false;
    devices.delete(clientId);
    if (devices.size > 0) return true;
    this.#byUser.delete(userId);
    this.#onPresence(userId);
    return true;
  }

  link({ userId, clientId }: DeviceId): Link | undefined {
    return this.#byUser.get(userId)?.get(clientId)?.link;
  }

  has(device: DeviceId): boolean {
    return this.link(device) !== undefined;
  }

  clientsOf(userId: string, access?: string): string[] {
    return [...(this.#byUser.get(userId) ?? [])].flatMap(([clientId, device]) =>
      access === undefined || device.access === access ? [clientId] : [],
    );
  }

  signedIn(): SignedIn[] {
    return [...this.#byUser].flatMap(([userId, devices]) =>
      [...devices.values()].flatMap(({ access }) => (access === null ? [] : [{ userId, access }])),
    );
  }

  isConnected(userId: string): boolean {
    return this.#byUser.has(userId);
  }

  /** Returns the devices of a user with the hashes of their access tokens, in the order of their connection. */
  of(userId: string): { readonly clientId: string; readonly access: string | null }[] {
    return [...(this.#byUser.get(userId) ?? [])].map(([clientId, { access }]) => ({ clientId, access }));
  }

  /** Every connected device. */
  get all(): DeviceId[] {
    return [...this.#byUser].flatMap(([userId, devices]) =>
      [...devices.keys()].map((clientId) => ({ userId, clientId })),
    );
  }

  /** Closes every socket when the exchange stops. */
  closeAll(code: number, reason: string): void {
    for (const devices of this.#byUser.values()) for (const { link } of devices.values()) link.close(code, reason);
  }

  get count(): number {
    return [...this.#byUser.values()].reduce((sum, devices) => sum + devices.size, 0);
  }
}
