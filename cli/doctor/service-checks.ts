/** The checks of the services that the environment names: database, Redis, relays, Janus. */
import { constants } from 'node:fs';
import { access, open, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { sql } from 'kysely';
import type { Clock } from '../../src/common/clock.ts';
import { JANUS_TIMES, JanusConnection, JanusError } from '../../sim/media/janus/connection.ts';
import { PLUGINS } from '../../sim/media/janus/room-place.ts';
import { checkRedis } from '../../sim/redis/check-redis.ts';
import { ConfigurationError, readServices, type Services } from '../../sim/server/configuration/read-configuration.ts';
import { checkRelay } from '../../sim/server/relay/relay-check.ts';
import { RelayError } from '../../sim/server/relay/stun-channel.ts';
import { openDatabase } from '../../sim/store/open-store.ts';
import { StoreError } from '../../sim/store/store-error.ts';
import { type Check, fail, type Finding, ok, skipped, warning, wordOf } from './check.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the checks of the services. A wrong setting is one failing check that names it. */
export function serviceChecks(environment: Environment, clock: Clock): Check[] {
  const names = ['database', 'disk', 'redis', 'turn', 'janus'];
  let services: Services;
  try {
    ({ services } = readServices(environment));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const text = error.faults.join('; ');
    return [{ name: 'settings', run: async () => fail(text, 'correct these variables (docs/deployment.md)') }];
  }
  const { database, redis, relay, janus } = services;
  const unset = ['DATABASE_URL', 'DATABASE_URL', 'REDIS_URL', 'TURN_URL', 'JANUS_URL'];
  const runs = [
    database && (() => checkDatabase(database.url)),
    database && (() => checkDisk(database.url)),
    redis && (() => checkRedisAt(redis.url, clock)),
    relay && (() => checkRelays(relay, clock)),
    janus && (() => checkJanus(janus.urls, janus.secret ?? null, clock)),
  ];
  return names.map((name, at) => ({
    name,
    limitMs: 15_000,
    run: runs[at] ?? (async () => skipped(`${unset[at]} is not set`)),
  }));
}

const isPostgres = (url: string): boolean => /^postgres(?:ql)?:/i.test(url);
const SQLITE = 'SQLite format 3\0';
const DATABASE_FIX = 'correct DATABASE_URL, or start the database';

/** Checks that a PostgreSQL answers. Reads a SQLite file without opening it, since a server may hold it. */
async function checkDatabase(url: string): Promise<Finding> {
  if (!isPostgres(url)) return checkFile(url);
  try {
    const { db } = await openDatabase(url, { warn: () => undefined }, { connections: 1 });
    try {
      await sql`select 1`.execute(db);
    } finally {
      await db.destroy();
    }
    return ok('PostgreSQL answers (DATABASE_URL)');
  } catch (error) {
    // The message of a driver may have a part of the address.
    const cause = error instanceof StoreError ? error.cause : error;
    return fail(`PostgreSQL cannot be used (${wordOf(cause)})`, DATABASE_FIX);
  }
}

async function checkFile(path: string): Promise<Finding> {
  try {
    await access(dirname(resolve(path)), constants.W_OK);
  } catch (error) {
    return fail(
      `the folder of the database cannot be written (${wordOf(error)})`,
      'create it, or correct DATABASE_URL',
    );
  }
  const found = await stat(path).catch(() => null);
  if (!found) return ok('the folder is writable; the file is created at the first start (DATABASE_URL)');
  if (!found.isFile()) return fail('the path of the database is no file', 'correct DATABASE_URL');
  try {
    const file = await open(path, 'r+');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(SQLITE.length), 0, SQLITE.length, 0);
      const isDatabase = bytesRead === 0 || buffer.toString('latin1') === SQLITE;
      return isDatabase
        ? ok('the SQLite file can be written (DATABASE_URL)')
        : fail('the file is no SQLite database', 'restore it from a copy, or use another file');
    } finally {
      await file.close();
    }
  } catch (error) {
    return fail(`the database file cannot be written (${wordOf(error)})`, 'change its owner or its permissions');
  }
}

const MEBIBYTE = 1_048_576;
const LITTLE_MIB = 1_024;
const TOO_LITTLE_MIB = 100;

/** Checks the free space in the folder of a SQLite file. */
async function checkDisk(url: string): Promise<Finding> {
  if (isPostgres(url)) return skipped('the database is not on this machine');
  try {
    const { bavail, bsize } = await statfs(dirname(resolve(url)));
    return judgeDisk(Math.floor((bavail * bsize) / MEBIBYTE));
  } catch (error) {
    return fail(`the folder of the database cannot be read (${wordOf(error)})`, 'create it, or correct DATABASE_URL');
  }
}

/** Judges the free space of the database folder. */
export function judgeDisk(freeMib: number): Finding {
  const text = `${freeMib} MiB are free in the folder of the database`;
  const fix = 'make space on its disk, or move the database';
  if (freeMib < TOO_LITTLE_MIB) return fail(text, fix);
  return freeMib < LITTLE_MIB ? warning(text, fix) : ok(text);
}

async function checkRedisAt(url: string, clock: Clock): Promise<Finding> {
  const problem = await checkRedis(url, { clock });
  return problem === null
    ? ok('Redis answers, accepts writes, scripts and channels (REDIS_URL)')
    : fail(problem, 'correct REDIS_URL, or start Redis');
}

/** Makes an allocation at each relay, with the credentials that clients get. */
async function checkRelays({ urls, secret }: NonNullable<Services['relay']>, clock: Clock): Promise<Finding> {
  const problems = await Promise.all(
    urls.map((url, at) =>
      checkRelay(url, { urls, secret }, clock).then(
        () => null,
        (error: unknown) =>
          `relay ${at + 1} of ${urls.length}: ${error instanceof RelayError ? error.message : wordOf(error)}`,
      ),
    ),
  );
  return judgeEach(problems, 'relay', 'allocates (TURN_URL)', 'check TURN_URL, TURN_SECRET and the firewall');
}

async function checkJanus(urls: readonly string[], secret: string | null, clock: Clock): Promise<Finding> {
  const problems = await Promise.all(
    urls.map(async (url, at) => {
      try {
        const options = { url, secret, clock, times: JANUS_TIMES, ended: () => undefined };
        (await JanusConnection.open(options, Object.values(PLUGINS))).close();
        return null;
      } catch (error) {
        return `Janus ${at + 1} of ${urls.length}: ${error instanceof JanusError ? error.message : wordOf(error)}`;
      }
    }),
  );
  return judgeEach(problems, 'Janus server', 'answers (JANUS_URL)', 'check JANUS_URL, JANUS_SECRET and the firewall');
}

/** Judges servers of one setting: the service works while one of them does. */
function judgeEach(problems: readonly (string | null)[], what: string, works: string, fix: string): Finding {
  const found = problems.filter((problem) => problem !== null);
  if (found.length === 0) return ok(`each ${what} ${works}`);
  return found.length === problems.length ? fail(found.join('; '), fix) : warning(found.join('; '), fix);
}
