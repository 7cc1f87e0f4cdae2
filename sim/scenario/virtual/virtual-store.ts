import type { EndRecord } from '../../exchange/calls/call.ts';
import type { RefusedRecord } from '../../exchange/store.ts';
import { MemoryStore } from '../../store/memory-store.ts';

/** The database of a virtual world. It reports records of one call that contradict each other. */
export class VirtualStore extends MemoryStore {
  /** The contradictions so far, in words. */
  readonly contradictions: string[] = [];
  /** The records that processes have stored, also those of a call that had one. */
  readonly #stored = new WeakSet<EndRecord>();

  override async saveCalls(records: readonly EndRecord[]): Promise<readonly RefusedRecord[]> {
    for (const record of records) {
      const known = this.records.find(({ callId }) => callId === record.callId);
      if (known && known.endResult !== record.endResult)
        this.contradictions.push(`a call ended twice: ${known.endResult}, and then ${record.endResult}`);
    }
    const refused = await super.saveCalls(records);
    for (const record of records) this.#stored.add(record);
    return refused;
  }

  /** Returns whether a process has stored this record. */
  hasStored(record: EndRecord): boolean {
    return this.#stored.has(record);
  }
}
