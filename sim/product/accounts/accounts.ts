import type { Insertable, Kysely, Transaction } from 'kysely';
import * as v from 'valibot';
import { genderType, type GenderType } from '../../../src/protocol/product/values.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { ProductPerson } from '../product-person.ts';
import { chunksOf } from '../many-rows.ts';
import { Refusal } from '../refusal.ts';
import { eraseAccount, eraseHistory } from './erase-account.ts';
import { lockAccount } from './hold-account.ts';
import type { Passwords } from './passwords.ts';

/** A user's account. */
export interface Account {
  readonly uId: string;
  readonly genderType: GenderType;
  readonly isDemo: boolean;
  readonly isSuspended: boolean;
}

/** A user as the calling service needs to know them. */
export interface Caller {
  readonly uId: string;
  readonly nickname: string;
  /** Undefined when the picture is the drawn portrait. */
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

const COLUMNS = ['gender_type', 'is_demo', 'suspended_at'] as const;

const accountOf = (uId: string, row: Pick<Tables['ringback_accounts'], (typeof COLUMNS)[number]>): Account => ({
  uId,
  genderType: v.parse(genderType, row.gender_type),
  isDemo: row.is_demo !== 0,
  isSuspended: row.suspended_at !== null,
});

/** The accounts of all users. */
export class Accounts {
  readonly #database: Database;
  readonly #passwords: Passwords;
  readonly #onCaller: (caller: Caller) => void;
  readonly #onClosed: (uId: string) => void;

  /**
   * @param onCaller - called for each user who may call and be called, and on each change of what others see of them.
   * @param onClosed - called with a user who may no longer call.
   */
  constructor(
    database: Database,
    passwords: Passwords,
    onCaller: (caller: Caller) => void,
    onClosed: (uId: string) => void,
  ) {
    this.#database = database;
    this.#passwords = passwords;
    this.#onCaller = onCaller;
    this.#onClosed = onClosed;
  }

  /** Adds the people that the server is started with, unless they exist. */
  async seed(people: readonly ProductPerson[], isDemo: boolean): Promise<void> {
    const { db } = this.#database;
    const existing = await db.selectFrom('ringback_accounts').select('u_id').execute();
    const known = new Set(existing.map(({ u_id }) => u_id));
    const missing = people.filter(({ u_id }) => !known.has(u_id));
    const hashes = new Map<string, string>();
    // One after the other, since the queue for hashes is short.
    for (const { u_id, password } of missing) {
      if (password !== undefined) hashes.set(u_id, await this.#passwords.hash(password));
    }
    if (missing.length > 0) {
      await this.#database.transact(async (transaction) => {
        for (const some of chunksOf(missing)) {
          await transaction
            .insertInto('ringback_accounts')
            .values(
              some.map((one) => ({
                u_id: one.u_id,
                gender_type: one.gender_type,
                password_hash: hashes.get(one.u_id) ?? null,
                is_demo: isDemo ? 1 : 0,
                joined_at: one.joined_at,
              })),
            )
            .onConflict((conflict) => conflict.doNothing())
            .execute();
          await transaction
            .insertInto('ringback_profiles')
            .values(some.map(profileOf))
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        }
      });
    }
    const all = await db
      .selectFrom('ringback_profiles as profile')
      .innerJoin('ringback_accounts as account', 'account.u_id', 'profile.u_id')
      .select(['profile.u_id', 'profile.nickname', 'account.suspended_at'])
      .execute();
    for (const { u_id, nickname, suspended_at } of all) {
      if (suspended_at === null) this.#onCaller({ uId: u_id, nickname });
      else this.#onClosed(u_id);
    }
  }

  /** Finds an account, with the current data or as a transaction sees it. */
  async find(uId: string, db: Database['db'] = this.#database.db): Promise<Account | undefined> {
    const row = await db.selectFrom('ringback_accounts').where('u_id', '=', uId).select(COLUMNS).executeTakeFirst();
    return row && accountOf(uId, row);
  }

  /** Returns those of these users who are suspended. */
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

  /** Notifies the listener that a user may no longer be connected. The account may still exist. */
  leave(uId: string): void {
    this.#onClosed(uId);
  }

  /** Returns whether no account has this nickname in any spelling. */
  async isNicknameFree(nickname: string): Promise<boolean> {
    return isNicknameFree(this.#database.db, nickname);
  }

  /**
   * Reserves a nickname for this user until the transaction ends. Returns the columns that the profile stores.
   *
   * @throws Refusal `taken` when another user has the nickname.
   */
  async claimNickname(transaction: Transaction<Tables>, uId: string, nickname: string) {
    const name_key = nameKey(nickname);
    await this.#database.lock(transaction, `nickname:${name_key}`);
    if (!(await isNicknameFree(transaction, nickname, uId))) {
      throw new Refusal('taken', 'Another user has this nickname.', { field: 'nickname' });
    }
    return { nickname: nickname.normalize('NFKC'), name_key };
  }

  /** Opens an account within a transaction. @throws Refusal `taken` when another account has the nickname. */
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
   * Closes an account for good. Erases the call history first, and the rest in one transaction. See {@link
   * eraseAccount}.
   *
   * @param before - work that must be done first, in the last transaction.
   */
  async close(
    uId: string,
    before: (transaction: Transaction<Tables>) => Promise<void> = async () => {},
  ): Promise<void> {
    await eraseHistory(this.#database, uId);
    await this.#database.transact(async (transaction) => {
      // Another request of the user either writes before this, or is refused.
      await lockAccount(this.#database, transaction, uId);
      await before(transaction);
      await eraseAccount(transaction, uId);
    });
    this.#onClosed(uId);
  }

  /** Stores the same password at another cost. Returns false when the user has changed the password meanwhile. */
  async replaceHash(uId: string, before: string, passwordHash: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#database.db
      .updateTable('ringback_accounts')
      .set({ password_hash: passwordHash })
      .where('u_id', '=', uId)
      .where('password_hash', '=', before)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Returns whether the user has a password. */
  async hasAnyPassword(uId: string): Promise<boolean> {
    const row = await this.#database.db
      .selectFrom('ringback_accounts')
      .where('u_id', '=', uId)
      .where('password_hash', 'is not', null)
      .select('u_id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Returns whether this is the user's password. Returns false for a user without a password. */
  async hasPassword(uId: string, password: string): Promise<boolean> {
    return this.#passwords.matches(password, await this.passwordHash(uId));
  }

  /** Returns the hash of the user's password. Null without a password. */
  async passwordHash(uId: string, db: Database['db'] = this.#database.db): Promise<string | null> {
    const row = await db
      .selectFrom('ringback_accounts')
      .where('u_id', '=', uId)
      .select('password_hash')
      .executeTakeFirst();
    return row?.password_hash ?? null;
  }
}

/** @param but - a user who may have the nickname already. */
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

/** Returns the key by which names are compared. It ignores letter width, accent composition and case. */
export const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase().normalize('NFKC');
