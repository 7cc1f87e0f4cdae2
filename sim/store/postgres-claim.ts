/** The claim on a PostgreSQL database: an advisory lock, which ends with the connection that took it. */
import type Pg from 'pg';
import type { Timer } from '../../src/common/clock.ts';
import type { Claim, DatabaseOptions } from './database.ts';

/** Each schema of a PostgreSQL database is its own database to ringback. */
const CLAIM = "select pg_try_advisory_lock(hashtextextended('ringback_exchange ' || current_schema(), 0)) as taken";
/** The delay before a lost claim is taken again. Milliseconds. */
const AGAIN_MS = 5_000;

interface ClaimOptions extends Pick<DatabaseOptions, 'after'> {
  /** Creates a client without a connection. */
  readonly client: () => Pg.Client;
  /** Called with the outcome of each claim after a lost one. */
  readonly onAgain: (isAlone: boolean) => void;
}

/** Claims the database. The claim is taken again after the loss of its connection. Rejects when it cannot connect. */
export async function claimPostgres(options: ClaimOptions): Promise<Claim> {
  const claim = new PostgresClaim(options);
  const isAlone = await claim.take();
  return { isAlone, release: () => claim.release() };
}

class PostgresClaim {
  readonly #options: ClaimOptions;
  /** The connection that has the lock. Null without one. */
  #holder: Pg.Client | null = null;
  #timer: Timer | undefined;
  #taking: Promise<unknown> = Promise.resolve();
  #isReleased = false;

  constructor(options: ClaimOptions) {
    this.#options = options;
  }

  /** Resolves with whether no other exchange has the lock. */
  async take(): Promise<boolean> {
    const client = this.#options.client();
    client.once('end', () => {
      if (this.#holder !== client) return;
      this.#holder = null;
      this.#later();
    });
    try {
      await client.connect();
      const { rows } = await client.query<{ taken: boolean }>(CLAIM);
      if (this.#isReleased) await client.end();
      else this.#holder = client;
      return rows[0]?.taken === true;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    this.#timer?.cancel();
    await this.#taking;
    const holder = this.#holder;
    this.#holder = null;
    await holder?.end();
  }

  #later(): void {
    if (this.#isReleased) return;
    this.#timer = this.#options.after?.(AGAIN_MS, () => {
      this.#taking = this.take().then(this.#options.onAgain, () => this.#later());
    });
  }
}
