import type { Selectable, Transaction } from 'kysely';
import * as v from 'valibot';
import { letterAbout, type Letter } from '../../../src/protocol/product/accounts.ts';
import type { Contact } from '../../../src/protocol/product/contact.ts';
import type { Log } from '../../exchange/log.ts';
import type { Clock, Ids, TimerHandle } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { DAY_MS } from '../rules.ts';
import type { Courier } from './courier.ts';

/** A letter that the courier did not take, or whose server died over it, is tried again so much later. */
const AGAIN_MS = 60_000;
/** What nobody could deliver by then is news no more. */
const STALE_MS = DAY_MS;

/** What somebody is told without a code. */
export type News = Extract<Letter['about'], `${string}_changed`>;
type Row = Selectable<Tables['ringback_letters']>;

interface Outside {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** Null where a server carries nothing: then nothing is kept either. */
  readonly courier: Courier | null;
}

/**
 * News of what was changed. A letter is kept with the change itself, and handed to the courier once that is done: again and again until it
 * is taken, also by another server, or after a crash. It may come twice, and does not fail to come.
 */
export class Letters {
  readonly #outside: Outside;
  #timer: TimerHandle | undefined;
  #delivering = Promise.resolve();
  #isDisposed = false;

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  /** Keeps a letter to each of them within the transaction of what it tells; call {@link deliver} once that is committed. */
  async keep(transaction: Transaction<Tables>, to: readonly Contact[], about: News): Promise<void> {
    const { clock, ids, courier } = this.#outside;
    if (!courier || to.length === 0) return;
    const now = clock.now();
    await transaction
      .insertInto('ringback_letters')
      .values(to.map(({ value }) => ({ id: ids.uuid(), destination: value, about, kept_at: now, due_at: now })))
      .execute();
  }

  /** Hands what waits to the courier. Never rejects: what stays behind is tried again. */
  deliver(): Promise<void> {
    this.#delivering = this.#delivering.then(async () => {
      if (this.#isDisposed || !this.#outside.courier) return;
      try {
        await this.#deliverDue(this.#outside.courier);
      } catch (error) {
        this.#outside.log.error('letters were not delivered', { error });
        this.#later(AGAIN_MS);
      }
    });
    return this.#delivering;
  }

  /** Resolves when nothing is being delivered. */
  settled(): Promise<void> {
    return this.#delivering;
  }

  dispose(): void {
    this.#isDisposed = true;
    if (this.#timer) this.#outside.clock.clearTimeout(this.#timer);
  }

  async #deliverDue(courier: Courier): Promise<void> {
    const { database, clock } = this.#outside;
    const due = await database.db
      .selectFrom('ringback_letters')
      .where('due_at', '<=', clock.now())
      .orderBy('kept_at')
      .selectAll()
      .execute();
    for (const letter of due) if (await this.#claim(letter)) await this.#hand(courier, letter);
    const left = await database.db
      .selectFrom('ringback_letters')
      .select(({ fn }) => fn.min('due_at').as('due_at'))
      .executeTakeFirst();
    if (left?.due_at != null) this.#later(Math.max(0, left.due_at - clock.now()));
  }

  /** Of several servers one has it, for a while. */
  async #claim({ id, due_at }: Row): Promise<boolean> {
    const { database, clock } = this.#outside;
    const { numUpdatedRows } = await database.db
      .updateTable('ringback_letters')
      .set({ due_at: clock.now() + AGAIN_MS })
      .where('id', '=', id)
      .where('due_at', '=', due_at)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async #hand(courier: Courier, { id, destination, about, kept_at }: Row): Promise<void> {
    const { database, clock, log } = this.#outside;
    try {
      await courier.deliver({ to: destination, at: kept_at, about: v.parse(letterAbout, about), code: null });
    } catch (error) {
      log.warn('a letter was not delivered', { about, error });
      if (clock.now() - kept_at < STALE_MS) return;
    }
    await database.db.deleteFrom('ringback_letters').where('id', '=', id).execute();
  }

  #later(ms: number): void {
    if (this.#isDisposed) return;
    const { clock } = this.#outside;
    if (this.#timer) clock.clearTimeout(this.#timer);
    this.#timer = clock.setTimeout(() => void this.deliver(), ms);
  }
}
