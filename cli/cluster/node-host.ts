/** One node of `ringback cluster`, in a process of its own. node-process.ts forks it. */
import { createJsonLog } from '../../sim/server/operations/json-log.ts';
import type { LogThreshold } from '../../sim/server/defaults.ts';
import { startSim, type Sim } from '../../sim/server/start-sim.ts';
import { testUsers } from '../test-users.ts';
import { readVersion } from '../version.ts';

/** What the parent sends: first how to start, and later that the node drains. */
export type NodeOrder =
  | {
      readonly kind: 'start';
      readonly database: string;
      readonly redis: string;
      readonly publicUrl: string;
      readonly logLevel: LogThreshold;
      /** The ids of test users. Null for the users of the demo world. */
      readonly users: readonly string[] | null;
    }
  | { readonly kind: 'drain'; readonly ms: number };

/** What the node reports: its URL, or why it did not start. */
export type NodeNews = { readonly url: string } | { readonly failure: string };

let running: Sim | null = null;

async function start(order: NodeOrder & { readonly kind: 'start' }): Promise<void> {
  const { database, redis, publicUrl, logLevel, users } = order;
  try {
    running = await startSim({
      demo: true,
      version: readVersion(),
      port: 0,
      database,
      redis: { url: redis },
      publicUrl,
      log: createJsonLog(logLevel),
      ...(users ? { users: testUsers(users), loopbackFactor: 1e6 } : {}),
    });
    process.send?.({ url: running.url } satisfies NodeNews);
  } catch (error) {
    process.send?.({ failure: error instanceof Error ? error.message : String(error) } satisfies NodeNews);
  }
}

async function stop(ms: number): Promise<void> {
  await running?.drain(ms);
  await running?.close();
  process.exit(0);
}

process.on('message', (order: NodeOrder) => {
  if (order.kind === 'start') void start(order);
  else void stop(order.ms);
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => void stop(DRAIN_MS));
// Ctrl-C reaches the whole process group. The parent stops the nodes.
process.on('SIGINT', () => undefined);

/** How long a node that gets SIGTERM waits for its calls. Milliseconds. */
const DRAIN_MS = 30_000;
