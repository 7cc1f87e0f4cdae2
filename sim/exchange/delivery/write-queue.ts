import type { Log } from '../logging/log.ts';
import type { Clock, Timer } from '../../../src/common/clock.ts';
import { deviceKey, type DeviceId } from '../directory/sessions.ts';
import type { EndOfTurn } from '../ports.ts';

/** The kinds of writes. Each has a budget of its own, so that many writes of one kind never drop those of another. */
export type WriteKind = 'calls' | 'rooms' | 'stays';

/** The most queued writes of a kind. Above it the oldest of the kind are dropped first. */
const WAITING = 10_000;
/** The time after which a failing write is dropped, milliseconds. So it does not block the others for ever. */
const GIVE_UP_MS = 3_600_000;

/** The time after which a failed write is retried, when no other write begins before. Milliseconds. */
const RETRY_MS = 5_000;

/** Above this number of devices, they are forgotten when no write is left. */
const FORGET_IDLE_ABOVE = 64;
/** From this number of devices on, those whose writes are done are forgotten. */
const FORGET_ABOVE = 1_000;

/**
 * A thing that is written as a whole, and its write that has not begun. The queue has no map of them. A map that loses and
 * gains an entry with each write keeps former entries alive, until V8 collects the old generation.
 */
export class WriteSubject {
  /** Only the queue changes this. */
  notBegun: Write | null = null;
}

/** How a write is queued. */
interface WriteOptions {
  /** Default: `calls`. */
  readonly kind?: WriteKind;
  /**
   * What the write is about. A queued write about the same thing that has not begun covers this one: it writes the state
   * that it finds then. Default: the write is queued in any case.
   */
  readonly about?: WriteSubject;
  /**
   * The only devices whose messages wait for the write. Messages that wait for every write, such as answers over HTTP,
   * wait for it too. Default: every message waits for it.
   */
  readonly devices?: readonly DeviceId[];
  /** Called when the write is dropped. */
  readonly dropped?: () => void;
}

interface Write extends WriteOptions {
  /** The name of the write in the log. */
  readonly what: string;
  readonly run: () => Promise<void>;
  readonly kind: WriteKind;
  /** The place among all writes, from 1. */
  readonly place: number;
  failedAt: number | null;
}

/**
 * Writes to the store in order and asynchronously. Calls do not wait for a write, and survive its failure. A failed
 * write is retried with the next write, before the next read, and after five seconds.
 */
export class WriteQueue {
  readonly #log: Pick<Log, 'error'>;
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  /** The next attempt of a failed write. */
  #retry: Timer | null = null;
  #isStopped = false;
  readonly #waiting: Write[] = [];
  readonly #counts: Record<WriteKind, number> = { calls: 0, rooms: 0, stays: 0 };
  #writing: Promise<void> | null = null;
  #progress: () => void = () => undefined;
  #asked = 0;
  /** The place of the newest write that every message waits for. */
  #general = 0;
  /** The place of the newest write that the messages of a device wait for, by device. */
  readonly #ofDevice = new Map<string, number>();
  #isFailing = false;
  readonly #endOfTurn: EndOfTurn;

  /** @param endOfTurn - what a write waits for when no other one runs. Default: the end of the running function. */
  constructor(
    log: Pick<Log, 'error'>,
    clock: Pick<Clock, 'now' | 'after'>,
    endOfTurn: EndOfTurn = () => Promise.resolve(),
  ) {
    this.#log = log;
    this.#clock = clock;
    this.#endOfTurn = endOfTurn;
  }

  /** The number of queued writes so far. */
  get asked(): number {
    return this.#asked;
  }

  /** The number of writes before the oldest that is neither done nor dropped. */
  get done(): number {
    const oldest = this.#waiting[0];
    return oldest ? oldest.place - 1 : this.#asked;
  }

