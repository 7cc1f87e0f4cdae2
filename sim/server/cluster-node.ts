import { randomBytes } from 'node:crypto';
import type { Clock } from '../../src/common/clock.ts';
import type { Lifetime } from '../../src/common/lifetime.ts';
import type { RateLimits } from '../budgets/rate-limits.ts';
import { joinExchange, type JoinedCluster } from '../cluster/join-exchange.ts';
import { openLink, type OpenLink } from '../cluster/open-link.ts';
import type { SharedState } from '../cluster/shared-state.ts';
import type { Log } from '../exchange/logging/log.ts';
import { DEFAULT_SETTINGS, type ExchangeSettings } from '../exchange/settings.ts';
import type { Store } from '../exchange/store.ts';
import { checkRedis } from '../redis/check-redis.ts';
import { openRedisState } from '../redis/redis-state.ts';
import type { Database } from '../store/database.ts';
import { nodeSha256 } from './node-ports.ts';
import type { Tracing } from './tracing/tracing.ts';
import { createSharedRateLimits } from './shared-rate-limits.ts';

/** A server that cannot be a node of its cluster. The message names the setting. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
}

export interface ClusterNodeOptions {
  /** The address of Redis, see `sim/redis/redis-address.ts`. */
  readonly url: string;
  readonly appId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  readonly store: Store;
  readonly settings: Partial<ExchangeSettings>;
  readonly loopbackFactor?: number;
  readonly tracing?: Tracing;
  /** Stops the node: after the exchange, and before the database closes. */
  readonly lifetime: Lifetime;
}

/** This server as a node of a cluster. */
export interface ClusterNode {
  /** The name of the node. */
  readonly name: string;
  readonly link: OpenLink;
  readonly state: SharedState;
  readonly exchange: JoinedCluster;
  /** The rate limits that all nodes count together. */
  readonly rateLimits: RateLimits;
}

/** Returns a name that no node had before. */
const newName = (): string => `n${randomBytes(6).toString('hex')}`;

/**
 * Joins the cluster of an application.
 *
 * @throws ClusterError when the database is not shared, or Redis cannot be reached.
 */
export async function openClusterNode({
  url,
  appId,
  clock,
  log,
  database,
  store,
  settings,
  lifetime,
  tracing,
  ...more
}: ClusterNodeOptions): Promise<ClusterNode> {
  if (!database.isShared) {
    throw new ClusterError('redis.url (REDIS_URL): nodes share a PostgreSQL database, and database.url names none');
  }
  const problem = await checkRedis(url, { clock });
  if (problem !== null) throw new ClusterError(problem);
  const state = lifetime.add(disposable(await openRedisState({ url, application: appId, clock })));
  const name = newName();
  const bare = await openLink({ node: name, state, clock, log });
  const link = tracing?.link(bare) ?? bare;
  const exchange = joinExchange({
    ...{ link, clock, log, store },
    sha256: nodeSha256,
    settings: { ...DEFAULT_SETTINGS, ...settings },
  });
  lifetime.add({
    async dispose() {
      exchange.dispose();
      await link.leave();
    },
  });
  log.info('this server is a node of a cluster', { node: name, others: link.others.length });
  return { name, link, state, exchange, rateLimits: createSharedRateLimits({ state, log, ...more }) };
}

/** Returns the state as a part of a lifetime. */
const disposable = <State extends SharedState>(state: State): State & { dispose(): Promise<void> } =>
  Object.assign(state, { dispose: () => state.close() });
