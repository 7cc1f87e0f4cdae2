/** A run in several processes, seen from their parent: each makes every n-th call, and all results join in one sink. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { LoadPlan } from './generator.ts';
import type { LoadSink } from './metrics.ts';
import type { LoadDeps, LoadEnd, LoadRun, LoadTarget } from './run-load.ts';
import type { LoadUser } from './users.ts';
import type { SinkCall, WorkerNews, WorkerOrder } from './worker-messages.ts';

/** Returns the users of each process: whole pairs, as many for each as for any other, give or take one. */
export function sharesOf(users: readonly LoadUser[], processes: number): LoadUser[][] {
  const shares = Array.from({ length: processes }, (): LoadUser[] => []);
  for (let at = 0; at + 1 < users.length; at += 2) shares[(at / 2) % processes]?.push(...users.slice(at, at + 2));
  return shares;
}

export function startLoadProcesses(
  target: LoadTarget,
  plan: LoadPlan,
  deps: LoadDeps & { processes: number },
): LoadRun {
  const { processes, sink, opened, begin } = deps;
  const ready = barrier(processes);
  const counts = Array.from({ length: processes }, () => 0);
  const workers = sharesOf(target.users, processes).map((users, at) =>
    startWorker(
      { type: 'load', target: { ...target, users }, plan: { ...plan, part: { at, of: processes } } },
      (news) => {
        if (news.type === 'ready') ready.arrive();
        if (news.type === 'results') for (const call of news.calls) replay(sink, call);
        if (news.type !== 'opened') return;
        counts[at] = news.count;
        opened(counts.reduce((sum, count) => sum + count, 0));
      },
    ),
  );
  const all = async (): Promise<LoadEnd> => {
    try {
      const ends = Promise.all(workers.map(({ done }) => done));
      // A process that fails before the begin ends the run. A stopped one does not arrive.
      await Promise.race([ready.passed, ends]);
      await begin();
      for (const { send } of workers) send({ type: 'begin' });
      return joined(await ends);
    } finally {
      for (const { kill } of workers) kill();
    }
  };
  return {
    done: all(),
    stop() {
      for (const { send } of workers) send({ type: 'stop' });
    },
  };
}

/** A run is cut short when it is so in every process. */
const joined = (ends: readonly LoadEnd[]): LoadEnd => ({
  closedPairs: ends.reduce((sum, { closedPairs }) => sum + closedPairs, 0),
  isCutShort: ends.every(({ isCutShort }) => isCutShort),
});

function barrier(count: number): { readonly passed: Promise<void>; arrive(): void } {
  let missing = count;
  let pass = () => undefined as void;
  const passed = new Promise<void>((resolve) => (pass = resolve));
  return {
    passed,
    arrive() {
      missing -= 1;
      if (missing === 0) pass();
    },
  };
}

function replay(sink: LoadSink, call: SinkCall): void {
  switch (call[0]) {
    case 'dialled':
      return sink.dialled(call[1], call[2]);
    case 'measured':
      return sink.measured(call[1], call[2], call[3]);
    case 'finished':
      return sink.finished(call[1], call[2], call[3]);
    default:
      return call satisfies never;
  }
}

interface Worker {
  readonly done: Promise<LoadEnd>;
  send(order: WorkerOrder): void;
  kill(): void;
}

function startWorker(order: WorkerOrder, heard: (news: WorkerNews) => void): Worker {
  const fromSources = import.meta.url.endsWith('.ts');
  const child: ChildProcess = fork(
    fileURLToPath(new URL(`./worker-host.${fromSources ? 'ts' : 'js'}`, import.meta.url)),
    [],
    {
      execArgv: fromSources ? ['--import', 'tsx'] : [],
      stdio: ['ignore', 'ignore', process.env['RINGBACK_DEBUG'] ? 'inherit' : 'ignore', 'ipc'],
      serialization: 'advanced',
    },
  );
  const send = (message: WorkerOrder) => {
    if (child.connected) child.send(message, () => undefined);
  };
  const done = new Promise<LoadEnd>((resolve, reject) => {
    child.on('message', (news: WorkerNews) => {
      heard(news);
      if (news.type === 'done') resolve(news.end);
      if (news.type === 'failed') reject(new CommandError(news.message, news.exitCode));
    });
    const ended = (how: string) =>
      reject(new CommandError(`A load process ended before its calls (${how}).`, EXIT.crashed));
    child.once('error', (error) => ended(error.message));
    child.once('exit', (code, signal) => ended(signal ?? `exit code ${code ?? 'unknown'}`));
  });
  send(order);
  return { done, send, kill: () => void child.kill('SIGKILL') };
}
