/**
 * Measures what complete video calls cost the exchange, from dial to end, without media: 17 commands, their replies and
 * their events. Servers run one after the other in child processes: a relay on `ws` without checks, which is the floor,
 * the exchange with its database in memory, and the exchange with billing on a SQLite file. The rounds alternate. The
 * cost is processor time of the server, so other work on the machine disturbs it little.
 *
 * Usage: exchange.bench.ts [pairs] [calls of a round] [rounds]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServers } from './exchange/built.ts';
import { BenchServer } from './exchange/bench-server.ts';
import { median } from './median.ts';
import { printTable } from './print-table.ts';

const [PAIRS = 20, CALLS = 600, ROUNDS = 3] = process.argv.slice(2).map(Number);
/** The goals: the calls of a processor second, as a share of the relay's. */
const GOALS: Readonly<Record<string, number>> = { signalling: 0.5, product: 0.25 };
/** The goal for the heap of a live call, bytes. */
const HEAP_GOAL = 8 * 1024;
const WARM_UP_CALLS = 300;
/** The live calls whose heap is measured: few calls would be lost in the noise of the heap. */
const LIVE_CALLS = 400;
const OPEN_PAIRS = Math.max(PAIRS, LIVE_CALLS);

const folder = mkdtempSync(join(tmpdir(), 'ringback-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const files = await buildServers(['relay', 'exchange-alone', 'server']);
const users = String(2 * OPEN_PAIRS);
const servers = [
  { name: 'relay', file: files.relay, args: [], hasUsers: false },
  { name: 'signalling', file: files['exchange-alone'], args: [users] },
  { name: 'server', file: files.server, args: [users] },
  { name: 'product', file: files.server, args: [users, join(folder, 'bench.db')] },
].map((options) => new BenchServer({ ...options, open: OPEN_PAIRS }));
for (const server of servers) {
  await server.start();
  await server.calls(WARM_UP_CALLS, PAIRS);
}
const costs = new Map(servers.map(({ name }) => [name, [] as number[]]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const server of servers) {
    const before = await server.report('cpu');
    await server.calls(CALLS, PAIRS);
    costs.get(server.name)?.push(((await server.report('cpu')).cpuMs - before.cpuMs) / CALLS);
  }
}
const floor = median(costs.get('relay') ?? []);
const heaps = new Map<string, number>();
for (const server of servers.slice(1)) heaps.set(server.name, await server.heapPerCall());
for (const server of servers) server.stop();

const rows = servers.map(({ name }) => {
  const cost = median(costs.get(name) ?? []);
  const heap = heaps.get(name);
  return [
    name,
    cost.toFixed(3),
    (1_000 / cost).toFixed(0),
    (floor / cost).toFixed(3),
    GOALS[name]?.toFixed(2) ?? '',
    heap === undefined ? '' : (heap / 1024).toFixed(1),
  ];
});
console.log(`${PAIRS} pairs at a time, ${ROUNDS} rounds of ${CALLS} calls for each server, medians`);
printTable(['server', 'ms of processor a call', 'calls a second', 'of the relay', 'goal', 'kB heap a live call'], rows);
const missed = servers.filter(({ name }) => floor / median(costs.get(name) ?? []) < (GOALS[name] ?? 0));
for (const { name } of missed) console.log(`${name} is below its goal`);
for (const [name, heap] of heaps)
  if (heap > HEAP_GOAL) console.log(`${name} uses more heap than ${HEAP_GOAL / 1024} kB`);
process.exit(missed.length > 0 ? 1 : 0);
