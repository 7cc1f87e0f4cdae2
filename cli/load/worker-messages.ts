/** The IPC messages between a run and its load processes. Both have the same version. */
import type { LoadPlan } from './generator.ts';
import type { LoadSink } from './metrics.ts';
import type { LoadEnd, LoadTarget } from './run-load.ts';

/** What a process is ordered to do. It gets one `load`, a `begin` when all are ready, and perhaps a `stop`. */
export type WorkerOrder =
  | { readonly type: 'load'; readonly target: LoadTarget; readonly plan: LoadPlan }
  | { readonly type: 'begin' | 'stop' };

/** A call of the sink: its method and its arguments. */
export type SinkCall = {
  [Method in keyof LoadSink]: readonly [Method, ...Parameters<LoadSink[Method]>];
}[keyof LoadSink];

export type WorkerNews =
  | { readonly type: 'opened'; readonly count: number }
  | { readonly type: 'ready' }
  | { readonly type: 'results'; readonly calls: readonly SinkCall[] }
  | { readonly type: 'done'; readonly end: LoadEnd }
  | { readonly type: 'failed'; readonly message: string; readonly exitCode: number };
