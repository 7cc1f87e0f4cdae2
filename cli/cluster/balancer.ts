/** A TCP balancer in front of the nodes of a cluster on one machine, for a demonstration. */
import { createServer, connect, type Socket } from 'node:net';
import type { Clock, Timer } from '../../src/common/clock.ts';
import { listen } from '../../sim/server/listen.ts';

/** The interval of the checks of readiness. Milliseconds. */
const CHECK_MS = 500;
/** The longest wait for the answer to a check, or for a connection to a node. Milliseconds. */
const LIMIT_MS = 2_000;

/** A node behind the balancer. */
interface Target {
  readonly url: string;
  isReady: boolean;
  readonly connections: Set<Socket>;
}

export interface Balancer {
  readonly url: string;
  /** Adds a node. It gets connections as soon as it is ready. */
  add(url: string): void;
  /** Removes a node, and resets its connections. */
  remove(url: string): void;
  /** The connections of each node, by its URL. */
  readonly connections: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/**
 * Starts a balancer. Each connection goes to the ready node with the fewest. `/readyz` of a node says whether it is
 * ready.
 *
 * Rejects with ListenError when the port is taken or must not be used.
 */
export async function startBalancer(port: number, clock: Clock): Promise<Balancer> {
  const targets = new Map<string, Target>();
  const server = createServer((client) => forward(client, targets));
  const url = `http://127.0.0.1:${await listen(server, port, '127.0.0.1')}`;
  const checks: Timer = clock.every(CHECK_MS, () => {
    for (const target of targets.values()) void check(target);
  });
  return {
    url,
    add(added) {
      const target: Target = { url: added, isReady: false, connections: new Set() };
      targets.set(added, target);
      void check(target);
    },
    remove(removed) {
      for (const connection of targets.get(removed)?.connections ?? []) connection.destroy();
      targets.delete(removed);
    },
    get connections() {
      return new Map([...targets.values()].map((target) => [target.url, target.connections.size]));
    },
    async close() {
      checks.cancel();
      for (const { connections } of targets.values()) for (const connection of connections) connection.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function check(target: Target): Promise<void> {
  try {
    const { ok } = await fetch(`${target.url}/readyz`, { signal: AbortSignal.timeout(LIMIT_MS) });
    target.isReady = ok;
  } catch {
    target.isReady = false;
  }
}

function forward(client: Socket, targets: ReadonlyMap<string, Target>): void {
  client.on('error', () => client.destroy());
  const [target] = [...targets.values()]
    .filter(({ isReady }) => isReady)
    .toSorted((one, other) => one.connections.size - other.connections.size);
  if (!target) return void client.destroy();
  const { hostname, port } = new URL(target.url);
  const node = connect({ host: hostname, port: Number(port), noDelay: true });
  client.setNoDelay(true);
  node.setTimeout(LIMIT_MS, () => node.destroy());
  node.once('connect', () => node.setTimeout(0));
  node.on('error', () => {
    // The next check finds out whether it is back.
    if (!node.bytesRead) target.isReady = false;
    node.destroy();
  });
  target.connections.add(client);
  node.once('close', () => client.destroy());
  client.once('close', () => {
    target.connections.delete(client);
    node.destroy();
  });
  client.pipe(node);
  node.pipe(client);
}
