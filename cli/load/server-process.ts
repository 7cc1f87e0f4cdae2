/** Starts the exchange of server-host.ts in a child process, and stops it. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../src/common/clock.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { ServiceOptions } from '../services.ts';
import type { ServerNews, ServerOrder } from './server-host.ts';

/** The longest start, milliseconds. */
const READY_LIMIT_MS = 90_000;

export interface LoadedServer {
  readonly url: string;
  stop(): void;
}

/** Starts a fresh exchange with these services and users. The users sign in without a password. */
export function startServerProcess(
  users: readonly string[],
  services: ServiceOptions,
  clock: Pick<Clock, 'after'>,
): Promise<LoadedServer> {
  const fromSources = import.meta.url.endsWith('.ts');
  const child = fork(fileURLToPath(new URL(`./server-host.${fromSources ? 'ts' : 'js'}`, import.meta.url)), [], {
    execArgv: fromSources ? ['--import', 'tsx'] : [],
    stdio: ['ignore', 'ignore', process.env['RINGBACK_DEBUG'] ? 'inherit' : 'ignore', 'ipc'],
  });
  const stop = () => void child.kill('SIGKILL');
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      limit.cancel();
      stop();
      reject(new CommandError(`The exchange to load did not start: ${why}.`, EXIT.environment));
    };
    const limit = clock.after(READY_LIMIT_MS, () => fail('it took too long'));
    child.once('error', (error) => fail(error.message));
    child.once('exit', () => fail('its process ended'));
    child.once('message', (news: ServerNews) => {
      if ('failure' in news) return fail(news.failure);
      limit.cancel();
      child.removeAllListeners('exit');
      resolve({ url: news.url, stop });
    });
    child.send({ users, services } satisfies ServerOrder);
  });
}
