import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { EndpointName } from '../../../src/protocol/product/api.ts';
import type { Clock } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { Refusal } from '../refusal.ts';

const HOUR_MS = 3_600_000;
/** A request that moved money is known again for this long. */
const KEPT_MS = 48 * HOUR_MS;

export interface MoneyRequest {
  readonly uId: string;
  readonly name: EndpointName;
  /** Its Idempotency-Key: of this user and this kind of request alone. */
  readonly key: string;
  /** All that was asked: a second request of the same key must ask the same. */
  readonly asked: unknown;
}

/** Answers a request that moves money once, however often it comes. */
export class IdempotentRequests {
  readonly #database: Database;
  readonly #clock: Pick<Clock, 'now'>;
  #forgetAt = -Infinity;

  constructor(database: Database, clock: Pick<Clock, 'now'>) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Whether the key stands for a request that was answered: what that one had to show need not be shown again. */
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
   * Runs the request in a transaction of its own and keeps its answer in the same one; where the request was answered
   * before, gives that answer again. A refusal keeps nothing: the request may come again.
   *
   * @param run - everything it changes is changed by the transaction. Its answer must survive JSON.
   * @returns the answer, and whether this was the request that changed something.
   * @throws Refusal key_reused: the key stood for another request before; and what `run` refuses.
   */
  async once<Answer>(
    request: MoneyRequest,
    run: (transaction: Transaction<Tables>) => Promise<Answer>,
  ): Promise<{ readonly answer: Answer; readonly isFirst: boolean }> {
    const { uId: u_id, name, key, asked } = request;
    const body_hash = createHash('sha256').update(JSON.stringify(asked)).digest('hex');
    const now = this.#clock.now();
    const result = await this.#database.transact(async (transaction) => {
      // Two of one key that come together: the second waits for the first, and then has its answer.
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
      // What was answered to this request is of its type: the hash says that it is the same.
      if (kept) return { answer: JSON.parse(kept.answer) as Answer, isFirst: false };
      const answer = await run(transaction);
      await transaction
        .insertInto('ringback_receipts')
        .values({ u_id, request: name, key, body_hash, answer: JSON.stringify(answer), at: now })
        .execute();
      return { answer, isFirst: true };
    });
    await this.#forgetOld(now);
    return result;
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
