import type { Transaction } from 'kysely';
import * as v from 'valibot';
import type { LoginAnswer } from '../../../src/protocol/product/accounts.ts';
import { genderType } from '../../../src/protocol/product/values.ts';
import type { HandlerRequest, Handlers } from '../handlers.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import type { Account } from './accounts.ts';
import { createCheckCode } from './code-guard.ts';
import { contactIn, settledContact } from './contacts.ts';
import { Credentials, wrongCredentials } from './credentials.ts';
import type { Owners } from './owners.ts';
import { refuseWeak } from './weak-passwords.ts';
import type { SignIn } from './sign-in.ts';

type DemoNeeds = Pick<ProductParts, 'database' | 'isDemo' | 'letters' | 'mailbox' | 'portraitUrl'>;

type Needs = Pick<
  ProductParts,
  | 'accounts'
  | 'passwords'
  | 'signIns'
  | 'contacts'
  | 'codes'
  | 'letters'
  | 'clock'
  | 'database'
  | 'rateLimits'
  | 'isDemo'
  | 'people'
  | 'announce'
>;

type CodeNames = 'sendCode' | 'checkCode';
type SessionNames = 'login' | 'logout' | 'refreshToken';
type Names = CodeNames | SessionNames | 'resetPassword' | 'deleteMe';

/** The work that belongs to the erasure of an account. */
export interface Closing {
  /**
   * Signs the user out of every device and ends the user's calls. Resolves when the database has the last write about
   * both.
   */
  leave(uId: string): Promise<void>;
  /** Ends the open money matters of the user, in the transaction that erases the account. */
  settle(transaction: Transaction<Tables>, uId: string): Promise<void>;
}

export function accountHandlers(parts: Needs, signIn: SignIn, owners: Owners, closing: Closing): Handlers<Names> {
  const credentials = new Credentials(parts);
  return {
    ...codeHandlers(parts),
    ...sessionHandlers(parts, signIn, credentials),
    ...resetHandlers(parts, signIn, credentials),
    ...closingHandlers(parts, owners, closing),
  };
}

function codeHandlers(parts: Pick<Needs, 'contacts' | 'codes' | 'rateLimits'>): Handlers<CodeNames> {
  const { contacts, codes } = parts;
  const checkCode = createCheckCode(parts);
  return {
    async sendCode({ body: { to, purpose }, address }) {
      const contact = contactIn(to, 'to');
      const isKnown = (await contacts.ownerOf(contact)) !== undefined;
      // The answer is the same for all. Only the letter says whether an account has the contact.
      if (purpose === 'register') return codes.send(contact, purpose, address, isKnown ? 'account_exists' : 'code');
      return codes.send(contact, purpose, address, isKnown ? 'code' : 'nothing');
    },

    async checkCode({ body: { to, purpose, code }, address }) {
      await checkCode(contactIn(to, 'to'), purpose, code, address);
      return {};
    },
  };
}

function sessionHandlers(
  { accounts, signIns, isDemo }: Pick<Needs, 'accounts' | 'signIns' | 'isDemo'>,
  signIn: SignIn,
  credentials: Credentials,
): Handlers<SessionNames> {
  return {
    async login({ body: { user_id, password, code }, header: userAgent, address }: HandlerRequest<'login'>) {
      if (code !== undefined) return letIn(signIn, await credentials.byCode(user_id, code, address), userAgent);
      if (isDemo && password === undefined) {
        const account = await accounts.find(user_id);
        if (account?.isDemo) return letIn(signIn, account, userAgent);
      }
      const { account, check } = await credentials.byPassword(user_id, password ?? '', address);
      return letIn(signIn, account, userAgent, check);
    },

    async logout({ me }) {
      await signIns.close(me.uId, me.token);
      return {};
    },

    refreshToken: ({ me }) => ({ u_id: me.uId }),
  };
}

function resetHandlers(parts: Needs, signIn: SignIn, credentials: Credentials): Handlers<'resetPassword'> {
  const { accounts, passwords, signIns, contacts, codes, letters, clock, database } = parts;
  const checkCode = createCheckCode(parts);
  return {
    async resetPassword({ body: { contact: typed, code, password }, header: userAgent, address }) {
      const contact = contactIn(typed);
      refuseWeak(password, [contact.value]);
      await checkCode(contact, 'reset', code, address);
      const account = await credentials.named(contact.value);
      if (!account) throw wrongCredentials();
      // A new password needs a confirmation by a contact, since a password can confirm payments.
      const own = await contacts.of(account.uId);
      settledContact(
        own.filter(({ value }) => value === contact.value),
        clock.wallTime(),
      );
      const hash = await passwords.hash(password);
      await database.transact(async (transaction) => {
        await signIns.closeAll(transaction, account.uId);
        await codes.consume(transaction, contact, 'reset');
        await accounts.setPassword(transaction, account.uId, hash);
        await letters.keep(transaction, await contacts.of(account.uId, transaction), 'password_changed');
      });
      signIns.closedAll(account.uId);
      letters.deliver();
      return letIn(signIn, account, userAgent);
    },
  };
}

function closingHandlers(
  { accounts, people, announce }: Pick<Needs, 'accounts' | 'people' | 'announce'>,
  owners: Owners,
  closing: Closing,
): Handlers<'deleteMe'> {
  return {
    async deleteMe({ me, body: { password } }) {
      await owners.checkPassword(me.uId, password);
      const card = (await people.cards([me.uId])).get(me.uId);
      try {
        await closing.leave(me.uId);
        await accounts.close(me.uId, (transaction) => closing.settle(transaction, me.uId));
      } catch (error) {
        // The account still exists, so the user can call and be called as before.
        if (card) announce({ uId: me.uId, nickname: card.nickname, profileUrl: card.profile_url });
        throw error;
      }
      return {};
    },
  };
}

/** @throws Refusal `suspended`. Only a user who has given the right password or code gets this answer. */
function letIn(
  signIn: SignIn,
  account: Account,
  userAgent: string | null,
  check?: (transaction: Transaction<Tables>) => Promise<void>,
): Promise<LoginAnswer> {
  if (account.isSuspended) throw new Refusal('suspended', 'The account is suspended.');
  return signIn(account, userAgent, check);
}

/** Creates the handlers of the demo world. Every client may call them. */
export function demoHandlers(parts: DemoNeeds): Handlers<'demoUsers' | 'demoMailbox'> {
  const { database, isDemo, letters, mailbox, portraitUrl } = parts;
  return {
    async demoUsers() {
      if (!isDemo) throw noDemo();
      const rows = await database.db
        .selectFrom('ringback_accounts as account')
        .innerJoin('ringback_profiles as profile', 'profile.u_id', 'account.u_id')
        .where('account.is_demo', '=', 1)
        .orderBy('account.joined_at')
        .select(['account.u_id', 'account.gender_type', 'profile.nickname'])
        .execute();
      const users = rows.map(({ u_id, nickname, gender_type }) => ({
        u_id,
        nickname,
        profile_url: portraitUrl(u_id),
        gender_type: v.parse(genderType, gender_type),
      }));
      return { users };
    },

    async demoMailbox({ query: { to } }) {
      if (!mailbox) throw noDemo();
      await letters.settled();
      return { letters: [...(await mailbox.letters(to === undefined ? undefined : contactIn(to, 'to').value))] };
    },
  };
}

const noDemo = (): Refusal => new Refusal('not_found', 'This server is not in demo mode.');
