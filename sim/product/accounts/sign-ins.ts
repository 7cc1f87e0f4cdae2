import type { Clock } from '../../../src/common/clock.ts';
import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { MOST_SESSIONS, type Session } from '../../../src/protocol/product/accounts.ts';
import { mostKept } from '../../budgets/table.ts';
import type { Ids } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { chunksOf } from '../many-rows.ts';
import type { Me } from '../handlers.ts';
import { Refusal } from '../refusal.ts';
import type { Client } from './client-of.ts';

const LIFE_MS = 7 * 24 * 3_600_000;
const MOST_KEPT = mostKept('login', 'sessions');
/** The last use of a session is written at most once in this time, so that most requests cost no write. */
const USED_EVERY_MS = 3_600_000;

/** The end of one session of a user, or of all. */
export interface SignedOut {
  readonly uId: string;
  /** The bearer token of the session. Null for all sessions of the user. */
  readonly token: string | null;
}

/** The sessions of users. A session also gives access to the calling service. Only hashes of tokens are stored. */
export class SignIns {
  readonly #db: Database['db'];
  readonly #lock: Database['lock'];
  readonly #transact: Database['transact'];
  readonly #clock: Pick<Clock, 'wallTime'>;
  readonly #ids: Ids;
  readonly #onSignedOut: (ended: SignedOut) => void;

  constructor(
    { db, lock, transact }: Database,
    clock: Pick<Clock, 'wallTime'>,
    ids: Ids,
    onSignedOut: (ended: SignedOut) => void,
  ) {
    this.#db = db;
    this.#lock = lock;
    this.#transact = transact;
    this.#clock = clock;
    this.#ids = ids;
    this.#onSignedOut = onSignedOut;
  }

