/** The check of a configured Redis, before a server uses it. */
import { Redis } from 'ioredis';
import type { Clock } from '../../src/common/clock.ts';
import { optionsOf, parseRedisAddress, RedisAddressError, type RedisServerAddress } from './redis-address.ts';
import { commonOptions, isComplete } from './redis-commands.ts';
import { openRedisState } from './redis-state.ts';

export interface RedisCheckOptions {
  /** The setting with the address, for the message. Default: `redis.url (REDIS_URL)`. */
  readonly setting?: string;
  readonly clock: Clock;
  /** The time for each answer. Milliseconds. Default 2000. */
  readonly limitMs?: number;
}

const LIMIT_MS = 2_000;
/** The oldest supported version. */
const OLDEST = [6, 2] as const;
/** The key that the check writes. It ends at once. */
const KEY = 'ringback:check';

/**
 * Checks whether a Redis can carry the shared state: it answers, the login is right, it accepts writes, scripts and
 * channels, and a Redis Cluster is complete. Resolves with null. Otherwise resolves with one line that names the setting
 * and the problem, without any part of the address: `redis.url (REDIS_URL): the password of address 1 is wrong`.
 */
export async function checkRedis(url: string, options: RedisCheckOptions): Promise<string | null> {
  const { setting = 'redis.url (REDIS_URL)', clock, limitMs = LIMIT_MS } = options;
  try {
    const problem = await problemOf(url, clock, limitMs);
    return problem === null ? null : `${setting}: ${problem}`;
  } catch (error) {
    if (error instanceof RedisAddressError) return `${setting}: ${error.message}`;
    throw error;
  }
}

async function problemOf(url: string, clock: Clock, limitMs: number): Promise<string | null> {
  const { isCluster, servers } = parseRedisAddress(url);
  // A cluster works as long as one of the addresses leads to it.
  let problem: string | null = null;
  for (const [at, server] of servers.entries()) {
    const found = await problemOfServer(server, { isCluster, limitMs });
    if (found === null) return isCluster ? problemOfCluster(url, clock, limitMs) : null;
    problem ??= found.replaceAll('{}', `address ${at + 1}`);
  }
  return problem;
}

/** Connects to all servers that the cluster names, which are not those of the setting alone. */
async function problemOfCluster(url: string, clock: Clock, limitMs: number): Promise<string | null> {
  const state = await openRedisState({ url, application: 'check', clock, limitMs: 2 * limitMs });
  const { isReachable } = state;
  await state.close();
  return isReachable ? null : 'a server that the Redis Cluster announces cannot be reached from here';
}

interface Expected {
  readonly isCluster: boolean;
  readonly limitMs: number;
}

/** Returns null, or the problem, in which `{}` is the number of the address. */
async function problemOfServer(address: RedisServerAddress, { isCluster, limitMs }: Expected): Promise<string | null> {
  const connection = new Redis({
    ...optionsOf(address),
    ...commonOptions(limitMs),
    lazyConnect: true,
    retryStrategy: null,
    enableOfflineQueue: false,
    // The check itself asks for the state of the server.
    enableReadyCheck: false,
  });
  const causes: unknown[] = [];
  let hasConnected = false;
  connection.on('error', (error) => causes.push(error));
  connection.on('connect', () => (hasConnected = true));
  try {
    await connection.connect();
    return (await problemOfMode(connection, isCluster)) ?? (isCluster ? null : await problemOfUse(connection));
  } catch (error) {
    return textOf([...causes, error], { address, hasConnected, limitMs });
  } finally {
    connection.disconnect();
  }
}

/** Reads what the server is. A user without the right to read it is checked by its use. */
async function problemOfMode(connection: Redis, isCluster: boolean): Promise<string | null> {
  const info = await connection.info().catch((error: unknown) => {
    if (wordOf(error) === 'NOPERM') return '';
    throw error;
  });
  const field = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  if (info !== '' && field('redis_version') === undefined) return '{} is no Redis';
  const [major = 0, minor = 0] = (field('redis_version') ?? OLDEST.join('.')).split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    return `{} has version ${major}.${minor}, and the oldest supported one is ${OLDEST.join('.')}`;
  }
  if (field('loading') === '1') return '{} is still loading its data';
  if (field('cluster_enabled') === '1' && !isCluster) {
    return '{} is a server of a Redis Cluster: name several of its servers, with commas';
  }
  if (field('cluster_enabled') === '0' && isCluster) return '{} is not a server of a Redis Cluster';
  if (isCluster && !isComplete(await connection.cluster('INFO'))) return 'the Redis Cluster of {} is not complete';
  return null;
}

