/** The shared state of a cluster on Redis or Valkey: one server, or a Redis Cluster. */
import type { Clock, Timer } from '../../src/common/clock.ts';
import { Reachability } from '../cluster/reachability.ts';
import {
  StateUnreachable,
  type FieldChange,
  type SharedBudget,
  type SharedList,
  type SharedState,
  type SharedWindow,
} from '../cluster/shared-state.ts';
import { parseRedisAddress } from './redis-address.ts';
import { connectCommands, type RedisCommands } from './redis-commands.ts';
import { RedisSubscriptions } from './redis-subscriptions.ts';

export interface RedisStateOptions {
  /** `redis://` or `rediss://`. Several addresses with commas are servers of one Redis Cluster. */
  readonly url: string;
  /** The name of the application. Each has keys and channels of its own. */
  readonly application: string;
  readonly clock: Clock;
  /** An operation without an answer rejects after this time. Milliseconds. Default 2000. */
  readonly limitMs?: number;
}

const LIMIT_MS = 2_000;
/** The servers are asked whether they answer at this interval. Milliseconds. */
const PROBE_MS = 1_000;
/** After a failure they are asked at this interval. Milliseconds. */
const PROBE_AGAIN_MS = 100;
/** The life of a written probe. Milliseconds. */
const PROBE_LIFE_MS = 10_000;

/**
 * The first words of refusals that depend on the state of the servers and pass:
 * https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors.
 */
const PASSING = [
  ...['ASK', 'BUSY', 'CLUSTERDOWN', 'LOADING', 'MASTERDOWN', 'MISCONF', 'MOVED', 'NOAUTH', 'NOPERM', 'NOREPLICAS'],
  ...['OOM', 'READONLY', 'TRYAGAIN', 'UNBLOCKED', 'UNKILLABLE', 'WRONGPASS'],
];

/**
 * Opens the shared state of an application. Resolves after the first contact, or after the limit without one: see
 * `isReachable`. It goes on connecting until it is closed.
 *
 * @throws RedisAddressError for a url that is none.
 */
export async function openRedisState(options: RedisStateOptions): Promise<RedisState> {
  const state = new RedisState(options);
  await state.firstContact();
  return state;
}

export class RedisState implements SharedState {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #prefix: string;
  readonly #commands: RedisCommands;
  readonly #subscriptions: RedisSubscriptions;
  readonly #reachability = new Reachability(false);
  /** Rejects each operation in progress. */
  readonly #running = new Set<(reason: string) => void>();
  #probe: Timer | null = null;
  #isProbing = false;
  #isClosed = false;

