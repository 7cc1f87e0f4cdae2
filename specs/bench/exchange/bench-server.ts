/** A server of a bench in a child process, with connected pairs of users. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type CallListener, CallPair, type Step } from '../../../cli/load/call-pair.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { userIdOf } from './bench-users.ts';
import { channelUrl } from './channel-url.ts';
import type { ServerReport } from './served.ts';

export interface BenchServerOptions {
  readonly name: string;
  /** The built program of the server. */
  readonly file: string;
  readonly args: readonly string[];
  /** The number of pairs that are connected. */
  readonly open: number;
  /** Whether users sign in first. A bare relay has no users. Default: true. */
  readonly hasUsers?: boolean;
  /** The number of the first pair. Default: 0. */
  readonly firstPair?: number;
  /** The server to which the callees connect, another node of its cluster. Default: this one. */
  readonly calleesAt?: BenchServer;
  /** The application of the users. Default: that of the demo. */
  readonly appId?: string;
}

/** The pairs that connect at the same time. */
const AT_ONCE = 50;
/** The share of the heap that a further collection leaves when no work is under way. */
const AT_REST = 0.998;

/** A server with connected pairs of users. */
export class BenchServer {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #hasUsers: boolean;
  readonly #pairs: CallPair[];
  readonly #options: Pick<BenchServerOptions, 'appId' | 'calleesAt'> & { readonly firstPair: number };
  #url = '';
  /** Called at each step of a call. */
  #stepped: (pair: number, step: Step) => void = () => undefined;
  #failed: (why: Error) => void = () => undefined;

  constructor({ name, file, args, open, hasUsers = true, firstPair = 0, ...others }: BenchServerOptions) {
    this.name = name;
    this.#options = { ...others, firstPair };
    this.#hasUsers = hasUsers;
    this.#child = fork(file, args, { execArgv: ['--expose-gc'] });
    this.#pairs = Array.from(
      { length: open },
      (_, at) =>
        new CallPair(userIdOf(2 * (firstPair + at) + 1), nodeClock, () => this.#failed(new Error(`${name}: closed`))),
    );
  }

  async start(): Promise<void> {
    const [{ url }] = await once(this.#child, 'message');
    this.#url = url;
    for (let from = 0; from < this.#pairs.length; from += AT_ONCE) {
      const some = this.#pairs.slice(from, from + AT_ONCE);
      await Promise.all(some.map((pair, at) => this.#open(pair, from + at)));
    }
  }

  async report(what: 'cpu' | 'heap'): Promise<ServerReport> {
    this.#child.send(what);
    const [report] = await once(this.#child, 'message');
    return report;
  }

  /** Makes so many calls, of so many pairs at a time: a pair begins the next one when its last has ended. */
  calls(count: number, pairs: number): Promise<void> {
    let [begun, ended] = [0, 0];
    return new Promise((resolve, reject) => {
      this.#failed = reject;
      const next = (at: number): void => {
        if (begun >= count) return;
        begun += 1;
        this.#pairs[at]?.dial(this.#listenerOf(at));
      };
      this.#stepped = (at, step) => {
        if (step === 'connected') this.#pairs[at]?.end('end');
        if (step !== 'over') return;
        ended += 1;
        if (ended === count) resolve();
        else next(at);
      };
      for (let at = 0; at < pairs; at += 1) next(at);
    });
  }

  /** Connects a call of each pair from this one on, which stays live. */
  async connectFrom(first: number): Promise<void> {
    const pairs = this.#pairs.slice(first);
    const connected = this.#reached('connected', pairs.length);
    for (const [at, pair] of pairs.entries()) pair.dial(this.#listenerOf(first + at));
    await connected;
  }

  /** Returns the heap of one live call, bytes. */
  async heapPerCall(): Promise<number> {
    const before = await this.#heapAtRest();
    await this.connectFrom(0);
    const after = await this.#heapAtRest();
    const over = this.#reached('over', this.#pairs.length);
    for (const pair of this.#pairs) pair.end('end');
    await over;
    return (after - before) / this.#pairs.length;
  }

  stop(): void {
    for (const pair of this.#pairs) pair.close();
    this.#child.disconnect();
  }

  /** Returns the heap when the work behind the calls, such as writes to the disk, is done: it shrinks no more. */
  async #heapAtRest(): Promise<number> {
    let least = Infinity;
    for (;;) {
      const { heapBytes } = await this.report('heap');
      if (heapBytes > least * AT_REST) return Math.min(heapBytes, least);
      least = heapBytes;
    }
  }

  /** Resolves when so many pairs have reached this step. */
  #reached(wanted: Step, pairs: number): Promise<void> {
    let count = 0;
    return new Promise((resolve, reject) => {
      this.#failed = reject;
      this.#stepped = (_, step) => {
        if (step === wanted) count += 1;
        if (count === pairs) resolve();
      };
    });
  }

  #listenerOf(at: number): CallListener {
    const failed = (why: string) => this.#failed(new Error(`${this.name}: ${why}`));
    return {
      stepped: (step) => this.#stepped(at, step),
      refused: (command, code) => failed(`${command} was refused with ${code}`),
      lost: failed,
    };
  }

  async #open(pair: CallPair, at: number): Promise<void> {
    const { calleesAt = this, firstPair, appId } = this.#options;
    const users = { hasUsers: this.#hasUsers, ...(appId === undefined ? {} : { appId }) };
    const caller = 2 * (firstPair + at);
    const callee = caller + 1;
    await pair.open(
      await channelUrl({ ...users, server: this.#url, at: caller, peer: callee }),
      await channelUrl({ ...users, server: calleesAt.#url, at: callee, peer: caller }),
    );
  }
}
