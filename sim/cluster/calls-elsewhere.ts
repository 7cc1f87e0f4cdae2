import type { Clock } from '../../src/common/clock.ts';
import type { DeviceId } from '../exchange/directory/sessions.ts';

interface Part {
  readonly callId: string;
  /** When the device or the node of the call last sent something about it, by the monotonic clock. */
  readonly at: number;
}

/** The devices of this node that take part in calls of other nodes. */
export class CallsElsewhere {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #isHere: (device: DeviceId) => boolean;
  readonly #silenceMs: number;
  /** The last call of each device, by user and client. */
  readonly #parts = new Map<string, Map<string, Part>>();

  /**
   * @param isHere - returns whether a device is connected to this node.
   * @param silenceMs - the longest silence of a device that takes part in a call. Milliseconds.
   */
  constructor(clock: Pick<Clock, 'now'>, isHere: (device: DeviceId) => boolean, silenceMs: number) {
    this.#clock = clock;
    this.#isHere = isHere;
    this.#silenceMs = silenceMs;
  }

  /** Records that a device of this node takes part in a call of another node. */
  begun(device: DeviceId, callId: string): void {
    if (!this.#isHere(device)) return;
    const parts = this.#parts.get(device.userId) ?? new Map<string, Part>();
    parts.set(device.clientId, { callId, at: this.#clock.now() });
    this.#parts.set(device.userId, parts);
  }

  /** Records that a call is over for a device. */
  ended({ userId, clientId }: DeviceId, callId: string): void {
    if (this.#parts.get(userId)?.get(clientId)?.callId === callId) this.#remove(userId, clientId);
  }

  /** Forgets the devices of a user that are not connected to this node any more. */
  devicesChanged(userId: string): void {
    for (const clientId of this.#parts.get(userId)?.keys() ?? []) {
      if (!this.#isHere({ userId, clientId })) this.#remove(userId, clientId);
    }
  }

  /** Returns whether a device takes part in a call of another node. */
  has({ userId, clientId }: DeviceId): boolean {
    const part = this.#parts.get(userId)?.get(clientId);
    return part !== undefined && this.#clock.now() - part.at < this.#silenceMs;
  }

  #remove(userId: string, clientId: string): void {
    const parts = this.#parts.get(userId);
    parts?.delete(clientId);
    if (parts?.size === 0) this.#parts.delete(userId);
  }
}
