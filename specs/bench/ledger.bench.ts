/**
 * Measures gifts that many clients send over HTTP to a server that is killed repeatedly: gifts per second, with and
 * without the kills, and whether the ledger is exact. On SQLite, and on PostgreSQL when DATABASE_URL is set.
 *
 * Usage: ledger.bench.ts [gifts]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSchema, NO_POSTGRES } from '../contract/store/postgres-schema.ts';
import { crashGifts } from '../wrtc/gift-crash.ts';
import { printTable } from './print-table.ts';

const GIFTS = Number(process.argv[2] ?? 20_000);
const CLIENTS = 64;
const KILLS = 20;

const rows: string[][] = [];

async function measure(name: string, database: string, isKilled: boolean): Promise<void> {
  const gifts = Math.ceil(GIFTS / CLIENTS);
  const killEvery = isKilled ? Math.floor((gifts * CLIENTS) / (KILLS + 1)) : Infinity;
  const { took, faults, ...books } = await crashGifts({ database, clients: CLIENTS, gifts, killEvery });
  const isRight =
    books.booked === books.answered &&
    books.bookedRequests === books.answered &&
    books.coinsOff === 0 &&
    books.pointsOff === 0 &&
    faults.length === 0;
  if (!isRight) process.exitCode = 1;
  const figures = [books.answered, books.kills, books.again, books.booked, books.coinsOff, books.pointsOff];
  rows.push([name, ...figures.map(String), (books.answered / (took / 1_000)).toFixed(0), isRight ? 'right' : 'WRONG']);
  for (const fault of faults.slice(0, 10)) console.error(fault);
}

for (const isKilled of [false, true]) {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-ledger-'));
  await measure(isKilled ? 'SQLite, killed' : 'SQLite', join(folder, 'money.db'), isKilled);
  rmSync(folder, { recursive: true });
  if (NO_POSTGRES !== undefined) continue;
  const schema = await makeSchema();
  await measure(isKilled ? 'PostgreSQL, killed' : 'PostgreSQL', schema.url, isKilled);
  await schema.drop();
}
if (NO_POSTGRES !== undefined) console.log(NO_POSTGRES);
printTable(['', 'answered', 'kills', 'sent again', 'booked', 'coins off', 'points off', 'gifts/s', 'books'], rows);
