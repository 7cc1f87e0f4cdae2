/**
 * Measures whether a commit takes longer when more calls are in the history of a server whose database is in memory. Each
 * record has a commit of its own, as on a quiet server. Exits 1 when a commit takes twice as long with the longest history.
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
/** Each history is so many times as long as the one before. */
const FACTOR = 4;
const ROUNDS = 5;
/** The records of a round, each with a commit of its own. */
const COMMITS = 400;
/** The records of a commit while the history grows. */
const AT_ONCE = 400;
const USERS = 50;
/** The time of the first call, milliseconds since the epoch. */
const FIRST_CALL = Date.UTC(2026, 0, 1);
const GROWTH_GOAL = 2;

const store = new SqlStore(await openMigrated(IN_MEMORY, console));
let made = 0;
/** Calls of 50 users, in the order of their time. */
const newRecords = (count: number): EndRecord[] =>
  Array.from({ length: count }, () => {
    made += 1;
    return aRecord(`user-${made % USERS}`, `user-${(made + 1) % USERS}`, {
      callId: randomUUID(),
      createdAt: FIRST_CALL + made,
    });
  });

async function microsecondsOfCommit(): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const records = newRecords(COMMITS);
    const begun = performance.now();
    for (const record of records) await store.saveCalls([record]);
    rounds.push(((performance.now() - begun) * 1_000) / COMMITS);
  }
  return median(rounds);
}

// The compiler of V8 needs some commits first.
await microsecondsOfCommit();
const costs: { readonly history: number; readonly microseconds: number }[] = [];
for (let wanted = SHORTEST; wanted <= LONGEST; wanted *= FACTOR) {
  while (made < wanted) await store.saveCalls(newRecords(Math.min(AT_ONCE, wanted - made)));
  costs.push({ history: made, microseconds: await microsecondsOfCommit() });
}
await store.close();
const [first] = costs;
const last = costs.at(-1);
if (!first || !last) throw new Error('nothing was measured');
printTable(
  ['calls in the history', 'microseconds of a commit', 'of the first'],
  costs.map(({ history, microseconds }) => [
    String(history),
    microseconds.toFixed(0),
    (microseconds / first.microseconds).toFixed(2),
  ]),
);
const isGrowing = last.microseconds / first.microseconds > GROWTH_GOAL;
if (isGrowing) console.log(`a commit takes more than ${GROWTH_GOAL} times as long with the longest history`);
process.exit(isGrowing ? 1 : 0);