/** Writes, runs a script and sends a text, as the shared state does. */
async function problemOfUse(connection: Redis): Promise<string | null> {
  await connection.set(KEY, '', 'PX', 1);
  await connection.eval('redis.call("TIME") return redis.call("EXISTS", KEYS[1])', 1, KEY);
  await connection.publish(KEY, '');
  await connection.subscribe(KEY);
  return null;
}

interface Attempt {
  readonly address: RedisServerAddress;
  readonly hasConnected: boolean;
  readonly limitMs: number;
}

/** Returns the problem that the errors of a connection show. Their texts are not used: they contain addresses. */
function textOf(errors: readonly unknown[], { address, hasConnected, limitMs }: Attempt): string {
  const codes = errors.flatMap(codesOf);
  // Redis without TLS waits for more.
  if (address.tls && codes.includes('ETIMEDOUT'))
    return `{} does not answer with TLS within ${limitMs} ms: ${WITHOUT_TLS}`;
  for (const code of codes) {
    if (isKnown(code)) return TEXTS[code];
    if (code.startsWith('ERR_SSL')) return `{} does not speak TLS: ${WITHOUT_TLS}`;
    if (CERTIFICATE.test(code)) return `the certificate of {} is not accepted (${code})`;
  }
  const texts = errors.map((error) => (error instanceof Error ? error.message : ''));
  // A script that may not run one of its commands: the words of Redis 7.0, and of Valkey and later versions.
  if (texts.some((text) => /can't run this command|ACL failure in script/.test(text))) return TEXTS['NOPERM'];
  if (codes.includes('NOAUTH') || (codes.includes('WRONGPASS') && address.password === undefined))
    return '{} requires a password';
  if (codes.includes('WRONGPASS')) return 'the user or the password of {} is wrong';
  const refusal = errors.map(wordOf).find((word) => word !== null);
  if (refusal !== undefined) return `{} refuses an operation (${refusal})`;
  if (texts.some((text) => /protocol error/i.test(text))) return '{} is no Redis';
  if (texts.some((text) => /timed out/i.test(text))) {
    return `{} accepts the connection, but does not answer as Redis within ${limitMs} ms`;
  }
  if (hasConnected) return '{} closes the connection: it is no Redis, or it expects TLS (rediss://)';
  return `{} cannot be reached${codes[0] === undefined ? '' : ` (${codes[0]})`}`;
}

const WITHOUT_TLS = 'without TLS it is redis:// instead of rediss://';
const CERTIFICATE = /CERT|SELF_SIGNED|ISSUER|SIGNATURE/;

/** The problems, by the code of a system error, or by the first word of a refusal of Redis. */
const TEXTS = {
  ENOTFOUND: 'the host name of {} is not known',
  EAI_AGAIN: 'the host name of {} cannot be looked up now',
  ECONNREFUSED: 'no server listens at {}',
  ETIMEDOUT: '{} does not accept the connection in time',
  EHOSTUNREACH: 'the host of {} cannot be reached',
  ENETUNREACH: 'the network of {} cannot be reached',
  READONLY: '{} is a read-only replica: name the server that accepts writes',
  NOPERM: 'the user of {} lacks the right to write, to run scripts, or to use channels',
  LOADING: '{} is still loading its data',
  MASTERDOWN: '{} is a replica without contact to its primary server',
  MISCONF: '{} refuses writes, because it cannot write to its disk',
  NOREPLICAS: '{} refuses writes, because too few replicas are connected',
  OOM: '{} refuses writes, because its memory is full',
  DENIED: '{} accepts connections of its own machine only (protected mode)',
} as const;

const isKnown = (code: string): code is keyof typeof TEXTS => Object.hasOwn(TEXTS, code);

/** Returns the codes of an error and of those that it consists of, such as one for each address of a host. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const word = wordOf(error);
  return [...code, ...inner, ...(word === null ? [] : [word])];
}

/** Returns the first word of a refusal of Redis. */
function wordOf(error: unknown): string | null {
  return error instanceof Error && error.name === 'ReplyError'
    ? (/^-?([A-Z]+)\b/.exec(error.message)?.[1] ?? null)
    : null;
}
