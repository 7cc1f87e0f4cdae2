/**
 * Measures what one change of a table costs that every node of a cluster copies: the processor time of Redis for each
 * receiving node, the processor time of a node that receives it, and the memory of an entry. Redis runs in a process of
 * its own. A change is a text of 200 bytes, which a node parses and writes into a map.
 *
 * Usage: bus.bench.ts [changes] [nodes]
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { printTable } from './print-table.ts';

const CHANNEL = 'changes';
const CHANGE_BYTES = 200;
/** The changes in one write of the publisher. */
const BATCH = 100;
const ENTRIES = 50_000;

interface Change {
  readonly at: number;
  readonly key: string;
  readonly value: string;
}

/** Receives changes as a node does, and reports its processor time and its heap after the last one. */
async function receive(port: number, changes: number): Promise<void> {
  const copy = new Map<string, Map<string, string>>();
  const redis = new Redis(port, '127.0.0.1');
  let count = 0;
  redis.on('message', (_channel, text: string) => {
    const { key, value } = JSON.parse(text) as Change;
    const entries = copy.get(key) ?? new Map<string, string>();
    entries.set('node-1', value);
    copy.set(key, entries);
    count += 1;
    if (count < changes) return;
    const { user, system } = process.cpuUsage(start);
    globalThis.gc?.();
    process.send?.({ ms: (user + system) / 1_000, bytes: (process.memoryUsage().heapUsed - heap) / copy.size });
  });
  await redis.subscribe(CHANNEL);
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed;
  const start = process.cpuUsage();
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}

const [role, ...numbers] = process.argv.slice(2);
if (role === 'receive') await receive(Number(numbers[0]), Number(numbers[1]));
else await measure(Number(role ?? 100_000), Number(numbers[0] ?? 10));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function startRedis(port: number): Promise<ChildProcess> {
  const redis = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const text of redis.stdout) if (String(text).includes('Ready to accept connections')) break;
  return redis;
}

async function measure(changes: number, nodes: number): Promise<void> {
  const port = await freePort();
  const server = await startRedis(port);
  const children = Array.from({ length: nodes }, () =>
    fork(import.meta.filename, ['receive', String(port), String(changes)], {
      execArgv: [...process.execArgv, '--expose-gc'],
    }),
  );
  try {
    await Promise.all(children.map((child) => once(child, 'message')));
    const publisher = new Redis(port, '127.0.0.1');
    const before = await processorMs(publisher);
    const reports = Promise.all(children.map(async (child) => (await once(child, 'message'))[0]));
    await publish(publisher, changes);
    const all: { readonly ms: number; readonly bytes: number }[] = await reports;
    const redisMs = (await processorMs(publisher)) - before;
    publisher.disconnect();
    const mean = (of: (one: { readonly ms: number; readonly bytes: number }) => number) =>
      all.reduce((sum, one) => sum + of(one), 0) / all.length;
    console.log(`${changes} changes of ${CHANGE_BYTES} bytes to ${nodes} nodes, ${Math.min(changes, ENTRIES)} entries`);
    printTable(
      ['what', 'value'],
      [
        ['microseconds of Redis for a change and a node', ((redisMs * 1_000) / changes / nodes).toFixed(2)],
        ['microseconds of a node for a change', ((mean((one) => one.ms) * 1_000) / changes).toFixed(1)],
        ['bytes of heap for an entry', mean((one) => one.bytes).toFixed(0)],
      ],
    );
  } finally {
    for (const child of children) child.disconnect();
    server.kill();
  }
}

async function publish(publisher: Redis, changes: number): Promise<void> {
  for (let at = 0; at < changes; at += BATCH) {
    const batch = publisher.pipeline();
    for (let next = at; next < Math.min(at + BATCH, changes); next += 1) {
      const key = `user-${String(next % ENTRIES).padStart(12, '0')}`;
      const change: Change = { at: next, key, value: '' };
      const value = 'v'.repeat(CHANGE_BYTES - JSON.stringify(change).length);
      batch.publish(CHANNEL, JSON.stringify({ ...change, value } satisfies Change));
    }
    await batch.exec();
  }
}

/** Returns the processor time that Redis has used, milliseconds. */
async function processorMs(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const seconds = [...info.matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)].map(([, value]) => Number(value));
  return seconds.reduce((sum, value) => sum + value, 0) * 1_000;
}
