/** Starts the server of a soak run in a child process, asks for its state, stops it and kills it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { UNLIMITED } from '../../../cli/load/unlimited.ts';
import { SoakCannotRun } from '../soak-run.ts';
import type { SoakServerNews, SoakServerOrder, SoakServerReport } from './server-host.ts';

/** The longest start and the longest wait for a report. Milliseconds. */
const READY_MS = 60_000;
const REPORT_MS = 60_000;

export interface SoakServer {
  readonly url: string;
  readonly port: number;
  /** Whether its process has ended. */
  readonly isOver: boolean;
  /** Asks for the state. `heap` collects the garbage first. */
  report(what?: 'heap' | 'state'): Promise<SoakServerReport>;
  /** Stops it as an operator does: sockets close, and the state is stored. */
  stop(): Promise<void>;
  /** Sends SIGTERM: it drains, stops and ends. Returns its last report. */
  drain(): Promise<SoakServerReport>;
  /** Ends its process at once. */
  kill(): Promise<void>;
}

export async function startSoakServer(options: Partial<SoakServerOrder>): Promise<SoakServer> {
  const order: SoakServerOrder = {
    users: [],
    port: 0,
    settings: UNLIMITED,
    timeScale: 1,
    database: null,
    loopbackFactor: 1e9,
    cluster: null,
    drainMs: 0,
    ...options,
  };
  const child = fork(new URL('./server-host.ts', import.meta.url), [], {
    execArgv: ['--import', 'tsx', '--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.send(order);
  const news = await nextNews(child, READY_MS);
  if (!('url' in news)) {
    child.kill('SIGKILL');
    throw new SoakCannotRun(`The server did not start: ${'failure' in news ? news.failure : 'no URL'}`);
  }
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  return {
    url: news.url,
    port: Number(new URL(news.url).port),
    get isOver() {
      return isOver();
    },
    async report(what = 'state') {
      child.send(what);
      const answer = await nextNews(child, REPORT_MS);
      if ('heapBytes' in answer) return answer;
      throw new Error('The server sent no report.');
    },
    async stop() {
      if (isOver()) return;
      const exited = once(child, 'exit');
      child.send('stop');
      await exited;
    },
    async drain() {
      const exited = once(child, 'exit');
      const last = nextNews(child, order.drainMs + REPORT_MS);
      child.kill('SIGTERM');
      const report = await last;
      await exited;
      if ('heapBytes' in report) return report;
      throw new Error('The server sent no report.');
    },
    async kill() {
      if (isOver()) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Waits for the next message. Rejects when the process ends, and at the limit. */
function nextNews(child: ChildProcess, limitMs: number): Promise<SoakServerNews> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(limit);
      child.off('message', onMessage);
      child.off('exit', onExit);
      act();
    };
    const onMessage = (news: unknown) => settle(() => resolve(news as SoakServerNews));
    const onExit = (code: number | null, signal: string | null) =>
      settle(() => reject(new Error(`the server ended with ${signal ?? String(code)}`)));
    const limit = setTimeout(
      () => settle(() => reject(new Error('the server did not answer in time'))),
      scaled(limitMs),
    );
    child.once('message', onMessage);
    child.once('exit', onExit);
  });
}
