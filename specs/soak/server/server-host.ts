/** The server of a soak run in a process of its own, with its clock. soak-server.ts forks it. */
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { scaledClock } from '../../../cli/worlds/real/scaled-clock.ts';
import { testUsers } from '../../../cli/test-users.ts';
import type { ExchangeSettings } from '../../../sim/exchange/settings.ts';
import { startSim } from '../../../sim/server/start-sim.ts';

/** What the parent sends first. */
export interface SoakServerOrder {
  readonly users: readonly string[];
  readonly port: number;
  readonly settings: Partial<ExchangeSettings>;
  /** How many times faster the timers of the server run. */
  readonly timeScale: number;
  /** The path of a SQLite file. Null: in memory. */
  readonly database: string | null;
  readonly loopbackFactor: number;
  /** The cluster of the server. Null for a server of its own. */
  readonly cluster: SoakClusterOrder | null;
  /** How long a server that gets SIGTERM waits for its calls. Milliseconds. */
  readonly drainMs: number;
}

/** What the nodes of one cluster share. */
export interface SoakClusterOrder {
  readonly redis: string;
  /** The application, whose name begins every key in Redis. */
  readonly appId: string;
  readonly publicUrl: string;
}

/** The state of the server. */
export interface SoakServerReport {
  /** The used heap after a collection, and the resident memory. Bytes. */
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** The open files and sockets. */
  readonly files: number;
  readonly calls: number;
  readonly devices: number;
  readonly participants: number;
  /** Errors that no part of the server caught, and entries of its log with the level error. */
  readonly faults: readonly string[];
  /** The processor time so far. Milliseconds. */
  readonly cpuMs: number;
  /** The longest delay of the event loop since the last report. Milliseconds. */
  readonly loopMs: number;
}

export type SoakServerNews = { readonly url: string } | { readonly failure: string } | SoakServerReport;

const MOST_FAULTS = 20;
/** An entry of the log that states the load, and no fault. Faster timers find a load sooner. */
const OVERLOADED = 'the server is above its maximum rate';
const faults: string[] = [];
const fault = (text: string) => {
  if (faults.length < MOST_FAULTS) faults.push(text);
};
process.on('unhandledRejection', (error) => fault(`unhandled rejection: ${String(error)}`));
process.on('uncaughtException', (error) => fault(`uncaught: ${error.stack ?? error.message}`));
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group. The parent checks its conditions first.
process.on('SIGINT', () => undefined);

async function serve({ cluster, database, ...order }: SoakServerOrder): Promise<void> {
  const { users, port, settings, timeScale, loopbackFactor, drainMs } = order;
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const sim = await startSim({
    demo: true,
    port,
    users: testUsers(users),
    settings,
    loopbackFactor,
    clock: scaledClock(timeScale),
    log: ({ level, message, fields }) => {
      if (level === 'error' && !message.startsWith(OVERLOADED)) fault(`log: ${message} ${JSON.stringify(fields)}`);
    },
    ...(database === null ? {} : { database, ...(cluster ? {} : { name: 'soak' }) }),
    ...(cluster ? { redis: { url: cluster.redis }, appId: cluster.appId, publicUrl: cluster.publicUrl } : {}),
  });
  const report = (): SoakServerReport => {
    const { heapUsed, rss } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const { liveCalls, deviceCount, liveRooms } = sim.exchange;
    return {
      heapBytes: heapUsed,
      residentBytes: rss,
      files: readdirSync('/proc/self/fd').length,
      calls: liveCalls.length,
      devices: deviceCount,
      participants: liveRooms.reduce((sum, { participants }) => sum + participants, 0),
      faults,
      cpuMs: (user + system) / 1_000,
      loopMs: loop.max / 1e6,
    };
  };
  process.on('message', (what) => {
    if (what === 'stop') {
      void sim.close().then(() => process.exit(0));
      return;
    }
    if (what === 'heap') globalThis.gc?.();
    process.send?.(report());
    loop.reset();
  });
  process.once('SIGTERM', () => {
    void sim
      .drain(drainMs)
      .then(() => sim.close())
      .then(() => process.send?.(report(), () => process.exit(0)));
  });
  process.send?.({ url: sim.url });
}

process.once('message', (order: SoakServerOrder) => {
  serve(order).catch((error: unknown) => process.send?.({ failure: String(error) } satisfies SoakServerNews));
});