  /** Starts to connect. See {@link openRedisState}. */
  constructor({ url, application, clock, limitMs = LIMIT_MS }: RedisStateOptions) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    // Braces in a key decide about its server in a Redis Cluster. They are encoded, so the keys are on all servers.
    this.#prefix = `ringback:${encodeURIComponent(application)}:`;
    this.#commands = connectCommands(parseRedisAddress(url), limitMs);
    this.#subscriptions = new RedisSubscriptions({
      clock,
      limitMs,
      server: () => this.#commands.another(),
      changed: () => this.#connectionChanged(),
    });
    this.#commands.onConnection(() => this.#connectionChanged());
    this.#probeAfter(PROBE_MS);
  }

  /** Resolves when the state is reachable, and after the limit. */
  async firstContact(): Promise<void> {
    if (this.isReachable) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        limit.cancel();
        end();
        resolve();
      };
      const limit = this.#clock.after(this.#limitMs, done);
      const end = this.onReachable(done);
    });
  }

  get isReachable(): boolean {
    return this.#reachability.isReachable;
  }

  onReachable(listener: (isReachable: boolean) => void): () => void {
    return this.#reachability.onChange(listener);
  }

  get(key: string): Promise<string | null> {
    return this.#run(({ client }) => client.get(this.#of(key)));
  }

  async set(key: string, value: string, lifeMs: number): Promise<void> {
    await this.#run(({ client }) => client.set(this.#of(key), value, 'PX', wholeMs(lifeMs)));
  }

  setAbsent(key: string, value: string, lifeMs: number): Promise<string | null> {
    return this.#run(({ client }) => client.ringbackSetAbsent(this.#of(key), value, wholeMs(lifeMs)));
  }

  async remove(keys: readonly string[]): Promise<void> {
    // One command for each key: in a Redis Cluster they are on several servers.
    await this.#run(({ client }) => Promise.all(keys.map((key) => client.unlink(this.#of(key)))));
  }

  async prolong(keys: readonly string[], lifeMs: number): Promise<readonly boolean[]> {
    const there = await this.#run(({ client }) =>
      Promise.all(keys.map((key) => client.pexpire(this.#of(key), wholeMs(lifeMs)))),
    );
    return there.map((one) => one === 1);
  }

  async fields(key: string): Promise<ReadonlyMap<string, string>> {
    return new Map(Object.entries(await this.#run(({ client }) => client.hgetall(this.#of(key)))));
  }

  async changeFields(key: string, { where, set = {}, remove = [], lifeMs }: FieldChange): Promise<boolean> {
    const { field, is } = where ?? { field: '', is: null };
    const condition = where === undefined ? 'any' : is === null ? 'absent' : 'is';
    const all = Object.entries(set);
    const rest = [condition, field, is ?? '', all.length, ...all.flat(), ...remove];
    const held = await this.#run(({ client }) => client.ringbackChangeFields(this.#of(key), wholeMs(lifeMs), ...rest));
    return held === 1;
  }

  time(): Promise<number> {
    // One key, so that in a Redis Cluster every node asks the same server.
    return this.#run(({ client }) => client.ringbackTime(this.#of('time')));
  }

  charge(key: string, { burst, perSecond }: SharedBudget, points: number): Promise<number> {
    return this.#run(({ client }) => client.ringbackCharge(this.#of(key), burst, perSecond, points));
  }

  count(key: string, { most, lifeMs }: SharedWindow, points: number): Promise<number> {
    return this.#run(({ client }) => client.ringbackCount(this.#of(key), most, wholeMs(lifeMs), points));
  }

  append(key: string, entries: readonly string[], most: number, lifeMs: number): Promise<number> {
    return this.#run(({ client }) => client.ringbackAppend(this.#of(key), most, wholeMs(lifeMs), ...entries));
  }

  async list(key: string): Promise<SharedList> {
    const [last = '0', ...entries] = await this.#run(({ client }) => client.lrange(this.#of(key), 0, -1));
    return { last: Number(last), entries };
  }

  async publish(channel: string, text: string): Promise<void> {
    await this.#run((commands) => commands.publish(this.#of(channel), text));
  }

  subscribe(channel: string, receive: (text: string) => void): Promise<() => void> {
    return this.#run(() => this.#subscriptions.subscribe(this.#of(channel), receive));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#probe?.cancel();
    this.#reachability.clear();
    for (const reject of [...this.#running]) reject('the shared state is closed');
    this.#subscriptions.close();
    this.#commands.close();
  }

  #of(name: string): string {
    return this.#prefix + name;
  }

  #run<T>(operate: (commands: RedisCommands) => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new StateUnreachable('the shared state is closed'));
    if (this.#commands.client.status !== 'ready') {
      return Promise.reject(new StateUnreachable('no connection to Redis'));
    }
    return new Promise<T>((resolve, reject) => {
      const settle = (): boolean => {
        limit.cancel();
        return this.#running.delete(fail);
      };
      const fail = (reason: string) => {
        if (settle()) reject(new StateUnreachable(reason));
      };
      const limit = this.#clock.after(this.#limitMs, () => {
        fail(`Redis did not answer within ${this.#limitMs} ms`);
        this.#failed();
      });
      this.#running.add(fail);
      operate(this.#commands).then(
        (value) => void (settle() && resolve(value)),
        (error: unknown) => {
          if (!settle()) return;
          const refusal = refusalOf(error);
          if (refusal instanceof StateUnreachable) this.#failed();
          reject(refusal);
        },
      );
    });
  }

  /** An operation failed: the state is unreachable until the servers answer a probe. */
  #failed(): void {
    if (this.#isClosed) return;
    this.#reachability.set(false);
    if (!this.#isProbing) this.#probeAfter(PROBE_AGAIN_MS);
  }

  #connectionChanged(): void {
    if (this.#isClosed) return;
    if (!this.#subscriptions.isUp || this.#commands.client.status !== 'ready') this.#reachability.set(false);
    if (!this.#isProbing) this.#probeAfter(0);
  }

  #probeAfter(ms: number): void {
    this.#probe?.cancel();
    this.#probe = this.#clock.after(ms, () => void this.#probeNow());
  }

  /** Asks the servers on all connections, and writes a key: a replica answers, but refuses that. */
  async #probeNow(): Promise<void> {
    this.#isProbing = true;
    const answers = await Promise.allSettled([this.#commands.probe(), this.#subscriptions.probe(), this.#write()]);
    this.#isProbing = false;
    if (this.#isClosed) return;
    const isReachable = answers.every(({ status }) => status === 'fulfilled') && this.#subscriptions.isUp;
    this.#probeAfter(isReachable ? PROBE_MS : PROBE_AGAIN_MS);
    this.#reachability.set(isReachable);
  }

  async #write(): Promise<void> {
    const { client } = this.#commands;
    if (client.status !== 'ready') throw new Error('no connection to Redis');
    await client.set(`${this.#prefix}probe`, '', 'PX', PROBE_LIFE_MS);
  }
}

const wholeMs = (ms: number): number => Math.max(1, Math.ceil(ms));

/**
 * Returns the error for the caller of an operation. An error of ioredis has the command with its arguments, also those
 * of a login, so it is not passed on.
 */
function refusalOf(error: unknown): Error {
  const [word = '', ...rest] = error instanceof Error && error.name === 'ReplyError' ? error.message.split(' ') : [];
  if (word === '') return new StateUnreachable('the connection to Redis failed');
  if (PASSING.includes(word)) return new StateUnreachable(`Redis refused the operation: ${word}`);
  return new Error(`Redis refused the operation: ${word} ${rest.join(' ')}`.slice(0, 200));
}
