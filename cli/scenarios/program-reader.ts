/** Reads scenario files in TypeScript in a thread, so that a file that never ends can be stopped. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { spanText } from '../../sim/format/duration.ts';
import type { Clock } from '../../src/common/clock.ts';
import { faultOf, type ScenarioFile } from './scenario-file.ts';

/** The longest time in which a file loads, milliseconds. A file needs less than a second on an idle machine. */
const LIMIT_MS = 20_000;

export class ProgramReader {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #limitMs: number;
  /** The thread between two files. Undefined before the first one, and after a file that broke it. */
  #idle: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param clock - limits the time in which a file loads. */
  constructor(clock: Pick<Clock, 'after'>, limitMs = LIMIT_MS) {
    this.#clock = clock;
    this.#limitMs = limitMs;
  }

  /** Reads a file after those before it, which share its compiler. Never rejects: errors are in the result. */
  read(path: string): Promise<ScenarioFile> {
    const reading = this.#last.then(() => this.#readNow(path));
    this.#last = reading;
    return reading;
  }

  async #readNow(path: string): Promise<ScenarioFile> {
    const worker = this.#idle ?? startWorker();
    this.#idle = undefined;
    worker.ref();
    const over = new AbortController();
    const { signal } = over;
    const late = new Promise<never>((_, reject) => {
      const message = `the file did not load within ${spanText(this.#limitMs)}: look for an endless loop, or a promise that never settles`;
      const limit = this.#clock.after(this.#limitMs, () => reject(new Error(message)));
      signal.addEventListener('abort', () => limit.cancel());
    });
    const ended = once(worker, 'exit', { signal }).then(() => Promise.reject(new Error('the file ended its process')));
    try {
      const read = once(worker, 'message', { signal });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(path);
      const [file] = (await Promise.race([read, late, ended])) as [ScenarioFile];
      // The process may end while the thread waits for a file.
      worker.unref();
      this.#idle = worker;
      return file;
    } catch (error) {
      // An error of a thread without a listener would end this process.
      worker.on('error', () => undefined);
      void worker.terminate();
      return { faults: [faultOf(path, error instanceof Error ? error.message : String(error))], uses: [path] };
    } finally {
      over.abort();
    }
  }
}

function startWorker(): Worker {
  // A build has the thread in JavaScript. Under a test runner it is TypeScript, and the thread registers the loader.
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./program-worker.js', import.meta.url));
  const program = JSON.stringify(new URL('./program-worker.ts', import.meta.url).href);
  return new Worker(`import('tsx/esm/api').then(({ register }) => (register(), import(${program})))`, { eval: true });
}
