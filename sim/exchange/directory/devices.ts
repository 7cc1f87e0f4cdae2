import type { Link } from '../ports.ts';
import type { DeviceId, SignedIn } from './sessions.ts';

/** Another socket came for the same client. */
const CLOSE_REPLACED = 4000;

interface Device {
  readonly link: Link;
  /** The access token its client last logged in with, which the device may outlive; null where none was asked for. */
  accessToken: string | null;
}

/** The devices on the realtime channel. One client has one socket: the newest. */
export class Devices {
  readonly #byUser = new Map<string, Map<string, Device>>();
  readonly #onPresence: (userId: string) => void;

  /** @param onPresence - told when the first device of a user comes and when the last one goes. */
  constructor(onPresence: (userId: string) => void) {
    this.#onPresence = onPresence;
  }

  /** Takes a socket; the one this client had before is closed (F17). */
  attach({ userId, clientId }: DeviceId, link: Link, accessToken: string | null): void {
    const existing = this.#byUser.get(userId);
    const devices = existing ?? new Map<string, Device>();
    const replaced = devices.get(clientId);
    devices.set(clientId, { link, accessToken });
    this.#byUser.set(userId, devices);
    replaced?.link.close(CLOSE_REPLACED, 'replaced by a newer connection');
    if (!existing) this.#onPresence(userId);
  }

  /** Its client logged in anew: the device that is there goes on with this access token. */
  loggedIn({ userId, clientId }: DeviceId, accessToken: string | null): void {
    const device = this.#byUser.get(userId)?.get(clientId);
    if (device) device.accessToken = accessToken;
  }

  /** The socket closed. Says whether it was the one the device had: a replaced one closes late. */
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

  /** The clients of a user that are connected, in the order they came: all, or those whose client last logged in with this access token. */
  clientsOf(userId: string, accessToken?: string): string[] {
    return [...(this.#byUser.get(userId) ?? [])].flatMap(([clientId, device]) =>
      accessToken === undefined || device.accessToken === accessToken ? [clientId] : [],
    );
  }

  /** Whose clients logged in with access tokens, and with which. */
  signedIn(): SignedIn[] {
    return [...this.#byUser].flatMap(([userId, devices]) =>
      [...devices.values()].flatMap(({ accessToken }) => (accessToken === null ? [] : [{ userId, accessToken }])),
    );
  }

  isConnected(userId: string): boolean {
    return this.#byUser.has(userId);
  }

  /** Closes every socket: the exchange stops. */
  closeAll(code: number, reason: string): void {
    for (const devices of this.#byUser.values()) for (const { link } of devices.values()) link.close(code, reason);
  }

  get count(): number {
    return [...this.#byUser.values()].reduce((sum, devices) => sum + devices.size, 0);
  }
}
