/** PostgreSQL for tests: a process with its own folder, port and data, without rights. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scaled } from '../../tools/run/machine-factor.ts';
import { freePort } from '../unit/support/free-port.ts';

/** The folder where Debian keeps the programs of each version. */
const VERSIONS = '/usr/lib/postgresql';
const programs = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .toSorted((one, other) => Number(other) - Number(one))
      .map((version) => join(VERSIONS, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')))
  : undefined;

/** The reason why tests that start PostgreSQL are skipped. Undefined when they run. */
export const NO_POSTGRES_SERVER =
  programs === undefined ? 'PostgreSQL is not installed: apt-get install postgresql' : undefined;

/** The user without rights. PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** How a server stops: in order, or as after a loss of power, so that it recovers from its log at the next start. */
export type PostgresStop = 'fast' | 'immediate';

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

export interface TestPostgres {
  readonly url: string;
  stop(how: PostgresStop): Promise<void>;
  /** Starts the stopped process again, with its data. Resolves when it accepts connections. */
  start(): Promise<void>;
  /** Kills the process and removes its folder. */
  dispose(): Promise<void>;
}

/** Starts a server with an empty database. */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-postgres-'));
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const data = join(folder, 'data');
  let child: ChildProcess | null = null;
  const stop = async (how: PostgresStop): Promise<void> => {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    running.kill(SIGNALS[how]);
    await once(running, 'exit');
  };
  try {
    const words = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
    const [command, ...rest] = asNobody('initdb', words);
    execFileSync(command, rest, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder });
    const port = await freePort();
    const settings = ['-h', '127.0.0.1', '-p', String(port), '-k', '', '-c', 'log_min_messages=log'];
    const start = async (): Promise<void> => {
      child = await run(asNobody('postgres', ['-D', data, ...settings]), folder);
    };
    await start();
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      stop,
      start,
      async dispose() {
        await stop('immediate');
        remove();
      },
    };
  } catch (error) {
    await stop('immediate');
    remove();
    throw error;
  }
}

function asNobody(program: string, words: readonly string[]): readonly [string, ...string[]] {
  const rights = isRoot ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
  // The process ends with the process of the test.
  return ['setpriv', ...rights, '--no-new-privs', '--pdeathsig=QUIT', join(programs ?? '', program), ...words];
}

/** Starts the process, and waits until it accepts connections. */
async function run([command, ...words]: readonly [string, ...string[]], folder: string): Promise<ChildProcess> {
  const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(limit);
      reject(new Error(`PostgreSQL did not start: ${reason}\n${output}`));
    };
    const limit = setTimeout(() => {
      child.kill('SIGQUIT');
      fail('it accepted no connection in time');
    }, scaled(30_000));
    child.stderr.on('data', (chunk: Buffer) => {
      if (output.length < 100_000) output += chunk.toString();
      if (!output.includes('database system is ready to accept connections')) return;
      clearTimeout(limit);
      resolve();
    });
    child.once('exit', (code) => fail(`it ended with ${code}`));
  });
  return child;
}
