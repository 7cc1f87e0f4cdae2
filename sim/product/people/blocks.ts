import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import { addPair } from './pairs.ts';

/** Who has blocked whom. A block hides the two from each other, whoever of them made it. */
export class Blocks {
  readonly #database: Database;
  readonly #db: Database['db'];
  readonly #clock: Pick<Clock, 'now'>;

  constructor(database: Database, clock: Pick<Clock, 'now'>) {
    this.#database = database;
    this.#db = database.db;
    this.#clock = clock;
  }

  /** Whether one of the two has blocked the other, now or as a transaction sees it. */
  async isBlocked(uId: string, other: string, db: Database['db'] = this.#db): Promise<boolean> {
    const row = await db
      .selectFrom('ringback_blocks')
      .where((eb) =>
        eb.or([
          eb.and([eb('u_id', '=', uId), eb('other', '=', other)]),
          eb.and([eb('u_id', '=', other), eb('other', '=', uId)]),
        ]),
      )
      .select('u_id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Those whom this user has blocked, or who have blocked this user. */
  async apartFrom(uId: string): Promise<ReadonlySet<string>> {
    const rows = await this.#db
      .selectFrom('ringback_blocks')
      .where((eb) => eb.or([eb('u_id', '=', uId), eb('other', '=', uId)]))
      .select(['u_id', 'other'])
      .execute();
    return new Set(rows.flatMap((row) => [row.u_id, row.other]).filter((one) => one !== uId));
  }

  /** For each of these users, those who are apart from them by a block. */
  async apartFromEach(uIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const apart = new Map(uIds.map((uId) => [uId, new Set<string>()]));
    const rows = await this.#db
      .selectFrom('ringback_blocks')
      .where((eb) => eb.or([eb('u_id', 'in', uIds), eb('other', 'in', uIds)]))
      .select(['u_id', 'other'])
      .execute();
    for (const { u_id, other } of rows) {
      apart.get(u_id)?.add(other);
      apart.get(other)?.add(u_id);
    }
    return apart;
  }

  /** @throws Refusal too_many: the user has blocked as many as one may. */
  async add(uId: string, other: string): Promise<void> {
    await addPair(this.#database, this.#clock, 'ringback_blocks', uId, other);
  }

  async remove(uId: string, other: string): Promise<void> {
    await this.#db.deleteFrom('ringback_blocks').where('u_id', '=', uId).where('other', '=', other).execute();
  }
}

/** For a query of people as `account`: those who are not hidden from this user. */
export const notHiddenFrom = (uId: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (
    select 1 from ringback_blocks as block
    where (block.u_id = ${uId} and block.other = account.u_id)
       or (block.u_id = account.u_id and block.other = ${uId})
  )`;
