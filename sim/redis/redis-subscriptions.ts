import { Redis } from 'ioredis';
import type { Clock, Timer } from '../../src/common/clock.ts';
import type { RedisServerOptions } from './redis-address.ts';
import { commonOptions, retryAfter } from './redis-commands.ts';

interface SubscriptionOptions {
  readonly clock: Clock;
  readonly limitMs: number;
  /** Returns where the next connection leads. */
  readonly server: () => RedisServerOptions;
  /** Receives each change of `isUp`. */
  readonly changed: () => void;
}

/**
 * The subscriptions of one node, over a connection that carries nothing else. After its end, the next connection takes
 * up all subscriptions.
 *
 * In a Redis Cluster these are ordinary channels, not sharded ones. Each server passes a text on to all others, so one
 * connection to any server is enough, and it survives that a channel moves. Sharded channels would need a connection to
 * each server, and Redis 7. The cost is that each text crosses each server of the cluster, which are few.
 */
export class RedisSubscriptions {
  readonly #options: SubscriptionOptions;
  readonly #channels = new Map<string, Set<(text: string) => void>>();
  #connection: Redis;
  #isUp = false;
  #attempt = 0;
  #retry: Timer | null = null;
  #isClosed = false;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#connection = this.#connect();
  }

  /** True when the connection is ready and all subscriptions hold. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Subscribes to a channel. Rejects without a connection. Resolves with the end of the subscription. */
  async subscribe(channel: string, receive: (text: string) => void): Promise<() => void> {
    if (!this.#isUp) throw new Error('no connection for subscriptions');
    // Two subscriptions of one function are two subscriptions.
    const own = (text: string) => receive(text);
    const listeners = (this.#channels.get(channel) ?? new Set()).add(own);
    this.#channels.set(channel, listeners);
    const end = () => {
      listeners.delete(own);
      if (listeners.size > 0 || this.#channels.get(channel) !== listeners) return;
      this.#channels.delete(channel);
      if (this.#isUp) this.#connection.unsubscribe(channel).catch(() => undefined);
    };
    try {
      await this.#connection.subscribe(channel);
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Asks the server. Rejects when it does not answer within the limit, and opens another connection. */
  async probe(): Promise<void> {
    if (!this.#isUp) throw new Error('no connection for subscriptions');
    const connection = this.#connection;
    try {
      await connection.ping();
    } catch (error) {
      connection.disconnect();
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#isUp = false;
    this.#retry?.cancel();
    this.#channels.clear();
    this.#connection.disconnect();
  }

  #connect(): Redis {
    const { clock, limitMs, server } = this.#options;
    const connection = new Redis({
      ...server(),
      ...commonOptions(limitMs),
      lazyConnect: true,
      retryStrategy: null,
      autoResubscribe: false,
      enableOfflineQueue: false,
    });
    // The end of the connection follows each error.
    connection.on('error', () => undefined);
    connection.on('message', (channel: string, text: string) => {
      for (const receive of [...(this.#channels.get(channel) ?? [])]) receive(text);
    });
    connection.once('ready', () => void this.#ready(connection));
    connection.once('end', () => {
      this.#set(false);
      this.#attempt += 1;
      if (this.#isClosed) return;
      this.#retry = clock.after(retryAfter(this.#attempt), () => (this.#connection = this.#connect()));
    });
    connection.connect().catch(() => undefined);
    return connection;
  }

  async #ready(connection: Redis): Promise<void> {
    try {
      const channels = [...this.#channels.keys()];
      if (channels.length > 0) await connection.subscribe(...channels);
      if (this.#isClosed || connection.status !== 'ready') return;
      this.#attempt = 0;
      this.#set(true);
    } catch {
      connection.disconnect();
    }
  }

  #set(isUp: boolean): void {
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    if (!this.#isClosed) this.#options.changed();
  }
}
