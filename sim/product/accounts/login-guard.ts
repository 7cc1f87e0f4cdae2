import { createHash } from 'node:crypto';
import type { Clock } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import { Refusal } from '../refusal.ts';

/** So many wrong ones in a row lock; each further one locks for twice as long. */
const FREE_TRIES = 5;
const LOCK_MS = 60_000;
const LONGEST_LOCK_MS = 60 * 60_000;
const FORGOTTEN_MS = 24 * 3_600_000;

/** Keeps those who guess passwords or codes waiting, account by account; names that nobody has are kept alike, and tell nothing. */
export class LoginGuard {
  readonly #database: Database;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #freeTries: number;

  constructor(database: Database, clock: Pick<Clock, 'now'>, freeTries: number = FREE_TRIES) {
    this.#database = database;
    this.#clock = clock;
    this.#freeTries = freeTries;
  }

  /** @throws Refusal locked. */
  async refuseLocked(name: string, db: Database['db'] = this.#database.db): Promise<void> {
    const now = this.#clock.now();
    const row = await db
      .selectFrom('ringback_failed_logins')
      .where('name_hash', '=', hashOf(name))
      .where('locked_until', '>', now)
      .select('locked_until')
      .executeTakeFirst();
    if (row) {
      throw new Refusal('locked', 'Too many wrong passwords or codes.', {
        retry_after: Math.ceil((row.locked_until - now) / 1_000),
      });
    }
  }

  /** A try counts as wrong until {@link passed} says otherwise: tries at the same time cannot slip by. @throws Refusal locked. */
  async tried(name: string): Promise<void> {
    const now = this.#clock.now();
    await this.#database.db.transaction().execute(async (transaction) => {
      await this.#database.lock(transaction, `login:${hashOf(name)}`);
      await transaction
        .deleteFrom('ringback_failed_logins')
        .where('failed_at', '<=', now - FORGOTTEN_MS)
        .execute();
      await this.refuseLocked(name, transaction);
      const row = await transaction
        .selectFrom('ringback_failed_logins')
        .where('name_hash', '=', hashOf(name))
        .select('failures')
        .executeTakeFirst();
      const failures = (row?.failures ?? 0) + 1;
      const over = failures - this.#freeTries;
      const locked_until = over < 0 ? 0 : now + Math.min(LONGEST_LOCK_MS, LOCK_MS * 2 ** over);
      const kept = { failures, failed_at: now, locked_until };
      await transaction
        .insertInto('ringback_failed_logins')
        .values({ name_hash: hashOf(name), ...kept })
        .onConflict((conflict) => conflict.column('name_hash').doUpdateSet(kept))
        .execute();
    });
  }

  /** Counts a try. @returns whether it is right. @throws Refusal locked. */
  async passes(name: string, isRight: () => Promise<boolean>): Promise<boolean> {
    await this.tried(name);
    if (!(await isRight())) return false;
    await this.passed(name);
    return true;
  }

  /** It was the right one. */
  async passed(name: string): Promise<void> {
    await this.#database.db.deleteFrom('ringback_failed_logins').where('name_hash', '=', hashOf(name)).execute();
  }
}

const hashOf = (name: string): string => createHash('sha256').update(name).digest('hex');
