/** An exchange in this process, which shares the clock of its world and can be restarted. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SeenServer } from '../../../sim/scenario/run/read-server.ts';
import { type Sim, type SimOptions, startSim } from '../../../sim/server/start-sim.ts';
import type { WorldExchange } from './world-exchange.ts';

/** The name under which live calls are stored: that of every start. */
const NAME = 'exchange';

/** Starts an exchange that cannot be restarted. It stores nothing. */
export const startExchangeHere = async (options: SimOptions): Promise<WorldExchange> =>
  exchangeOf(await startSim({ ...options, port: 0 }));

const exchangeOf = ({ port, exchange, close }: Sim): WorldExchange => ({
  port,
  seen: exchange,
  forgetCalls: () => exchange.forgetCalls(),
  changeTurn: () => exchange.changeTurn(),
  revokeSessions: (user) => exchange.revokeSessions(user),
  close,
});

/** The folders of the exchanges that are open. */
const folders = new Set<string>();

/** Deletes the folders of the open exchanges of this process, which is about to end without closing them. */
export function deleteExchangeFolders(): void {
  for (const folder of folders) deleteFolder(folder);
}

function deleteFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

/** Starts an exchange with a database in a folder of its own, which is deleted when the exchange is closed. */
export async function startRestartableExchange(options: SimOptions): Promise<WorldExchange> {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-exchange-'));
  folders.add(folder);
  const start = (port: number) => startSim({ ...options, port, name: NAME, database: join(folder, 'calls.db') });
  try {
    return new RestartableExchange(await start(0), { start, folder });
  } catch (error) {
    deleteFolder(folder);
    throw error;
  }
}

interface Restarting {
  readonly start: (port: number) => Promise<Sim>;
  readonly folder: string;
}

class RestartableExchange implements WorldExchange {
  readonly port: number;
  readonly #restarting: Restarting;
  #sim: Sim;
  /** Resolves when the last stop or start is over. */
  #last: Promise<void> = Promise.resolve();
  /** The number of faults that keep it stopped. */
  #outages = 0;
  #isClosed = false;

  constructor(sim: Sim, restarting: Restarting) {
    this.port = sim.port;
    this.#sim = sim;
    this.#restarting = restarting;
  }

  get ready(): Promise<void> {
    return this.#last;
  }

  get isStopped(): boolean {
    return this.#outages > 0;
  }

  get seen(): SeenServer {
    return this.#sim.exchange;
  }

  forgetCalls(): void {
    this.#sim.exchange.forgetCalls();
  }

  changeTurn(): void {
    this.#sim.exchange.changeTurn();
  }

  revokeSessions(user: string): void {
    this.#sim.exchange.revokeSessions(user);
  }

  stop(how: 'restart' | 'crash' | 'wipe'): (() => void) | undefined {
    // A crash would end this process too.
    if (how !== 'restart') return undefined;
    this.#outages += 1;
    if (this.#outages === 1) this.#next(() => this.#sim.close());
    return () => {
      this.#outages -= 1;
      if (this.#outages > 0 || this.#isClosed) return;
      this.#next(async () => {
        this.#sim = await this.#restarting.start(this.port);
      });
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last.catch(() => undefined);
    await this.#sim.close();
    deleteFolder(this.#restarting.folder);
  }

  /** Stops or starts it after what is under way, also when that failed. */
  #next(work: () => Promise<void>): void {
    this.#last = this.#last.catch(() => undefined).then(work);
    // The end of a fault waits for nothing. `ready` reports a stop or a start that fails.
    this.#last.catch(() => undefined);
  }
}
