import type { Log } from '../logging/log.ts';
import type { WriteQueue } from '../delivery/write-queue.ts';
import type { CallRecordStore } from '../store.ts';
import type { EndRecord } from './call.ts';

/** The most records that wait for the store. Above it the oldest are dropped first. */
const WAITING = 10_000;
/** The most records of one write, so that no write takes long. */
const AT_ONCE = 500;

/**
 * Writes the records of calls that ended. Those that end while the store is busy share one write. After a failure each
 * record has a write of its own, so that a record that the store always refuses is dropped alone.
 */
export class CallRecords {
  readonly #store: Pick<CallRecordStore, 'saveCalls'>;
  readonly #writeQueue: WriteQueue;
  readonly #log: Pick<Log, 'error'>;
  #waiting: EndRecord[] = [];
  #atOnce = AT_ONCE;

  constructor(store: Pick<CallRecordStore, 'saveCalls'>, writeQueue: WriteQueue, log: Pick<Log, 'error'>) {
    this.#store = store;
    this.#writeQueue = writeQueue;
    this.#log = log;
  }

  /** Queues the write of a record. */
  keep(record: EndRecord): void {
    this.#waiting.push(record);
    if (this.#waiting.length > WAITING) {
      const [lost] = this.#waiting.splice(0, 1);
      this.#log.error('the record of a call was dropped', { call: lost?.callId });
    }
    this.#writeLater();
  }

  #writeLater(): void {
    const dropped = () => {
      this.#waiting.splice(0, this.#atOnce);
      if (this.#waiting.length > 0) this.#writeLater();
    };
    this.#writeQueue.keep('ended calls', () => this.#write(), { about: this, dropped });
  }

  async #write(): Promise<void> {
    const records = this.#waiting.splice(0, this.#atOnce);
    try {
      await this.#store.saveCalls(records);
    } catch (error) {
      // The write queue retries later, with the records of that time.
      this.#waiting = [...records, ...this.#waiting].slice(-WAITING);
      this.#atOnce = 1;
      throw error;
    }
    if (this.#waiting.length > 0) this.#writeLater();
    else this.#atOnce = AT_ONCE;
  }
}
