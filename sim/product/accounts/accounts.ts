import type { Insertable, Kysely, Transaction } from 'kysely';
import * as v from 'valibot';
import { genderType, type GenderType } from '../../../src/protocol/product/values.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { ProductPerson } from '../product-person.ts';
import { chunksOf } from '../chunks-of.ts';
import { Refusal } from '../refusal.ts';
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
    const hashes = await Promise.all(
      missing.map(({ password }) => (password === undefined ? Promise.resolve(null) : this.#passwords.hash(password))),
    );
    if (missing.length > 0) {
      await db.transaction().execute(async (transaction) => {
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
      throw new Refusal('taken', 'Somebody has this nickname.', { field: 'nickname' });
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

  /** Closes an account for good: nothing is left that says who it was. */
  async close(uId: string): Promise<void> {
    await this.#database.db.transaction().execute(async (transaction) => {
      const files = transaction.selectFrom('ringback_media').where('u_id', '=', uId).select('media_id');
      const contacts = transaction.selectFrom('ringback_contacts').where('u_id', '=', uId).select('value');
      await transaction.deleteFrom('ringback_letters').where('destination', 'in', contacts).execute();
      await transaction.deleteFrom('ringback_media_contents').where('media_id', 'in', files).execute();
      for (const table of OWN_TABLES) await transaction.deleteFrom(table).where('u_id', '=', uId).execute();
    });
    this.#onGone(uId);
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

/** What is kept of somebody alone. */
const OWN_TABLES = [
  'ringback_sign_ins',
  'ringback_devices',
  'ringback_contacts',
  'ringback_media',
  'ringback_profile_photos',
  'ringback_favorites',
  'ringback_watches',
  'ringback_blocks',
  'ringback_call_ratings',
  'ringback_gift_counts',
  'ringback_payout_accounts',
  'ringback_deposit_limits',
  'ringback_identity_pictures',
  'ringback_identity_tries',
  'ringback_identities',
  'ringback_profiles',
  'ringback_accounts',
] as const;

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
