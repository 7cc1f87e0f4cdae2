import type { ChannelIdentity } from '../../exchange/delivery/connection.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { HttpRequest, HttpResponse } from '../../http/request.ts';
import type { BalancedNode } from '../../virtual/balancer.ts';
import type { ExchangeAnswer, ExchangeLink } from '../../virtual/exchange-door.ts';
import type { ExchangeClock } from './exchange-clock.ts';
import type { Pause } from './pause.ts';
import type { VirtualProcess } from './virtual-process.ts';

/** The time after which the balancer's probes have found a node that does not answer. Milliseconds. */
const PROBED_MS = 5_000;
/** The wait before a process that could not join starts again. Milliseconds. */
const AGAIN_MS = 1_000;
/** The interval in which a draining node looks whether its calls are over, and its longest drain. Milliseconds. */
const LOOK_MS = 1_000;
const DRAIN_MS = 30_000;

export interface NodeOptions {
  readonly name: string;
  readonly clock: ExchangeClock;
  readonly pause: Pause;
  /** Starts a process of the node. */
  readonly start: () => VirtualProcess;
}

/**
 * A node of the exchange: a server that can be stopped, killed, paused and started again. The memory of a process is
 * lost with it: the next process has only the content of the stores.
 */
export class VirtualNode implements BalancedNode {
  readonly name: string;
  readonly clock: ExchangeClock;
  readonly #options: NodeOptions;
  readonly #links = new Set<ExchangeLink>();
  /** What waits for an answer of the process, and fails when it ends. */
  readonly #waiting = new Set<() => void>();
  #process: VirtualProcess;
  #isDown = false;
  #isDraining = false;
  #isClosed = false;
  #pausedAt: number | null = null;
  #timer: { cancel(): void } | null = null;
  /** Settles when the last process that was stopped has ended. */
  #stopped: Promise<void> = Promise.resolve();

  constructor(options: NodeOptions) {
    this.name = options.name;
    this.clock = options.clock;
    this.#options = options;
    this.#process = options.start();
    this.#open(this.#process);
  }

  /** The exchange of the running process, or of the last one. Undefined before it has joined the other nodes. */
  get exchange(): Exchange | undefined {
    return this.#process.exchange;
  }

  get isDown(): boolean {
    return this.#isDown || !this.#process.isOpen;
  }

  get isPaused(): boolean {
    return this.#pausedAt !== null;
  }

  get isReady(): boolean {
    if (this.isDown || this.#isDraining || !this.#process.isReachable) return false;
    return this.#pausedAt === null || this.clock.now() - this.#pausedAt < PROBED_MS;
  }

  connect(who: ChannelIdentity, link: ExchangeLink): ExchangeAnswer | Promise<ExchangeAnswer> {
    this.#links.add(link);
    const preparing = this.isPaused
      ? this.#awake().then(() => this.exchange?.prepare({ session: who.sessionToken }))
      : this.exchange?.prepare({ session: who.sessionToken });
    if (!preparing) return this.#connected(who, link);
    return this.#unlessKilled(preparing).then(
      () => this.#connected(who, link),
      () => ({ status: 503 }),
    );
  }

  async http(request: HttpRequest): Promise<HttpResponse> {
    if (this.isPaused) await this.#awake();
    const { exchange, clock } = this.#process;
    if (!exchange) return { status: 503, body: undefined };
    const answer = await this.#unlessKilled(exchange.http(request));
    if (clock.hasEnded) throw killed();
    return answer;
  }

  /** Stops the process in an orderly way, as SIGTERM does. */
  stop(): void {
    this.#timer?.cancel();
    if (this.#isDown) return;
    this.resume();
    this.#isDown = true;
    this.#stopped = this.#process.stop().then(() => this.#unanswered());
  }

  /** Stops the process in an orderly way, and starts another one when it has ended. */
  async restart(): Promise<void> {
    this.stop();
    await this.#stopped;
    if (!this.#isClosed) this.start();
  }

  /** Kills the process, as kill -9 does. */
  kill(): void {
    this.#timer?.cancel();
    this.#isDown = true;
    this.#process.kill();
    this.#options.pause.drop();
    this.resume();
    this.#unanswered();
  }

  /** Breaks the connections to the devices. */
  resetLinks(): void {
    const links = [...this.#links];
    this.#links.clear();
    for (const link of links) link.reset?.();
  }

  /** Starts a process on the same stores. */
  start(): void {
    if (!this.#isDown) return;
    this.#process.end();
    this.#process = this.#options.start();
    this.#isDown = false;
    this.#isDraining = false;
    this.#open(this.#process);
  }

  /** Stops the event loop: nothing runs, and everything that arrives waits. */
  pause(): void {
    if (this.isPaused || this.isDown) return;
    this.#pausedAt = this.clock.now();
    this.clock.stall();
    this.#options.pause.begin();
  }

  /** Runs the timers that came due during the pause, and then what arrived. */
  resume(): void {
    if (!this.isPaused) return;
    this.#pausedAt = null;
    this.clock.resume();
    this.#options.pause.end();
  }

  /** Refuses new calls, and stops when the present ones are over, or after a limit. */
  drain(): void {
    if (this.isDown || this.#isDraining) return;
    this.#isDraining = true;
    this.exchange?.drain();
    const until = this.clock.now() + DRAIN_MS;
    this.#timer = this.clock.every(LOOK_MS, () => {
      const { liveCalls = [], liveRooms = [] } = this.exchange ?? {};
      if (liveCalls.length + liveRooms.length === 0 || this.clock.now() >= until) this.stop();
    });
  }

  /** Ends the node with its world. */
  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.resume();
    void this.#process.stop().then(() => this.#unanswered());
  }

  #open(process: VirtualProcess): void {
    process.open().catch(() => {
      if (this.#process !== process || process.clock.hasEnded || this.#isClosed) return;
      // A service manager starts it again.
      process.kill();
      this.#timer = this.clock.after(AGAIN_MS, () => {
        this.#process = this.#options.start();
        this.#open(this.#process);
      });
    });
  }

  /** Breaks off what waits for an answer, if the process has ended. */
  #unanswered(): void {
    if (!this.#process.clock.hasEnded) return;
    for (const fail of this.#waiting) fail();
    this.#waiting.clear();
    if (this.#process.isMember) this.resetLinks();
  }

  #connected(who: ChannelIdentity, link: ExchangeLink): ExchangeAnswer {
    const process = this.#process;
    const taken = process.exchange?.connect(who, link) ?? { status: 503 };
    if ('status' in taken) {
      this.#links.delete(link);
      return taken;
    }
    const { pause } = this.#options;
    const toProcess = (run: () => void) =>
      pause.pass(() => {
        // The process is gone, and its devices are connected elsewhere.
        if (!process.clock.hasEnded) run();
      });
    return {
      receive: (text) => toProcess(() => taken.receive(text)),
      closed: () => {
        this.#links.delete(link);
        toProcess(() => taken.closed());
      },
    };
  }

  /** Resolves when the process goes on. Rejects when it is killed before. */
  #awake(): Promise<void> {
    return this.#unlessKilled(new Promise<void>((resolve) => this.#options.pause.pass(resolve)));
  }

  #unlessKilled<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = () => reject(killed());
      this.#waiting.add(fail);
      answer.then(resolve, reject).finally(() => this.#waiting.delete(fail));
    });
  }
}

const killed = () => new Error('the exchange was killed before it answered');
