import type { Transaction } from 'kysely';
import * as v from 'valibot';
import type { LoginAnswer } from '../../../src/protocol/product/accounts.ts';
import { readContact } from '../../../src/protocol/product/contact.ts';
import { genderType } from '../../../src/protocol/product/values.ts';
import { Allowances } from '../../exchange/budget.ts';
import type { Asked, Handlers } from '../handlers.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import type { Account } from './accounts.ts';
import { createCheckCode } from './code-guard.ts';
import { contactIn, settledContact } from './contacts.ts';
import { LoginGuard } from './login-guard.ts';
import { refuseWeak } from './refuse-weak.ts';
import type { SignIn } from './sign-in.ts';

/** Logins tried for one user: enough for people and tests, and each costs the server tens of milliseconds (S14). */
const LOGINS = { burst: 60, perSecond: 1 };

type Names = 'sendCode' | 'checkCode' | 'login' | 'logout' | 'resetPassword' | 'refreshToken' | 'deleteMe';

export function accountHandlers(parts: ProductParts, signIn: SignIn): Handlers<Names> {
  const { accounts, passwords, signIns, contacts, codes, letters, clock, database, isDemo } = parts;
  const logins = new Allowances(LOGINS, () => clock.now());
  const guard = new LoginGuard(database, clock);
  const checkCode = createCheckCode(parts);

  /** Whoever goes by a user id, a phone or an e-mail. */
  async function named(name: string): Promise<Account | undefined> {
    const contact = readContact(name);
    const uId = (contact && (await contacts.ownerOf(contact))) ?? name;
    return accounts.find(uId);
  }

  async function byPassword(name: string, password: string): Promise<Account & { readonly hash: string | null }> {
    const account = await named(name);
    const hash = await accounts.passwordHash(account?.uId ?? '');
    // One answer for an unknown user and a wrong password, and after the same work.
    const isRight = await guard.passes(account?.uId ?? name, () => passwords.matches(password, hash));
    if (!account || !isRight) throw wrongCredentials();
    return { ...account, hash };
  }

  async function byCode(name: string, code: string): Promise<Account> {
    const contact = contactIn(name, 'user_id');
    await checkCode(contact, 'login', code);
    await database.db.transaction().execute((transaction) => codes.consume(transaction, contact, 'login'));
    const account = await named(name);
    if (!account) throw wrongCredentials();
    return account;
  }

  /** @throws Refusal suspended: told to nobody but those who have shown who they are. */
  function letIn(
    account: Account,
    userAgent: string | null,
    check?: (transaction: Transaction<Tables>) => Promise<void>,
  ): Promise<LoginAnswer> {
    if (account.isSuspended) throw new Refusal('suspended', 'The account is suspended.');
    return signIn(account, userAgent, check);
  }

  return {
    async sendCode({ body: { to, purpose } }) {
      const contact = contactIn(to, 'to');
      const owner = await contacts.ownerOf(contact);
      if (purpose === 'register' && owner !== undefined) {
        throw new Refusal('taken', 'It is registered already.', { field: 'to' });
      }
      return codes.send(contact, purpose, purpose === 'register' || owner !== undefined);
    },

    async checkCode({ body: { to, purpose, code } }) {
      await checkCode(contactIn(to, 'to'), purpose, code);
      return {};
    },

    async login({ body: { user_id, password, code }, header: userAgent }: Asked<'login'>) {
      if (!logins.take(user_id)) throw new Refusal('too_many', 'Too many logins. Try again later.', { retry_after: 1 });
      if (code !== undefined) return letIn(await byCode(user_id, code), userAgent);
      if (isDemo && password === undefined) {
        const account = await accounts.find(user_id);
        if (account?.isDemo) return letIn(account, userAgent);
      }
      const account = await byPassword(user_id, password ?? '');
      return letIn(account, userAgent, async (transaction) => {
        // Another one was set while this one was looked at: whoever knows but the old one stays outside.
        if ((await accounts.passwordHash(account.uId, transaction)) !== account.hash) throw wrongCredentials();
      });
    },

    async logout({ me }) {
      await signIns.close(me.uId, me.token);
      return {};
    },

    async resetPassword({ body: { contact: typed, code, password }, header: userAgent }) {
      const contact = contactIn(typed);
      refuseWeak(password, [contact.value]);
      await checkCode(contact, 'reset', code);
      const account = await named(contact.value);
      if (!account) throw wrongCredentials();
      // A password moves money: what moves none sets none.
      const own = await contacts.of(account.uId);
      settledContact(
        own.filter(({ value }) => value === contact.value),
        clock.now(),
      );
      const hash = await passwords.hash(password);
      await database.transact(async (transaction) => {
        await signIns.closeAll(transaction, account.uId);
        await codes.consume(transaction, contact, 'reset');
        await accounts.setPassword(transaction, account.uId, hash);
        await letters.keep(transaction, await contacts.of(account.uId, transaction), 'password_changed');
      });
      signIns.closedAll(account.uId);
      await guard.passed(account.uId);
      letters.deliver();
      return letIn(account, userAgent);
    },

    refreshToken: ({ me }) => ({ u_id: me.uId }),

    async deleteMe({ me, body: { password } }) {
      await byPassword(me.uId, password);
      await accounts.close(me.uId);
      return {};
    },
  };
}

/** What the demo world shows to whoever comes. */
export function demoHandlers(parts: ProductParts): Handlers<'demoUsers' | 'demoMailbox'> {
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
      return { letters: [...mailbox.letters(to === undefined ? undefined : contactIn(to, 'to').value)] };
    },
  };
}

const wrongCredentials = (): Refusal => new Refusal('wrong_credentials', 'The user or the password is wrong.');
const noDemo = (): Refusal => new Refusal('not_found', 'There is no demo here.');
