/**
 * A child process of a bench whose main thread has one core, with the time that it has used there and the time that it
 * has waited. The threads of V8 and of libuv may use every core, as on a machine of a user.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** The time of the main thread of a process, milliseconds. */
export interface CoreTime {
  readonly worked: number;
  /** The time in which the thread had work, but other programs had the core. */
  readonly waited: number;
}

export class CoreProcess {
  readonly #child: ChildProcess;
  #isStopped = false;

  /**
   * @param core - the only core on which the main thread runs, where the system has `taskset`. It is set with the first
   *   message, so that the threads that the process has started by then do not inherit it.
   */
  constructor(file: string, args: readonly string[], core: number) {
    this.#child = fork(file, args, { execArgv: [] });
    this.#child.once('message', () => spawnSync('taskset', ['-p', '-c', String(core), String(this.#child.pid)]));
    this.#child.once('exit', (code, signal) => {
      if (!this.#isStopped) throw new Error(`${file} ended with ${code ?? signal}`);
    });
  }

  /** Returns the next message of the process. */
  async heard<Message>(): Promise<Message> {
    const [message] = await once(this.#child, 'message');
    return message;
  }

  /** Sends a message. Returns the answer. */
  ask<Answer>(message: object | string): Promise<Answer> {
    const answer = this.heard<Answer>();
    this.#child.send(message);
    return answer;
  }

  /** Returns the time of the process so far. Zeros on a system without /proc. */
  time(): CoreTime {
    try {
      const [worked = 0, waited = 0] = readFileSync(`/proc/${this.#child.pid}/schedstat`, 'utf8')
        .split(' ')
        .map(Number);
      return { worked: worked / 1e6, waited: waited / 1e6 };
    } catch {
      return { worked: 0, waited: 0 };
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#child.disconnect();
  }
}
