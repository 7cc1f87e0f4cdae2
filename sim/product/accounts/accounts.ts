import type { Insertable, Kysely, Transaction } from 'kysely';
import * as v from 'valibot';
import { genderType, type GenderType } from '../../../src/protocol/product/values.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { ProductPerson } from '../product-person.ts';
import { chunksOf } from '../chunks-of.ts';
import { Refusal } from '../refusal.ts';
import { eraseAccount, eraseHistory } from './erase-account.ts';
import { lockAccount } from './hold-account.ts';
import { nameKey } from './name-key.ts';
import type { Passwords } from './passwords.ts';

/** Somebody who has an account. */
export interface Account {
  readonly uId: string;
  readonly genderType: GenderType;
  readonly isDemo: boolean;
  readonly isSuspended: boolean;
}

/** What the calling service needs to know of somebody. */
export interface Caller {
  readonly uId: string;
  readonly nickname: string;
  /** Where it is not the drawn portrait. */
  readonly profileUrl?: string;
}

/** An account that is being opened. */
export interface NewAccount {
  readonly uId: string;
  readonly genderType: GenderType;
  readonly passwordHash: string;
  readonly now: number;
  readonly profile: Omit<Insertable<Tables['ringback_profiles']>, 'u_id' | 'verified' | 'name_key'>;
}

/** Who has an account. */
export class Accounts {
  readonly #database: Database;
  readonly #passwords: Passwords;
  readonly #onCaller: (caller: Caller) => void;
  readonly #onGone: (uId: string) => void;

  /**
   * @param onCaller - told of everybody who may call and be called, and of each change of what others see of them.
   * @param onGone - told of whoever may no longer.
   */
  constructor(
    database: Database,
    passwords: Passwords,
    onCaller: (caller: Caller) => void,
    onGone: (uId: string) => void,
  ) {
    this.#database = database;
    this.#passwords = passwords;
    this.#onCaller = onCaller;
    this.#onGone = onGone;
  }

