import type { Clock, Timer } from '../../../src/common/clock.ts';
import type { Selectable, Transaction } from 'kysely';
import * as v from 'valibot';
import { letterAbout, type Letter } from '../../../src/protocol/product/accounts.ts';
import type { Contact } from '../../../src/protocol/product/contact.ts';
import type { Log } from '../../exchange/logging/log.ts';
import type { Ids } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { DAY_MS } from '../rules.ts';
import type { Courier } from './courier.ts';

/** How often a server looks for waiting letters: those that the courier refused, and those of a server that died. */
const AGAIN_MS = 60_000;
/** The longest time that the courier may take for a letter. Milliseconds. */
const PATIENCE_MS = 20_000;
/** The age at which an undelivered letter is dropped. */
const STALE_MS = DAY_MS;

/** The notices that need no code. */
export type NoticeKind = Extract<Letter['about'], `${string}_changed`>;
type Row = Selectable<Tables['ringback_letters']>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** Null when the server sends nothing. Then nothing is stored either. */
  readonly courier: Courier | null;
}

/**
 * Notices of security changes. A letter is stored in the transaction of the change, and handed to the courier after the
 * commit. The server retries each minute for a day. After a crash, another server of the database takes over. A letter
 * may be delivered twice.
 */
export class SecurityNotices {
  readonly #dependencies: Dependencies;
  #timer: Timer | undefined;
  #delivering = Promise.resolve();
  #isDisposed = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Stores a letter to each contact, within the transaction of the change. Call {@link deliver} after the commit. */
  async keep(transaction: Transaction<Tables>, to: readonly Contact[], about: NoticeKind): Promise<void> {
    const { clock, ids, courier } = this.#dependencies;
    if (!courier || to.length === 0) return;
    const now = clock.wallTime();
    await transaction
      .insertInto('ringback_letters')
      .values(to.map(({ value }) => ({ id: ids.uuid(), destination: value, about, kept_at: now, due_at: now })))
      .execute();
  }

  /**
   * Starts to hand waiting letters to the courier, one after the other, and repeats that each minute. Does not wait for
   * them.
   */
  deliver(): void {
    const { courier, log } = this.#dependencies;
    if (!courier) return;
    this.#delivering = this.#delivering.then(async () => {
      if (this.#isDisposed) return;
      await this.#deliverDue(courier).catch((error: unknown) => log.error('letters were not delivered', { error }));
      this.#later();
    });
  }

  /** Resolves when no delivery is in progress. */
  settled(): Promise<void> {
    return this.#delivering;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.cancel();
  }

  async #deliverDue(courier: Courier): Promise<void> {
    const { database, clock } = this.#dependencies;
    const due = await database.db
      .selectFrom('ringback_letters')
      .where('due_at', '<=', clock.wallTime())
      .orderBy('kept_at')
      .selectAll()
      .execute();
    for (const letter of due) if ((await this.#claim(letter)) && !this.#isDisposed) await this.#hand(courier, letter);
  }

  /** Claims a letter for a time, so that only one of several servers sends it. */
  async #claim({ id, due_at }: Row): Promise<boolean> {
    const { database, clock } = this.#dependencies;
    const { numUpdatedRows } = await database.db
      .updateTable('ringback_letters')
      .set({ due_at: clock.wallTime() + AGAIN_MS })
      .where('id', '=', id)
      .where('due_at', '=', due_at)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async #hand(courier: Courier, { id, destination, about, kept_at }: Row): Promise<void> {
    const { database, clock, log } = this.#dependencies;
    try {
      await this.#inTime(
        courier.deliver({ to: destination, at: kept_at, about: v.parse(letterAbout, about), code: null }),
      );
    } catch (error) {
      log.warn('a letter was not delivered', { about, error });
      if (clock.wallTime() - kept_at < STALE_MS) return;
    }
    await database.db.deleteFrom('ringback_letters').where('id', '=', id).execute();
  }

  /** @throws Error when the work takes too long. */
  async #inTime(work: void | Promise<void>): Promise<void> {
    const { clock } = this.#dependencies;
    let timer: Timer | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = clock.after(PATIENCE_MS, () => reject(new Error(`The courier took more than ${PATIENCE_MS / 1_000} s.`)));
    });
    try {
      await Promise.race([work, late]);
    } finally {
      timer?.cancel();
    }
  }

  #later(): void {
    if (this.#isDisposed) return;
    const { clock } = this.#dependencies;
    this.#timer?.cancel();
    this.#timer = clock.after(AGAIN_MS, () => this.deliver());
  }
}