  /**
   * Signs a user in. Returns a bearer token that is valid for seven days.
   *
   * @param check - called within the transaction, since the proof may have become invalid meanwhile. Its error is
   * thrown.
   */
  async open(
    uId: string,
    { browser, system }: Client,
    check: (transaction: Transaction<Tables>) => Promise<void> = () => Promise.resolve(),
  ): Promise<string> {
    const token = this.#ids.token();
    const now = this.#clock.wallTime();
    await this.#forgetExpired(now);
    await this.#transact(async (transaction) => {
      await this.#lock(transaction, `sessions:${uId}`);
      await check(transaction);
      await transaction
        .insertInto('ringback_sign_ins')
        .values({
          token_hash: hashOf(token),
          calling_hash: hashOf(callingTokenOf(token)),
          u_id: uId,
          expires_at: now + LIFE_MS,
          session_id: this.#ids.uuid(),
          began_at: now,
          used_at: now,
          browser,
          system,
        })
        .execute();
      await this.#endOldest(transaction, uId, hashOf(token));
    });
    return token;
  }

  /** Ends the oldest sessions above the limit of a user. The next review ends their sockets and calls. */
  async #endOldest(transaction: Transaction<Tables>, uId: string, newest: string): Promise<void> {
    const kept = transaction
      .selectFrom('ringback_sign_ins')
      .where('u_id', '=', uId)
      .orderBy('began_at', 'desc')
      .limit(MOST_KEPT)
      .select('token_hash');
    const ended = await transaction
      .deleteFrom('ringback_sign_ins')
      .where('u_id', '=', uId)
      .where('token_hash', '!=', newest)
      .where('token_hash', 'not in', kept)
      .returning('token_hash')
      .execute();
    if (ended.length === 0) return;
    const hashes = ended.map(({ token_hash }) => token_hash);
    await transaction.deleteFrom('ringback_devices').where('session_hash', 'in', hashes).execute();
  }

  /** Deletes expired sessions and their devices, as an explicit end of the session does. */
  async #forgetExpired(now: number): Promise<void> {
    await this.#transact(async (transaction) => {
      const expired = transaction.selectFrom('ringback_sign_ins').where('expires_at', '<=', now).select('token_hash');
      await transaction.deleteFrom('ringback_devices').where('session_hash', 'in', expired).execute();
      await transaction.deleteFrom('ringback_sign_ins').where('expires_at', '<=', now).execute();
    });
  }

  /** Finds the user of a token. Undefined for an unknown or expired token. */
  async find(token: string): Promise<string | undefined> {
    if (token === '') return undefined;
    const now = this.#clock.wallTime();
    const row = await this.#db
      .selectFrom('ringback_sign_ins')
      .where('token_hash', '=', hashOf(token))
      .where('expires_at', '>', now)
      .select(['u_id', 'used_at'])
      .executeTakeFirst();
    if (row && row.used_at <= now - USED_EVERY_MS) {
      await this.#db
        .updateTable('ringback_sign_ins')
        .set({ used_at: now })
        .where('token_hash', '=', hashOf(token))
        .execute();
    }
    return row?.u_id;
  }

  /** Returns whether the calling service accepts this token for this user, by one of the user's sessions. */
  async mayCall(uId: string, callingToken: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('ringback_sign_ins')
      .where('calling_hash', '=', hashOf(callingToken))
      .where('u_id', '=', uId)
      .where('expires_at', '>', this.#clock.wallTime())
      .select('u_id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Returns those of these bearer tokens that are valid and belong to users who are not suspended. */
  async goodOf(tokens: readonly string[]): Promise<ReadonlySet<string>> {
    const byHash = new Map(tokens.map((token) => [hashOf(token), token]));
    const good = await this.#goodHashes([...byHash.keys()], 'token_hash');
    return new Set([...good].map((hash) => byHash.get(hash) ?? ''));
  }

  /** Does the same for the hashes of tokens of the calling service. */
  goodCallingHashes(hashes: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#goodHashes([...new Set(hashes)], 'calling_hash');
  }

  async #goodHashes(all: readonly string[], kept: 'token_hash' | 'calling_hash'): Promise<ReadonlySet<string>> {
    const good = new Set<string>();
    for (const hashes of chunksOf(all)) {
      const rows = await this.#db
        .selectFrom('ringback_sign_ins as session')
        .innerJoin('ringback_accounts as account', 'account.u_id', 'session.u_id')
        .where(`session.${kept}`, 'in', hashes)
        .where('session.expires_at', '>', this.#clock.wallTime())
        .where('account.suspended_at', 'is', null)
        .select(`session.${kept} as hash`)
        .execute();
      for (const { hash } of rows) good.add(hash);
    }
    return good;
  }

  /** Ends a session and deletes its devices. */
  async close(uId: string, token: string): Promise<void> {
    await this.#transact(async (transaction) => {
      await transaction.deleteFrom('ringback_sign_ins').where('token_hash', '=', hashOf(token)).execute();
      await transaction.deleteFrom('ringback_devices').where('session_hash', '=', hashOf(token)).execute();
    });
    this.#onSignedOut({ uId, token });
  }

  /** Lists the sessions of a user: the one of this token first, then the latest. */
  async of({ uId, token }: Pick<Me, 'uId' | 'token'>): Promise<Session[]> {
    const own = hashOf(token);
    const rows = await this.#db
      .selectFrom('ringback_sign_ins')
      .where('u_id', '=', uId)
      .where('expires_at', '>', this.#clock.wallTime())
      .select(['token_hash', 'session_id', 'browser', 'system', 'began_at', 'used_at'])
      .orderBy(({ eb }) => eb.case().when('token_hash', '=', own).then(0).else(1).end())
      .orderBy('began_at', 'desc')
      .orderBy('session_id')
      .limit(MOST_SESSIONS)
      .execute();
    return rows.map(({ token_hash, ...session }) => ({ ...session, is_this: token_hash === own }));
  }

  /**
   * Ends one session of the user by its public id. The next review ends its sockets and calls.
   *
   * @throws Refusal `not_found`; `signed_out` when the session of the request has ended meanwhile.
   */
  async closeOne(transaction: Transaction<Tables>, me: Pick<Me, 'uId' | 'token'>, sessionId: string): Promise<void> {
    await this.#takeTurn(transaction, me);
    const row = await transaction
      .deleteFrom('ringback_sign_ins')
      .where('u_id', '=', me.uId)
      .where('session_id', '=', sessionId)
      .returning('token_hash')
      .executeTakeFirst();
    if (!row) throw new Refusal('not_found', 'No session of this user has this id.');
    await transaction.deleteFrom('ringback_devices').where('session_hash', '=', row.token_hash).execute();
  }

  /**
   * Ends every other session of the user within a transaction, and deletes their devices. Of two sessions that end each
   * other at once, the first goes on.
   *
   * @throws Refusal `signed_out` when the session of the request has ended meanwhile.
   */
  async closeOthers(transaction: Transaction<Tables>, { uId, token }: Pick<Me, 'uId' | 'token'>): Promise<void> {
    await this.#takeTurn(transaction, { uId, token });
    const own = hashOf(token);
    await transaction.deleteFrom('ringback_devices').where('u_id', '=', uId).where('session_hash', '!=', own).execute();
    await transaction.deleteFrom('ringback_sign_ins').where('u_id', '=', uId).where('token_hash', '!=', own).execute();
  }

  /**
   * Locks the sessions of a user until the transaction ends.
   *
   * @throws Refusal `signed_out` when the session of the request has ended.
   */
  async #takeTurn(transaction: Transaction<Tables>, { uId, token }: Pick<Me, 'uId' | 'token'>): Promise<void> {
    await this.#lock(transaction, `sessions:${uId}`);
    const session = await transaction
      .selectFrom('ringback_sign_ins')
      .where('token_hash', '=', hashOf(token))
      .select('u_id')
      .executeTakeFirst();
    if (!session) throw new Refusal('signed_out', 'The session has ended.');
  }

  /** Deletes every session and device of a user in a transaction. Call {@link closedAll} after the commit. */
  async closeAll(transaction: Transaction<Tables>, uId: string): Promise<void> {
    await this.#lock(transaction, `sessions:${uId}`);
    await transaction.deleteFrom('ringback_devices').where('u_id', '=', uId).execute();
    await transaction.deleteFrom('ringback_sign_ins').where('u_id', '=', uId).execute();
  }

  /** Reports that every session of a user has ended, so that sockets and calls of the user end too. */
  closedAll(uId: string): void {
    this.#onSignedOut({ uId, token: null });
  }
}

/** Derives the access token of the calling service from a session token. The session token cannot be derived back. */
export const callingTokenOf = (token: string): string =>
  createHash('sha256').update(`calling ${token}`).digest('base64url');

/** Returns the hash under which the database has a session. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
