/**
 * Measures what a call costs whose devices are at two nodes of a cluster, beside a call within one node and a call of a
 * server of its own. Calls are complete video calls without billing. The cost is processor time: of both nodes, and of
 * Redis. It needs a PostgreSQL and a Redis that no other program uses.
 *
 * Usage: exchange-nodes.bench.ts [calls of a round] [rounds], with DATABASE_URL and REDIS_URL
 */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { makeSchema, NO_POSTGRES } from '../contract/store/postgres-schema.ts';
import { BenchServer } from './exchange/bench-server.ts';
import { buildServers } from './exchange/built.ts';
import { median } from './median.ts';
import { printTable } from './print-table.ts';

const [CALLS = 600, ROUNDS = 5] = process.argv.slice(2).map(Number);
const PAIRS = 20;
const WARM_UP_CALLS = 600;
const USERS = 4 * PAIRS;

const redisUrl = process.env['REDIS_URL'];
if (NO_POSTGRES !== undefined) throw new Error(NO_POSTGRES);
if (!redisUrl) throw new Error('REDIS_URL names no Redis to measure with');
const redis = new Redis(redisUrl);

/** Returns the processor time of Redis so far, milliseconds. */
async function redisMs(): Promise<number> {
  const info = await redis.info('cpu');
  const secondsOf = (name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1] ?? 0);
  return (secondsOf('used_cpu_user') + secondsOf('used_cpu_sys')) * 1_000;
}

/** A way to make calls: who makes them, and the servers whose processor time they cost. */
interface Way {
  readonly name: string;
  readonly caller: BenchServer;
  readonly servers: readonly BenchServer[];
}

const files = await buildServers(['node']);
const appId = `bench-${randomUUID()}`;
const [own, shared] = [await makeSchema(), await makeSchema()];
const alone = new BenchServer({
  name: 'alone',
  file: files.node,
  args: [String(USERS), own.url, appId],
  open: PAIRS,
  appId,
});
const args = [String(USERS), shared.url, appId, redisUrl];
const second = new BenchServer({ name: 'second', file: files.node, args, open: PAIRS, appId });
const first = new BenchServer({
  name: 'first',
  file: files.node,
  args,
  open: PAIRS,
  firstPair: PAIRS,
  calleesAt: second,
  appId,
});
const ways: readonly Way[] = [
  { name: 'a server of its own', caller: alone, servers: [alone] },
  { name: 'a cluster, both devices at one node', caller: second, servers: [first, second] },
  { name: 'a cluster, the devices at two nodes', caller: first, servers: [first, second] },
];
const costs = ways.map(() => ({ nodes: [] as number[], redis: [] as number[] }));
try {
  for (const server of [alone, second, first]) await server.start();
  for (const { caller } of ways) await caller.calls(WARM_UP_CALLS, PAIRS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, { caller, servers }] of ways.entries()) {
      const cpuMs = async () => {
        const reports = await Promise.all(servers.map((server) => server.report('cpu')));
        return reports.reduce((sum, report) => sum + report.cpuMs, 0);
      };
      const before = { nodes: await cpuMs(), redis: await redisMs() };
      await caller.calls(CALLS, PAIRS);
      costs[at]?.nodes.push((await cpuMs()) - before.nodes);
      costs[at]?.redis.push((await redisMs()) - before.redis);
    }
  }
} finally {
  for (const server of [first, second, alone]) server.stop();
  redis.disconnect();
  await own.drop();
  await shared.drop();
}
const ofCall = (values: readonly number[]): number => median(values) / CALLS;
const least = ofCall(costs[0]?.nodes ?? []);
console.log(
  `${PAIRS} pairs at a time, ${ROUNDS} rounds of ${CALLS} calls, medians of one call, milliseconds of processor`,
);
printTable(
  ['the call', 'nodes', 'of a server of its own', 'Redis'],
  ways.map(({ name }, at) => {
    const { nodes = [], redis: state = [] } = costs[at] ?? {};
    return [name, ofCall(nodes).toFixed(2), (ofCall(nodes) / least).toFixed(2), ofCall(state).toFixed(2)];
  }),
);
