import type { Log } from '../logging/log.ts';
import { type WriteQueue, WriteSubject } from '../delivery/write-queue.ts';
import type { DeviceId } from '../directory/sessions.ts';
import type { CallRecordStore, RefusedRecord } from '../store.ts';
import type { EndRecord } from './call.ts';

/** The most records that wait for the store. Above it the oldest are dropped first. */
const WAITING = 10_000;
/** The most records in one transaction, so that none takes long. */
const AT_ONCE = 500;

/**
 * Writes the records of calls that ended. Those that end while the store is busy share one write. A record whose values
 * the database refuses is dropped at once. After another failure each record has a write of its own, so that a record that
 * always fails is dropped alone.
 */
export class CallRecords {
  readonly #store: Pick<CallRecordStore, 'saveCalls'>;
  readonly #writeQueue: WriteQueue;
  readonly #log: Pick<Log, 'error'>;
  readonly #onSaved: (callIds: readonly string[]) => void;
  /** The records that are not in the store, oldest first, also those of the write that runs. */
  #waiting: EndRecord[] = [];
  #isOneByOne = false;
  readonly #subject = new WriteSubject();

  /** @param onSaved - called with the ids of calls whose records are in the store now. */
  constructor(
    store: Pick<CallRecordStore, 'saveCalls'>,
    writeQueue: WriteQueue,
    log: Pick<Log, 'error'>,
    onSaved: (callIds: readonly string[]) => void = () => undefined,
  ) {
    this.#store = store;
    this.#writeQueue = writeQueue;
    this.#log = log;
    this.#onSaved = onSaved;
  }

  /**
   * Queues the write of a record.
   *
   * @param devices - the devices of the call. Their messages wait for the write.
   */
  keep(record: EndRecord, devices: readonly DeviceId[]): void {
    this.#waiting.push(record);
    if (this.#waiting.length > WAITING) this.#dropOldest();
    this.#writeLater(devices);
  }

  #writeLater(devices: readonly DeviceId[] = []): void {
    const dropped = () => {
      // The write failed for too long, or too many other writes are queued. The latter is no fault of a record.
      if (this.#isOneByOne) this.#dropOldest();
      if (this.#waiting.length > 0) this.#writeLater();
    };
    this.#writeQueue.keep('ended calls', () => this.#write(), { about: this.#subject, dropped, devices });
  }

  /** Writes every record that waits now, since the messages about the end of a call wait for its record. */
  async #write(): Promise<void> {
    const all = this.#waiting.slice(0, this.#isOneByOne ? 1 : WAITING);
    for (let at = 0; at < all.length; at += AT_ONCE) await this.#save(all.slice(at, at + AT_ONCE));
    if (this.#waiting.length > 0) this.#writeLater();
    else this.#isOneByOne = false;
  }

  async #save(records: readonly EndRecord[]): Promise<void> {
    try {
      logRefused(this.#log, await this.#store.saveCalls(records));
    } catch (error) {
      // The write queue retries later, with the records of that time.
      this.#isOneByOne = true;
      throw error;
    }
    const saved = new Set(records);
    this.#waiting = this.#waiting.filter((record) => !saved.has(record));
    this.#onSaved(records.map(({ callId }) => callId));
  }

  #dropOldest(): void {
    const lost = this.#waiting.shift();
    if (lost) this.#log.error('the record of a call was dropped', { call: lost.callId });
  }
}

/** Logs the records whose values the database refused. */
export function logRefused(log: Pick<Log, 'error'>, refused: readonly RefusedRecord[]): void {
  for (const { callId, error } of refused) {
    log.error('the database refused the record of a call', { call: callId, error });
  }
}
