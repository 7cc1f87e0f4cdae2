import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { LogCopy } from './log-copier.ts';

/** The answer to each order to copy. */
type Answer = { readonly pages: number } | { readonly code: string; readonly message: string };

/** The program of the thread. It is a text because each build has a file of its own at another place. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const Libsql = require(workerData.libsql);
const file = new Libsql(workerData.path);
file.exec('pragma synchronous = normal; pragma busy_timeout = 500');
const copy = file.prepare('pragma wal_checkpoint(passive)');
parentPort.on('message', (order) => {
  if (order === 'close') {
    file.close();
    parentPort.close();
    return;
  }
  try {
    const [{ log, checkpointed }] = copy.all();
    parentPort.postMessage({ pages: checkpointed === log ? log : -1 });
  } catch ({ code, message }) {
    parentPort.postMessage({ code, message });
  }
});
`;

/** An order whose answer has not arrived. */
interface Asked {
  readonly resolve: (pages: number) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread with a connection of its own to a SQLite file. The copy of the log is SQLite's passive one, which makes no
 * other connection wait (https://sqlite.org/c3ref/wal_checkpoint_v2.html).
 */
export class LogCopyThread implements LogCopy {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  /** The orders without an answer, oldest first. */
  #asked: Asked[] = [];
  #isClosing = false;
  #isOver = false;
  /** The error that has ended the thread. */
  #cause: unknown = undefined;

  /** @param path - the path of a SQLite file with a log. */
  constructor(path: string) {
    const libsql = createRequire(import.meta.url).resolve('libsql');
    this.#worker = new Worker(PROGRAM, { eval: true, execArgv: [], workerData: { libsql, path } });
    // A process without other work waits for the thread only while it copies.
    this.#worker.unref();
    this.#worker.on('message', (answer: Answer) => {
      const asked = this.#asked.shift();
      if (this.#asked.length === 0 && !this.#isClosing) this.#worker.unref();
      if ('pages' in answer) asked?.resolve(answer.pages);
      else asked?.reject(Object.assign(new Error(answer.message), { code: answer.code }));
    });
    // The end follows.
    this.#worker.on('error', (error) => {
      this.#cause = error;
      this.#fail(error);
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#isOver = true;
        this.#fail(this.#over());
        resolve();
      });
    });
  }

  copy(): Promise<number> {
    if (this.#isOver) return Promise.reject(this.#over());
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      this.#worker.ref();
      this.#send('copy');
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#worker.ref();
    this.#send('close');
    await this.#ended;
  }

  #over(): Error {
    return new Error('The thread that copies the log of the database has ended.', { cause: this.#cause });
  }

  #send(order: 'copy' | 'close'): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(order);
  }

  #fail(error: Error): void {
    const asked = this.#asked;
    this.#asked = [];
    for (const { reject } of asked) reject(error);
  }
}
