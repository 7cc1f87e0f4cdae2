/**
 * Measures whether a commit takes longer when more calls are in the history of a server whose database is in memory. Each
 * record has a commit of its own, as on a quiet server. Exits 1 when a commit takes more than half as long again with the
 * longest history.
 *
 * Usage: call-records.bench.ts [calls in the longest history]
 */
import { randomUUID } from 'node:crypto';
import type { EndRecord } from '../../sim/exchange/calls/call.ts';
import { openMigrated } from '../../sim/store/open-store.ts';
import { IN_MEMORY } from '../../sim/store/database.ts';
import { SqlStore } from '../../sim/store/sql-store.ts';
import { aRecord } from '../contract/store/store.contract.ts';
import { median } from './median.ts';
import { printTable } from './print-table.ts';

const [LONGEST = 256_000] = process.argv.slice(2).map(Number);
const SHORTEST = 4_000;
/** Each history is so many times as long as the one before, except the longest. */
const FACTOR = 4;
const ROUNDS = 9;
/** The records of a round, each with a commit of its own. */
const COMMITS = 400;
/** The records of a commit while the history grows. */
const AT_ONCE = 400;
const USERS = 50;
/** The time of the first call, milliseconds since the epoch. */
const FIRST_CALL = Date.UTC(2026, 0, 1);
/** The commits before the first measured one, in another database. The compiler of V8 needs them. */
const WARM_UP = 12_000;
const GROWTH_GOAL = 1.5;

/** A database in memory with a history of calls between 50 users. */
class History {
  readonly #store: SqlStore;
  #calls = 0;

  constructor(store: SqlStore) {
    this.#store = store;
  }

  static async open(): Promise<History> {
    return new History(new SqlStore(await openMigrated(IN_MEMORY, console)));
  }

  get calls(): number {
    return this.#calls;
  }

  async growTo(calls: number): Promise<void> {
    while (this.#calls < calls) await this.#save(this.#newRecords(Math.min(AT_ONCE, calls - this.#calls)));
  }

  /** Makes so many commits of one record each. Returns the microseconds of one. */
  async commit(count: number): Promise<number> {
    const records = this.#newRecords(count);
    const begun = performance.now();
    for (const record of records) await this.#save([record]);
    return ((performance.now() - begun) * 1_000) / count;
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #save(records: readonly EndRecord[]): Promise<void> {
    const refused = await this.#store.saveCalls(records);
    if (refused.length > 0) throw new Error(`${refused.length} records were refused`, { cause: refused[0]?.error });
  }

  #newRecords(count: number): EndRecord[] {
    return Array.from({ length: count }, () => {
      this.#calls += 1;
      const [caller, callee] = [this.#calls % USERS, (this.#calls + 1) % USERS];
      const createdAt = FIRST_CALL + this.#calls;
      return aRecord(`user-${caller}`, `user-${callee}`, { callId: randomUUID(), createdAt });
    });
  }
}

const warmUp = await History.open();
await warmUp.commit(WARM_UP);
await warmUp.close();

const lengths: number[] = [];
for (let length = SHORTEST; length < LONGEST; length *= FACTOR) lengths.push(length);
lengths.push(LONGEST);
const history = await History.open();
const costs: { readonly calls: number; readonly microseconds: number }[] = [];
for (const length of lengths) {
  await history.growTo(length);
  const { calls } = history;
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await history.commit(COMMITS));
  costs.push({ calls, microseconds: median(rounds) });
}
await history.close();
const [first] = costs;
const last = costs.at(-1);
if (!first || !last) throw new Error('nothing was measured');
printTable(
  ['calls in the history', 'microseconds of a commit', 'of the first'],
  costs.map(({ calls, microseconds }) => [
    String(calls),
    microseconds.toFixed(0),
    (microseconds / first.microseconds).toFixed(2),
  ]),
);
const isGrowing = last.microseconds / first.microseconds > GROWTH_GOAL;
if (isGrowing) console.log(`a commit takes more than ${GROWTH_GOAL} times as long with the longest history`);
process.exit(isGrowing ? 1 : 0);
