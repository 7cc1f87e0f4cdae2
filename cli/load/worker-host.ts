/** A process of a load run: it makes a part of the calls, and reports the results. worker-processes.ts forks it. */
import { nodeClock } from '../../sim/server/node-ports.ts';
import { collectRarely } from '../../sim/server/operations/rare-collections.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { LoadPlan } from './generator.ts';
import type { LoadSink } from './metrics.ts';
import { openPairs } from './open-pairs.ts';
import { type LoadRun, startLoad } from './run-load.ts';
import type { SinkCall, WorkerNews, WorkerOrder } from './worker-messages.ts';

/** The interval of the reports, milliseconds. */
const REPORT_MS = 100;

let run: LoadRun | undefined;
let isStopped = false;
let begin: () => void = () => undefined;
const mayBegin = new Promise<void>((resolve) => (begin = resolve));

function emit(news: WorkerNews): void {
  if (process.connected) process.send?.(news);
}

/** Returns a sink that collects what it gets, and the function that sends it. */
function collectingSink(): { readonly sink: LoadSink; readonly flush: () => void } {
  let calls: SinkCall[] = [];
  return {
    sink: {
      dialled: (...words) => void calls.push(['dialled', ...words]),
      measured: (...words) => void calls.push(['measured', ...words]),
      finished: (...words) => void calls.push(['finished', ...words]),
    },
    flush() {
      if (calls.length > 0) emit({ type: 'results', calls });
      calls = [];
    },
  };
}

/** Loads the engine for media. Only a process that ends with the run may load it. */
async function openerOf(media: LoadPlan['media']): Promise<typeof openPairs> {
  if (media === 'none') return openPairs;
  try {
    const { openMediaPairs } = await import('./open-media-pairs.ts');
    return (options) => openMediaPairs(options, media === 'video');
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new CommandError(`The media engine cannot be loaded: ${why}. Reinstall with npm ci.`, EXIT.environment);
  }
}

async function load({ target, plan }: Extract<WorkerOrder, { type: 'load' }>): Promise<void> {
  collectRarely();
  const { sink, flush } = collectingSink();
  const timer = nodeClock.every(REPORT_MS, flush);
  try {
    const open = await openerOf(plan.media);
    run = startLoad(target, plan, {
      open,
      clock: nodeClock,
      sink,
      opened: (count) => emit({ type: 'opened', count }),
      begin() {
        emit({ type: 'ready' });
        return mayBegin;
      },
    });
    if (isStopped) run.stop();
    const end = await run.done;
    flush();
    emit({ type: 'done', end });
  } catch (error) {
    const isKnown = error instanceof CommandError;
    const message = error instanceof Error ? error.message : String(error);
    emit({ type: 'failed', message, exitCode: isKnown ? error.exitCode : EXIT.internal });
  } finally {
    timer.cancel();
  }
}

process.on('message', (order: WorkerOrder) => {
  if (order.type === 'load') void load(order);
  else {
    isStopped ||= order.type === 'stop';
    if (isStopped) run?.stop();
    begin();
  }
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group. The parent orders the stop.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
