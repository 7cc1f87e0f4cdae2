import type { Transaction } from 'kysely';
import type { CodeSent, OwnerChange, OwnerProof, OwnerProofs } from '../../../src/protocol/product/accounts.ts';
import { maskContact } from '../../../src/protocol/product/contact.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { CONTACT_RULES } from '../rules.ts';
import { confirming, settledContact } from './contacts.ts';
import { isWrongCode } from './code-guard.ts';
import { GuessGuard } from './guess-guard.ts';

type Parts = Pick<ProductParts, 'accounts' | 'contacts' | 'codes' | 'rateLimits' | 'clock'>;

/** A proof of ownership that was checked. */
export interface Proven {
  /**
   * Uses the proof up, in the transaction of the change. @throws Refusal `code_expired` when another request used it
   * first.
   */
  use(transaction: Transaction<Tables>): Promise<void>;
}

/**
 * Checks that a signed-in user owns the account and did not just find an open session. The proof is the password, or a
 * code to a contact that is old enough (docs/adr/0010-moving-money.md). Wrong proofs count by account and apart from
 * logins, so that a stranger cannot keep the owner from a change.
 */
export class Owners {
  readonly #parts: Parts;
  readonly #guard: GuessGuard;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#guard = new GuessGuard(parts.rateLimits, 'ownerProof');
  }

  /** Returns the proofs that the user can give. */
  async proofs(uId: string): Promise<OwnerProofs> {
    const { accounts, contacts, clock } = this.#parts;
    const { contact, from } = confirming(await contacts.of(uId), clock.wallTime());
    return {
      has_password: await accounts.hasAnyPassword(uId),
      contact: contact && maskContact(contact),
      contact_from: from,
      cool_off_seconds: CONTACT_RULES.coolOffMs / 1_000,
    };
  }

  /** Sends a code for a change. @throws Refusal `incomplete`, `cooling_off`, `too_many`, `undeliverable`. */
  async sendCode(uId: string, change: OwnerChange): Promise<CodeSent> {
    return this.#parts.codes.send(await this.#contact(uId), purposeOf(uId, change), uId);
  }

  /**
   * Checks a proof. @throws Refusal `wrong_credentials`, `locked`, `code_wrong`, `code_expired`, `code_spent`,
   * `incomplete`, `cooling_off`, each with the field `proof`.
   */
  async check(uId: string, change: OwnerChange, proof: OwnerProof): Promise<Proven> {
    try {
      return await ('password' in proof
        ? this.#byPassword(uId, proof.password)
        : this.#byCode(uId, change, proof.code));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal(error.code, error.message, { ...error.body, field: 'proof' });
    }
  }

  /** Checks the password. @throws Refusal `wrong_credentials`, `locked`, `busy`. */
  async checkPassword(uId: string, password: string): Promise<void> {
    const check = async () => {
      if (!(await this.#parts.accounts.hasPassword(uId, password))) {
        throw new Refusal('wrong_credentials', 'The password is wrong.');
      }
    };
    const isWrong = (error: unknown) => error instanceof Refusal && error.code === 'wrong_credentials';
    await this.#guard.count({ account: uId }, check, isWrong);
  }

  async #byPassword(uId: string, password: string): Promise<Proven> {
    await this.checkPassword(uId, password);
    return { use: () => Promise.resolve() };
  }

  async #byCode(uId: string, change: OwnerChange, code: string): Promise<Proven> {
    const { codes } = this.#parts;
    const contact = await this.#contact(uId);
    // A new code can be requested often. Without a limit, a client could guess for days.
    const check = () => codes.check(contact, purposeOf(uId, change), code, uId);
    await this.#guard.count({ account: uId }, check, isWrongCode);
    return { use: (transaction) => codes.consume(transaction, contact, purposeOf(uId, change)) };
  }

  async #contact(uId: string) {
    const { contacts, clock } = this.#parts;
    return settledContact(await contacts.of(uId), clock.wallTime());
  }
}

const purposeOf = (uId: string, change: OwnerChange) => `owner_${change}:${uId}` as const;
