/**
 * Measures what complete video calls with billing cost a server and its PostgreSQL: processor time of both,
 * transactions, bytes of the write-ahead log and of the tables. It needs a PostgreSQL on this machine that no other
 * program uses, since the time of all its processes is counted. The benches with SQLite are in exchange.bench.ts.
 *
 * Usage: exchange-postgres.bench.ts [calls of a round] [rounds], with DATABASE_URL
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';
import { makeSchema, NO_POSTGRES } from '../contract/store/postgres-schema.ts';
import { BenchServer } from './exchange/bench-server.ts';
import { buildServers } from './exchange/built.ts';
import { median } from './median.ts';
import { printTable } from './print-table.ts';

const [CALLS = 600, ROUNDS = 3] = process.argv.slice(2).map(Number);
const PAIRS = 20;
const WARM_UP_CALLS = 300;
/** The ticks of a processor in /proc are hundredths of a second on every Linux for x86 and ARM. */
const TICK_MS = 10;

/** Returns the processor time of all processes of PostgreSQL on this machine, milliseconds. */
function postgresMs(): number {
  let ticks = 0;
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
      if (!stat.includes('(postgres)')) continue;
      const [user = 0, system = 0] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13)
        .map(Number);
      ticks += user + system;
    } catch {
      // The process has ended.
    }
  }
  return ticks * TICK_MS;
}

if (NO_POSTGRES !== undefined) throw new Error(NO_POSTGRES);
const schema = await makeSchema();
const client = new Client({ connectionString: process.env['DATABASE_URL'] });
await client.connect();
const counters = async () => {
  const { rows } = await client.query<{ commits: string; wal: string; bytes: string }>(
    `select xact_commit as commits, (select wal_bytes from pg_stat_wal) as wal, pg_database_size(datname) as bytes
     from pg_stat_database where datname = current_database()`,
  );
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL has no counters');
  return { commits: Number(row.commits), wal: Number(row.wal), bytes: Number(row.bytes) };
};

const files = await buildServers(['server']);
const server = new BenchServer({
  name: 'PostgreSQL',
  file: files.server,
  args: [String(2 * PAIRS), schema.url],
  open: PAIRS,
});
const rounds: number[][] = [];
try {
  await server.start();
  await server.calls(WARM_UP_CALLS, PAIRS);
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = { ...(await counters()), node: (await server.report('cpu')).cpuMs, postgres: postgresMs() };
    await server.calls(CALLS, PAIRS);
    // PostgreSQL publishes its counters once a second.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const after = await counters();
    rounds.push([
      (await server.report('cpu')).cpuMs - before.node,
      postgresMs() - before.postgres,
      after.commits - before.commits,
      (after.wal - before.wal) / 1024,
      (after.bytes - before.bytes) / 1024,
    ]);
  }
} finally {
  server.stop();
  await client.end();
  await schema.drop();
}
const ofCall = (column: number) => (median(rounds.map((round) => round[column] ?? 0)) / CALLS).toFixed(2);
console.log(`${PAIRS} pairs at a time, ${ROUNDS} rounds of ${CALLS} calls, medians of one call`);
printTable(
  ['server', 'ms of processor', 'ms of PostgreSQL', 'transactions', 'kB of its log', 'kB of its tables'],
  [['with billing', ...[0, 1, 2, 3, 4].map(ofCall)]],
);
