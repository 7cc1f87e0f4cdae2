import type { Transaction } from 'kysely';
import { readContact } from '../../../src/protocol/product/contact.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import type { Account } from './accounts.ts';
import { type CheckCode, createCheckCode } from './code-guard.ts';
import { contactIn } from './contacts.ts';
import { GuessGuard, guessOf } from './guess-guard.ts';

type Needs = Pick<ProductParts, 'accounts' | 'passwords' | 'contacts' | 'codes' | 'database' | 'rateLimits'>;

/** The checks of passwords and codes at a login, with a limit for wrong guesses. */
export class Credentials {
  readonly #parts: Needs;
  readonly #guard: GuessGuard;
  readonly #checkCode: CheckCode;

  constructor(parts: Needs) {
    this.#parts = parts;
    this.#guard = new GuessGuard(parts.rateLimits, 'passwordGuess');
    this.#checkCode = createCheckCode(parts);
  }

  /** Finds the account with this user id, phone or e-mail. */
  async named(name: string): Promise<Account | undefined> {
    const { accounts, contacts } = this.#parts;
    const contact = readContact(name);
    const uId = (contact && (await contacts.ownerOf(contact))) ?? name;
    return accounts.find(uId);
  }

  /**
   * Checks a password. Returns the account, and the check to make in the transaction of the new session.
   *
   * @throws Refusal `wrong_credentials`, `locked`, `busy`.
   */
  async byPassword(
    name: string,
    password: string,
    address: string,
  ): Promise<{ readonly account: Account; readonly check: (transaction: Transaction<Tables>) => Promise<void> }> {
    const { accounts, passwords } = this.#parts;
    const account = await this.named(name);
    const kept = await accounts.passwordHash(account?.uId ?? '');
    const match = async (): Promise<Account> => {
      // An unknown user and a wrong password get the same answer, after the same work.
      const isRight = await passwords.matches(password, kept);
      if (!account || !isRight) throw wrongCredentials();
      return account;
    };
    const found = await this.#guard.count(guessOf(account?.uId ?? name, address), match, isWrongPassword);
    const hash = kept === null ? null : await this.#renewed(found.uId, password, kept);
    return {
      account: found,
      check: async (transaction) => {
        // The password may have changed during the check. A client that knows only the old password is refused.
        if ((await accounts.passwordHash(found.uId, transaction)) !== hash) throw wrongCredentials();
      },
    };
  }

  /** Checks a login code, and uses it up. @throws Refusal as {@link CheckCode} does; `wrong_credentials`. */
  async byCode(name: string, code: string, address: string): Promise<Account> {
    const { database, codes } = this.#parts;
    const contact = contactIn(name, 'user_id');
    await this.#checkCode(contact, 'login', code, address);
    await database.transact((transaction) => codes.consume(transaction, contact, 'login'));
    const account = await this.named(name);
    if (!account) throw wrongCredentials();
    return account;
  }

  /** Hashes the password again at the current cost. Returns the hash that is kept. */
  async #renewed(uId: string, password: string, kept: string): Promise<string> {
    const { accounts, passwords } = this.#parts;
    if (!passwords.isOutdated(kept)) return kept;
    try {
      const hash = await passwords.hash(password);
      return (await accounts.replaceHash(uId, kept, hash)) ? hash : kept;
    } catch (error) {
      // The next login tries again.
      if (error instanceof Refusal && error.code === 'busy') return kept;
      throw error;
    }
  }
}

const isWrongPassword = (error: unknown): boolean => error instanceof Refusal && error.code === 'wrong_credentials';

export const wrongCredentials = (): Refusal => new Refusal('wrong_credentials', 'The user or the password is wrong.');
