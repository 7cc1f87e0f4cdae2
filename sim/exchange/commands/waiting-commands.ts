import { deviceKey, type DeviceId } from '../directory/sessions.ts';

/** A command that waits. */
interface Wait {
  hasLogin: boolean;
}

/**
 * The commands that wait until it is known which exchange carries them out. A command has no effect when the login of its
 * device ends meanwhile: the device would be a side of a call, or in a room, that it cannot leave. An entry lives as long
 * as its command waits. The rate limits of commands bound their number.
 */
export class WaitingCommands {
  readonly #waits = new Map<string, Set<Wait>>();

  /**
   * Does what a command of a device waits for. Returns the result, and whether the device is still logged in. Rejects as
   * the work does.
   */
  async during<Result>(device: DeviceId, work: () => Promise<Result>): Promise<{ result: Result; hasLogin: boolean }> {
    const key = deviceKey(device);
    const wait: Wait = { hasLogin: true };
    const waits = this.#waits.get(key) ?? new Set();
    this.#waits.set(key, waits.add(wait));
    try {
      const result = await work();
      return { result, hasLogin: wait.hasLogin };
    } finally {
      waits.delete(wait);
      if (waits.size === 0) this.#waits.delete(key);
    }
  }

  /** Records that the login of a device is over. */
  loginEnded(device: DeviceId): void {
    for (const wait of this.#waits.get(deviceKey(device)) ?? []) wait.hasLogin = false;
  }
}
