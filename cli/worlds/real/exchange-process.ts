/** An exchange in a process of its own, seen from the scenario host: it is stopped, killed and started again. */
import type { Clock } from '../../../src/common/clock.ts';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MediaPath } from '../../../sim/exchange/ports.ts';
import type { RoomSnapshot } from '../../../sim/exchange/rooms/room-snapshot.ts';
import type { ExchangeSettings } from '../../../sim/exchange/settings.ts';
import type { ProductPerson } from '../../../sim/product/product-person.ts';
import type { SeenServer } from '../../../sim/scenario/run/read-server.ts';
import { type History, openHistory } from '../../../sim/store/read-history.ts';
import { type ExchangeCommand, type ExchangeNews, WITH_ROOMS } from './exchange-messages.ts';
import { idOf, type OpenPath } from './media-paths.ts';
import type { WorldExchange } from './world-exchange.ts';

const PROGRAM = fileURLToPath(
  new URL(`.//exchange-host.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);
/** The maximum time for the program to load and start, milliseconds. */
const READY_LIMIT_MS = 90_000;

interface Options {
  readonly users: readonly ProductPerson[];
  readonly settings: Partial<ExchangeSettings>;
  readonly openPath: OpenPath;
  /** Whether the program loads the engine of rooms before it starts. */
  readonly hasRooms: boolean;
  readonly clock: Pick<Clock, 'after'>;
}

/** Starts the exchange with a database in a folder of its own, which is deleted when the exchange is closed. */
export async function startExchangeProcess(options: Options): Promise<WorldExchange> {
  const made = new ExchangeProcess(options);
  await made.begin();
  return made;
}

class ExchangeProcess implements WorldExchange {
  readonly #options: Options;
  readonly #folder = mkdtempSync(join(tmpdir(), 'ringback-exchange-'));
  readonly #paths = new Map<string, MediaPath>();
  #databases = 1;
  #child: ChildProcess | undefined;
  /** The next program, loaded in advance so that a restart takes no longer on a slow machine. */
  #next: { readonly child: ChildProcess; readonly loaded: Promise<unknown> };
  #ended: Promise<unknown> = Promise.resolve();
  #port = 0;
  #calls = 0;
  #devices = 0;
  #rooms: readonly RoomSnapshot[] = [];
  #history: History | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#next = this.#load();
  }

  get port(): number {
    return this.#port;
  }

  get seen(): SeenServer {
    this.#history ??= openHistory(this.#database);
    return {
      liveCalls: Array.from({ length: this.#calls }),
      deviceCount: this.#devices,
      roomSnapshots: this.#rooms,
      records: this.#history.read(),
    };
  }

  async begin(): Promise<void> {
    await this.#start();
    await this.#next.loaded;
  }

  forgetCalls(): void {
    this.#send({ type: 'forget-calls' });
  }

  changeTurn(): void {
    this.#send({ type: 'turn-changed' });
  }

  revokeSessions(user: string): void {
    this.#send({ type: 'revoke', user });
  }

  stop(how: 'restart' | 'crash' | 'wipe'): () => void {
    this.#child?.kill(how === 'restart' ? 'SIGTERM' : 'SIGKILL');
    this.#child = undefined;
    this.#calls = 0;
    this.#devices = 0;
    this.#rooms = [];
    if (how === 'wipe') {
      this.#history?.close();
      this.#history = undefined;
      this.#databases += 1;
    }
    // When the exchange does not start, no channel opens, and the story sees that.
    return () => void this.#start().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#child?.kill('SIGKILL');
    this.#next.child.kill('SIGKILL');
    this.#history?.close();
    for (const path of this.#paths.values()) path.dispose();
    await this.#ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #database(): string {
    return join(this.#folder, `${this.#databases}.db`);
  }

  #load(): { readonly child: ChildProcess; readonly loaded: Promise<unknown> } {
    const child = fork(PROGRAM, this.#options.hasRooms ? [WITH_ROOMS] : [], {
      execArgv: PROGRAM.endsWith('.ts') ? ['--import', 'tsx'] : [],
      stdio: ['ignore', 'ignore', process.env['RINGBACK_DEBUG'] ? 'inherit' : 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    return { child, loaded: Promise.race([once(child, 'message'), once(child, 'exit')]) };
  }

  #start(): Promise<void> {
    const { child } = this.#next;
    this.#next = this.#load();
    const before = this.#ended;
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('exit', resolve));
    const { users, settings, clock } = this.#options;
    return new Promise((resolve, reject) => {
      const limit = clock.after(READY_LIMIT_MS, () => reject(new Error('the exchange did not start in time')));
      child.once('exit', () => {
        limit.cancel();
        reject(new Error('the exchange ended before it had started'));
      });
      child.on('message', (news: ExchangeNews) => {
        if (news.type === 'ready') {
          limit.cancel();
          this.#port = news.port;
          resolve();
        } else this.#receive(child, news);
      });
      // The port is free after the previous process has ended.
      void before.then(() =>
        child.send({
          type: 'start',
          port: this.#port,
          database: this.#database,
          users,
          settings,
        } satisfies ExchangeCommand),
      );
    });
  }

  #receive(child: ChildProcess, news: Exclude<ExchangeNews, { type: 'ready' }>): void {
    switch (news.type) {
      case 'loaded':
        return;
      case 'seen':
        if (child !== this.#child) return;
        this.#calls = news.calls;
        this.#devices = news.devices;
        this.#rooms = news.rooms;
        return;
      case 'open':
        if (!this.#paths.has(idOf(news.of))) this.#paths.set(idOf(news.of), this.#options.openPath(news.of));
        return;
      case 'dispose':
        this.#paths.get(idOf(news.of))?.dispose();
        this.#paths.delete(idOf(news.of));
        return;
      case 'rewrite':
        void this.#rewrite(child, news);
        return;
      default:
        return news satisfies never;
    }
  }

  async #rewrite(child: ChildProcess, news: Extract<ExchangeNews, { type: 'rewrite' }>): Promise<void> {
    const { id, of, what, text, from } = news;
    const path = this.#paths.get(idOf(of));
    const rewritten = await (what === 'sdp' ? path?.rewriteSdp(text, from) : path?.rewriteCandidate(text, from));
    if (child.connected) child.send({ type: 'rewritten', id, text: rewritten ?? null } satisfies ExchangeCommand);
  }

  #send(command: ExchangeCommand): void {
    this.#child?.send(command);
  }
}
