/** Starts the node of node-host.ts in a child process, and stops it. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { NodeNews, NodeOrder } from './node-host.ts';

export interface NodeProcess {
  readonly url: string;
  readonly pid: number;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Lets the node drain, for at most `ms` milliseconds, and stop. */
  drain(ms: number): Promise<void>;
  /** Ends the process at once, as a crash does. */
  kill(): Promise<void>;
}

/**
 * Starts a node.
 *
 * Rejects with CommandError when it does not start: its settings are wrong, or a service does not answer.
 */
export function startNodeProcess(order: Omit<NodeOrder & { readonly kind: 'start' }, 'kind'>): Promise<NodeProcess> {
  const fromSources = import.meta.url.endsWith('.ts');
  const child = fork(fileURLToPath(new URL(`./node-host.${fromSources ? 'ts' : 'js'}`, import.meta.url)), [], {
    execArgv: fromSources ? ['--import', 'tsx'] : [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const send = (one: NodeOrder) => {
    if (child.connected) child.send(one);
  };
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      child.kill('SIGKILL');
      reject(new CommandError(`A node did not start: ${why}`, EXIT.environment));
    };
    child.once('error', (error) => fail(error.message));
    void ended.then(() => fail('its process ended.'));
    child.once('message', (news: NodeNews) => {
      if ('failure' in news) return fail(news.failure);
      resolve({
        url: news.url,
        pid: child.pid ?? 0,
        ended,
        async drain(ms) {
          send({ kind: 'drain', ms });
          await ended;
        },
        async kill() {
          child.kill('SIGKILL');
          await ended;
        },
      });
    });
    send({ kind: 'start', ...order });
  });
}