  /** True when the store failed the last write. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /**
   * Returns the number of writes that a message of this device waits for now.
   *
   * @param device - Default: a message that waits for every write.
   */
  neededBy(device: DeviceId | undefined): number {
    if (!device) return this.#asked;
    return Math.max(this.#general, this.#ofDevice.get(deviceKey(device)) ?? 0);
  }

  /** Returns whether a message need not wait any more: so many writes are done, or the store fails. */
  has(writes: number): boolean {
    return this.#isFailing || writes <= this.done;
  }

  /** Sets the only listener. It is called when a write is done and when one fails. */
  onProgress(listener: () => void): void {
    this.#progress = listener;
  }

  /** Queues a write, unless a queued one covers it. */
  keep(what: string, run: () => Promise<void>, options: WriteOptions = {}): void {
    const { kind = 'calls', about } = options;
    const covering = about?.notBegun;
    if (covering) this.#needed(covering.place, options.devices);
    else {
      this.#asked += 1;
      const write = { ...options, what, run, kind, place: this.#asked, failedAt: null };
      this.#waiting.push(write);
      this.#needed(write.place, options.devices);
      if (about) about.notBegun = write;
      this.#counts[kind] += 1;
      if (this.#counts[kind] > WAITING) this.#giveUp(this.#waiting.findIndex((one) => one.kind === kind));
    }
    void this.settled();
  }

  /** Lets the messages of devices wait for the newest write about a thing, which is queued or runs. */
  holdBack(devices: readonly DeviceId[], about: WriteSubject): void {
    const [first] = this.#waiting;
    const write = about.notBegun ?? (first?.about === about ? first : undefined);
    // Without devices, every message waits for it.
    if (write?.devices) this.#needed(write.place, devices);
  }

  /** Records which messages wait for the write at a place. */
  #needed(place: number, devices: readonly DeviceId[] | undefined): void {
    if (!devices) this.#general = Math.max(this.#general, place);
    // A covering write may have an older place than one that the device waits for.
    else
      for (const key of devices.map(deviceKey)) {
        this.#ofDevice.set(key, Math.max(this.#ofDevice.get(key) ?? 0, place));
      }
  }

  /** Resolves when all writes so far are done, or the store fails. Never rejects. */
  settled(): Promise<void> {
    this.#writing ??= this.#writeAll();
    return this.#writing;
  }

  /** Retries no write by itself any more. {@link settled} still does. */
  stop(): void {
    this.#isStopped = true;
    this.#retry?.cancel();
    this.#retry = null;
  }

  #retryLater(): void {
    if (this.#isStopped) return;
    this.#retry ??= this.#clock.after(RETRY_MS, () => {
      this.#retry = null;
      void this.settled();
    });
  }

  async #writeAll(): Promise<void> {
    // `#writing` must be set first.
    await this.#endOfTurn();
    let isTaken = true;
    while (isTaken && this.#waiting.length > 0) isTaken = await this.#writeFirst();
    this.#writing = null;
  }

  /** Writes the oldest write. Resolves with true when the next one may follow. */
  async #writeFirst(): Promise<boolean> {
    const [write] = this.#waiting;
    if (!write) return false;
    this.#begun(write);
    try {
      await write.run();
      this.#isFailing = false;
      this.#retry?.cancel();
      this.#retry = null;
      // The write may have been dropped meanwhile.
      if (this.#waiting[0] === write) this.#settle(0);
      return true;
    } catch (error) {
      const now = this.#clock.now();
      write.failedAt ??= now;
      this.#log.error('the store failed', { write: write.what, error });
      this.#isFailing = true;
      if (this.#waiting[0] === write) this.#again(write);
      this.#progress();
      if (now - write.failedAt < GIVE_UP_MS) {
        this.#retryLater();
        return false;
      }
      if (this.#waiting[0] === write) this.#giveUp(0);
      return true;
    }
  }

  /** Records that a write reads its state now. A later change needs another write. */
  #begun(write: Write): void {
    if (write.about?.notBegun === write) write.about.notBegun = null;
  }

  /** Records that a failed write will begin again. */
  #again(write: Write): void {
    if (write.about) write.about.notBegun ??= write;
  }

  #settle(at: number): Write | undefined {
    const settled = at === 0 ? this.#waiting.shift() : this.#waiting.splice(at, 1)[0];
    if (settled) {
      this.#counts[settled.kind] -= 1;
      this.#begun(settled);
    }
    if (settled?.devices) this.#forgetDone();
    this.#progress();
    return settled;
  }

  /** Forgets the devices whose writes are done, when they are many. */
  #forgetDone(): void {
    if (this.#waiting.length === 0 && this.#ofDevice.size > FORGET_IDLE_ABOVE) this.#ofDevice.clear();
    if (this.#ofDevice.size < FORGET_ABOVE) return;
    const { done } = this;
    for (const [device, place] of this.#ofDevice) if (place <= done) this.#ofDevice.delete(device);
  }

  #giveUp(at: number): void {
    const lost = this.#settle(at);
    if (!lost) return;
    this.#log.error('a write was dropped', { write: lost.what });
    lost.dropped?.();
  }
}
