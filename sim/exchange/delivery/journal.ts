import type { AnyCommandFrame, EventFrame, ReplyFrame, RoomEventFrame } from '../../../src/protocol/envelope.ts';
import type { DeviceId } from '../directory/sessions.ts';
import type { Log } from '../logging/log.ts';
import type { Clock } from '../../../src/common/clock.ts';

/** A frame that passed between the exchange and a device, by socket or by HTTP. It may hold credentials and tokens. */
export interface JournalEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `in`: the device sent the frame. `out`: the exchange sent it. */
  readonly direction: 'in' | 'out';
  readonly device: DeviceId;
  readonly frame: AnyCommandFrame | EventFrame | RoomEventFrame | ReplyFrame;
}

export type JournalListener = (entry: JournalEntry) => void;

/** The one place that every readable frame passes. Without a listener it does nothing. */
export class Journal {
  readonly #clock: Pick<Clock, 'wallTime'>;
  readonly #log: Pick<Log, 'error'>;
  readonly #listeners = new Set<JournalListener>();

  constructor(clock: Pick<Clock, 'wallTime'>, log: Pick<Log, 'error'>) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Calls the listener with each frame at the moment it passes. Returns the function that removes it. */
  subscribe(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Records a frame. A listener that throws affects neither the frame nor the other listeners. */
  record(direction: JournalEntry['direction'], device: DeviceId, frame: JournalEntry['frame']): void {
    if (this.#listeners.size === 0) return;
    const entry: JournalEntry = { at: this.#clock.wallTime(), direction, device, frame };
    for (const listener of [...this.#listeners]) {
      try {
        listener(entry);
      } catch (error) {
        this.#log.error('a listener to frames failed', { user: device.userId, error });
      }
    }
  }
}
