import type { Clock } from '../../src/common/clock.ts';
import type { DeviceId } from '../exchange/directory/sessions.ts';

/** The most calls of a device that are kept. */
const CALLS = 16;

/** The devices of this node that take part in calls of other nodes. */
export class CallsElsewhere {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #isHere: (device: DeviceId) => boolean;
  readonly #silenceMs: number;
  /**
   * When each device, or the node of its call, last sent something about that call, by the monotonic clock. By user,
   * client and call, the newest last.
   */
  readonly #parts = new Map<string, Map<string, Map<string, number>>>();

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
    const parts = this.#parts.get(device.userId) ?? new Map<string, Map<string, number>>();
    const calls = parts.get(device.clientId) ?? new Map<string, number>();
    calls.delete(callId);
    calls.set(callId, this.#clock.now());
    for (const oldest of calls.keys()) {
      if (calls.size <= CALLS) break;
      calls.delete(oldest);
    }
    this.#parts.set(device.userId, parts.set(device.clientId, calls));
  }

  /** Records that a call is over for a device. */
  ended({ userId, clientId }: DeviceId, callId: string): void {
    const calls = this.#parts.get(userId)?.get(clientId);
    calls?.delete(callId);
    if (calls?.size === 0) this.#remove(userId, clientId);
  }

  /** Forgets the devices of a user that are not connected to this node any more. */
  devicesChanged(userId: string): void {
    for (const clientId of this.#parts.get(userId)?.keys() ?? []) {
      if (!this.#isHere({ userId, clientId })) this.#remove(userId, clientId);
    }
  }

  /** Returns whether a device takes part in a call of another node. */
  has({ userId, clientId }: DeviceId): boolean {
    const last = [...(this.#parts.get(userId)?.get(clientId)?.values() ?? [])].at(-1);
    return last !== undefined && this.#clock.now() - last < this.#silenceMs;
  }

  #remove(userId: string, clientId: string): void {
    const parts = this.#parts.get(userId);
    parts?.delete(clientId);
    if (parts?.size === 0) this.#parts.delete(userId);
  }
}
