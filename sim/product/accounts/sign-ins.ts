import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Clock, Ids } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';

const LIFE_MS = 7 * 24 * 3_600_000;

/** Who is signed in to the product. Only a hash of each token is kept. */
export class SignIns {
  readonly #db: Database['db'];
  readonly #clock: Pick<Clock, 'now'>;
  readonly #ids: Pick<Ids, 'token'>;

  constructor({ db }: Database, clock: Pick<Clock, 'now'>, ids: Pick<Ids, 'token'>) {
    this.#db = db;
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Signs somebody in: the bearer token, good for seven days. */
  async open(uId: string): Promise<string> {
    const token = this.#ids.token();
    const now = this.#clock.now();
    await this.#db.deleteFrom('ringback_sign_ins').where('expires_at', '<=', now).execute();
    await this.#db
      .insertInto('ringback_sign_ins')
      .values({ token_hash: hashOf(token), u_id: uId, expires_at: now + LIFE_MS })
      .execute();
    return token;
  }

  /** Whose token it is; undefined when nobody's, or expired. */
  async find(token: string): Promise<string | undefined> {
    if (token === '') return undefined;
    const row = await this.#db
      .selectFrom('ringback_sign_ins')
      .where('token_hash', '=', hashOf(token))
      .where('expires_at', '>', this.#clock.now())
      .select('u_id')
      .executeTakeFirst();
    return row?.u_id;
  }

  /** Ends every session of somebody. */
  async closeAll(transaction: Transaction<Tables>, uId: string): Promise<void> {
    await transaction.deleteFrom('ringback_sign_ins').where('u_id', '=', uId).execute();
  }

  async close(token: string): Promise<void> {
    await this.#db.deleteFrom('ringback_sign_ins').where('token_hash', '=', hashOf(token)).execute();
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
