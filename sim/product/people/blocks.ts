import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../../src/common/clock.ts';
import type { Database } from '../../store/database.ts';
import { statement } from '../../store/statement.ts';
import { addPair } from './pairs.ts';

const between = statement((db, { uId, other }: { uId: string; other: string }) =>
  db
    .selectFrom('ringback_blocks')
    .where((eb) =>
      eb.or([
        eb.and([eb('u_id', '=', uId), eb('other', '=', other)]),
        eb.and([eb('u_id', '=', other), eb('other', '=', uId)]),
      ]),
    )
    .select('u_id'),
);

/** Blocks between users. A block hides each of the two from the other, whichever side made it. */
export class Blocks {
  readonly #database: Database;
  readonly #db: Database['db'];
  readonly #clock: Pick<Clock, 'wallTime'>;

  constructor(database: Database, clock: Pick<Clock, 'wallTime'>) {
    this.#database = database;
    this.#db = database.db;
    this.#clock = clock;
  }

  /** Returns whether one of the two has blocked the other, currently or within a transaction. */
  async isBlocked(uId: string, other: string, db: Database['db'] = this.#db): Promise<boolean> {
    return (await between(db, { uId, other })).length > 0;
  }

  /** Returns the users that a block separates from this user, in either direction. */
  async apartFrom(uId: string): Promise<ReadonlySet<string>> {
    const rows = await this.#db
      .selectFrom('ringback_blocks')
      .where((eb) => eb.or([eb('u_id', '=', uId), eb('other', '=', uId)]))
      .select(['u_id', 'other'])
      .execute();
    return new Set(rows.flatMap((row) => [row.u_id, row.other]).filter((one) => one !== uId));
  }

  /** Returns, for each of these users, the users that a block separates from them. */
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

  /** Adds a block. @throws Refusal `too_many` when the user has the most blocks. */
  async add(uId: string, other: string): Promise<void> {
    await addPair(this.#database, this.#clock, 'ringback_blocks', uId, other);
  }

  async remove(uId: string, other: string): Promise<void> {
    await this.#db.deleteFrom('ringback_blocks').where('u_id', '=', uId).where('other', '=', other).execute();
  }
}

/** Returns a condition for queries of people as `account`: no block hides them from this user. */
export const notHiddenFrom = (uId: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (
    select 1 from ringback_blocks as block
    where (block.u_id = ${uId} and block.other = account.u_id)
       or (block.u_id = account.u_id and block.other = ${uId})
  )`;
