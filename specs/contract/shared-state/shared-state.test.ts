import { randomBytes } from 'node:crypto';
import { afterAll, describe, it } from 'vitest';
import { MemoryStateServer } from '../../../sim/cluster/memory-state.ts';
import type { SharedState } from '../../../sim/cluster/shared-state.ts';
import { openRedisState } from '../../../sim/redis/redis-state.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { HandClock } from '../../unit/support/hand-clock.ts';
import { NO_REDIS, NO_REDIS_SERVER, startRedisCluster } from './redis-server.ts';
import { sharedStateContract, type SharedStateSubject } from './shared-state.contract.ts';

const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

const STEPS = 100_000;

async function inMemory(): Promise<SharedStateSubject> {
  const clock = new HandClock();
  const server = new MemoryStateServer({ clock });
  return {
    one: server.connect('one'),
    two: server.connect('two'),
    connect: async () => server.connect('three'),
    now: () => clock.now(),
    async until(holds) {
      for (let step = 0; !(await holds()); step += 1) {
        if (step > STEPS) throw new Error('it does not become true');
        clock.advance(1);
      }
    },
  };
}

/** Each run has an application of its own, whose keys expire. */
async function onRedis(url: string): Promise<SharedStateSubject> {
  const application = `test ${randomBytes(6).toString('hex')}`;
  const connect = async (): Promise<SharedState> => {
    const state = await openRedisState({ url, application, clock: nodeClock, limitMs: scaled(10_000) });
    ends.push(() => state.close());
    return state;
  };
  return {
    one: await connect(),
    two: await connect(),
    connect,
    now: () => nodeClock.now(),
    async until(holds) {
      const limit = performance.now() + scaled(10_000);
      while (!(await holds())) {
        if (performance.now() > limit) throw new Error('it does not become true in time');
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

async function onCluster(): Promise<SharedStateSubject> {
  const cluster = await startRedisCluster();
  ends.push(() => cluster.dispose());
  return onRedis(cluster.url);
}

const STATES: Record<string, { missing?: string | undefined; make: () => Promise<SharedStateSubject> }> = {
  memory: { make: inMemory },
  Redis: { missing: NO_REDIS, make: () => onRedis(process.env['REDIS_URL'] ?? '') },
  'a Redis Cluster': { missing: NO_REDIS_SERVER, make: onCluster },
};

describe.each(Object.entries(STATES))('the shared state in %s', (_, { missing, make }) => {
  let subject: Promise<SharedStateSubject> | undefined;
  for (const { title, run } of sharedStateContract) {
    it(title, async (context) => {
      if (missing !== undefined) context.skip(missing);
      await run(await (subject ??= make()));
    });
  }
});