  /** Brings in the people a server is started with, those who are not there yet. */
  async seed(people: readonly ProductPerson[], isDemo: boolean): Promise<void> {
    const { db } = this.#database;
    const there = await db.selectFrom('ringback_accounts').select('u_id').execute();
    const known = new Set(there.map(({ u_id }) => u_id));
    const missing = people.filter(({ u_id }) => !known.has(u_id));
    const hashes: (string | null)[] = [];
    // One after the other: the queue for hashes is short.
    for (const { password } of missing) {
      hashes.push(password === undefined ? null : await this.#passwords.hash(password));
    }
    if (missing.length > 0) {
      await this.#database.transact(async (transaction) => {
        await transaction
          .insertInto('ringback_accounts')
          .values(
            missing.map((one, at) => ({
              u_id: one.u_id,
              gender_type: one.gender_type,
              password_hash: hashes[at] ?? null,
              is_demo: isDemo ? 1 : 0,
              joined_at: one.joined_at,
            })),
          )
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await transaction
          .insertInto('ringback_profiles')
          .values(missing.map(profileOf))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      });
    }
    const all = await db
      .selectFrom('ringback_profiles as profile')
      .innerJoin('ringback_accounts as account', 'account.u_id', 'profile.u_id')
      .select(['profile.u_id', 'profile.nickname', 'account.suspended_at'])
      .execute();
    for (const { u_id, nickname, suspended_at } of all) {
      if (suspended_at === null) this.#onCaller({ uId: u_id, nickname });
      else this.#onGone(u_id);
    }
  }

  /** Somebody, now or as a transaction sees them. */
  async find(uId: string, db: Database['db'] = this.#database.db): Promise<Account | undefined> {
    const row = await db
      .selectFrom('ringback_accounts')
      .where('u_id', '=', uId)
      .select(['gender_type', 'is_demo', 'suspended_at'])
      .executeTakeFirst();
    return (
      row && {
        uId,
        genderType: v.parse(genderType, row.gender_type),
        isDemo: row.is_demo !== 0,
        isSuspended: row.suspended_at !== null,
      }
    );
  }

  /** Those of these users who are suspended. */
  async suspendedOf(uIds: readonly string[]): Promise<string[]> {
    const suspended: string[] = [];
    for (const chunk of chunksOf(uIds)) {
      const rows = await this.#database.db
        .selectFrom('ringback_accounts')
        .where('u_id', 'in', chunk)
        .where('suspended_at', 'is not', null)
        .select('u_id')
        .execute();
      suspended.push(...rows.map(({ u_id }) => u_id));
    }
    return suspended;
  }

  /** Somebody may be here no more, though the account stands. */
  leave(uId: string): void {
    this.#onGone(uId);
  }

  /** Whether nobody goes by this nickname, however it is written. */
  async isNicknameFree(nickname: string): Promise<boolean> {
    return isNicknameFree(this.#database.db, nickname);
  }

  /**
   * Sees to it that nobody but this user goes by a nickname until the transaction ends. Returns what the profile is to keep of it.
   *
   * @throws Refusal taken.
   */
  async claimNickname(transaction: Transaction<Tables>, uId: string, nickname: string) {
    const name_key = nameKey(nickname);
    await this.#database.lock(transaction, `nickname:${name_key}`);
    if (!(await isNicknameFree(transaction, nickname, uId))) {
      throw new Refusal('taken', 'Another user has this nickname.', { field: 'nickname' });
    }
    return { nickname: nickname.normalize('NFKC'), name_key };
  }

  /** Opens an account within a transaction. @throws Refusal taken. */
  async open(transaction: Transaction<Tables>, opened: NewAccount): Promise<void> {
    const { uId, profile } = opened;
    const name = await this.claimNickname(transaction, uId, profile.nickname);
    await transaction
      .insertInto('ringback_accounts')
      .values({
        u_id: uId,
        gender_type: opened.genderType,
        password_hash: opened.passwordHash,
        is_demo: 0,
        joined_at: opened.now,
        terms_accepted_at: opened.now,
      })
      .execute();
    await transaction
      .insertInto('ringback_profiles')
      .values({ u_id: uId, verified: 0, ...profile, ...name })
      .execute();
  }

  async setPassword(transaction: Transaction<Tables>, uId: string, passwordHash: string): Promise<void> {
    await transaction
      .updateTable('ringback_accounts')
      .set({ password_hash: passwordHash })
      .where('u_id', '=', uId)
      .execute();
  }

  /**
   * Closes an account for good: erases the call history first, and the rest in one transaction. See {@link eraseAccount}.
   *
   * @param before - what must come to its end first, in the last transaction.
   */
  async close(
    uId: string,
    before: (transaction: Transaction<Tables>) => Promise<void> = async () => {},
  ): Promise<void> {
    await eraseHistory(this.#database, uId);
    await this.#database.transact(async (transaction) => {
      // What another request still writes for the user is written before, or refused.
      await lockAccount(this.#database, transaction, uId);
      await before(transaction);
      await eraseAccount(transaction, uId);
    });
    this.#onGone(uId);
  }

  /** Keeps a password at another cost. False: it was changed meanwhile, and stays. */
  async replaceHash(uId: string, before: string, passwordHash: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#database.db
      .updateTable('ringback_accounts')
      .set({ password_hash: passwordHash })
      .where('u_id', '=', uId)
      .where('password_hash', '=', before)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Whether somebody has a password at all. */
  async hasAnyPassword(uId: string): Promise<boolean> {
    const row = await this.#database.db
      .selectFrom('ringback_accounts')
      .where('u_id', '=', uId)
      .where('password_hash', 'is not', null)
      .select('u_id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Whether it is this user's password; false for somebody who has none. */
  async hasPassword(uId: string, password: string): Promise<boolean> {
    return this.#passwords.matches(password, await this.passwordHash(uId));
  }

  /** What is kept of somebody's password; null where they have none. */
  async passwordHash(uId: string, db: Database['db'] = this.#database.db): Promise<string | null> {
    const row = await db
      .selectFrom('ringback_accounts')
      .where('u_id', '=', uId)
      .select('password_hash')
      .executeTakeFirst();
    return row?.password_hash ?? null;
  }
}

/** @param but - who may have it already. */
async function isNicknameFree(db: Kysely<Tables>, nickname: string, but = ''): Promise<boolean> {
  const row = await db
    .selectFrom('ringback_profiles')
    .where('name_key', '=', nameKey(nickname))
    .where('u_id', '!=', but)
    .select('u_id')
    .executeTakeFirst();
  return row === undefined;
}

const profileOf = (one: ProductPerson) => ({
  u_id: one.u_id,
  nickname: one.nickname,
  name_key: nameKey(one.nickname),
  birthday: `${new Date(one.joined_at).getUTCFullYear() - one.age}-01-01`,
  city: one.city,
  price: one.price,
  accepts_video: one.accepts_video ? 1 : 0,
  verified: one.verified ? 1 : 0,
});
