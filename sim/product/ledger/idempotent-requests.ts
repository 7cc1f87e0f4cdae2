import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { EndpointName } from '../../../src/protocol/product/api.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { Refusal } from '../refusal.ts';

const HOUR_MS = 3_600_000;
/** The time for which the answer to a request that moved money is kept. Milliseconds. */
const KEPT_MS = 48 * HOUR_MS;

export interface MoneyRequest {
  readonly uId: string;
  readonly name: EndpointName;
  /** The Idempotency-Key, which counts for this user and this kind of request alone. */
  readonly key: string;
  /** The content of the request. A second request with the key must have the same content. */
  readonly content: unknown;
}

/** The work of a request that moves money. */
export interface MoneyWork<Answer, Changed> {
  /**
   * Makes all changes through the transaction. Returns the answer, which must be JSON, and what `afterCommit` needs to
   * know.
   */
  readonly run: (transaction: Transaction<Tables>) => Promise<{ readonly answer: Answer; readonly changed: Changed }>;
  /** Called once, after the changes are stored. A repeated request does not call it. Default: nothing follows. */
  readonly afterCommit?: (changed: Changed) => Promise<void>;
}

/** Idempotent requests: one that moves money runs once, however often it arrives. */
export class IdempotentRequests {
  readonly #database: Database;
  readonly #clock: Pick<Clock, 'wallTime'>;
  #forgetAt = -Infinity;

  constructor(database: Database, clock: Pick<Clock, 'wallTime'>) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Returns whether a request with the key was answered. Its proof then need not be checked again. */
  async isAnswered({ uId, name, key }: Pick<MoneyRequest, 'uId' | 'name' | 'key'>): Promise<boolean> {
    const kept = await this.#database.db
      .selectFrom('ringback_receipts')
      .where('u_id', '=', uId)
      .where('request', '=', name)
      .where('key', '=', key)
      .select('key')
      .executeTakeFirst();
    return kept !== undefined;
  }

  /**
   * Runs the request in its own transaction, and stores its answer in the same one. A request that was answered before
   * gets that answer again. A refusal is not stored, so the client may send the request again.
   *
   * @throws Refusal `key_reused` when the key belongs to another request, and the refusals of `run`.
   */
  async once<Answer, Changed>(
    request: MoneyRequest,
    { run, afterCommit }: MoneyWork<Answer, Changed>,
  ): Promise<Answer> {
    const { uId: u_id, name, key, content } = request;
    const body_hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
    const now = this.#clock.wallTime();
    const result = await this.#database.transact(async (transaction) => {
      // Of two requests with one key, the second waits for the first and then gets its answer.
      await this.#database.lock(transaction, `receipt ${JSON.stringify([u_id, name, key])}`);
      const kept = await transaction
        .selectFrom('ringback_receipts')
        .where('u_id', '=', u_id)
        .where('request', '=', name)
        .where('key', '=', key)
        .select(['body_hash', 'answer'])
        .executeTakeFirst();
      if (kept && kept.body_hash !== body_hash) {
        throw new Refusal('key_reused', 'The Idempotency-Key was used for another request.', {
          field: 'idempotency-key',
        });
      }
      // The hash proves that the request is the same, so its answer has this type.
      if (kept) return { answer: JSON.parse(kept.answer) as Answer };
      const made = await run(transaction);
      await transaction
        .insertInto('ringback_receipts')
        .values({ u_id, request: name, key, body_hash, answer: JSON.stringify(made.answer), at: now })
        .execute();
      return made;
    });
    await this.#forgetOld(now);
    if ('changed' in result) await afterCommit?.(result.changed);
    return result.answer;
  }

  async #forgetOld(now: number): Promise<void> {
    if (now < this.#forgetAt) return;
    this.#forgetAt = now + HOUR_MS;
    await this.#database.db
      .deleteFrom('ringback_receipts')
      .where('at', '<', now - KEPT_MS)
      .execute();
  }
}
