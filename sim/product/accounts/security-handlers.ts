import type { Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import type { Owners } from './owners.ts';
import { refuseWeak } from './weak-passwords.ts';
import type { SessionReview } from './session-review.ts';

type Needs = Pick<ProductParts, 'accounts' | 'passwords' | 'signIns' | 'contacts' | 'letters' | 'people' | 'database'>;

type Names = 'changePassword' | 'sessions' | 'endSession' | 'endOtherSessions';

/** Creates the handlers for the sessions, contacts and password of a signed-in user. */
export function securityHandlers(
  { accounts, passwords, signIns, contacts, letters, people, database }: Needs,
  owners: Owners,
  review: SessionReview,
): Handlers<Names> {
  return {
    async changePassword({ me, body: { password, proof } }) {
      const own = await contacts.of(me.uId);
      const shown = (await people.cards([me.uId])).get(me.uId);
      refuseWeak(password, [shown?.nickname ?? '', ...own.map(({ value }) => value)]);
      const proven = await owners.check(me.uId, 'password', proof);
      const hash = await passwords.hash(password);
      await database.transact(async (transaction) => {
        await signIns.closeOthers(transaction, me);
        await proven.use(transaction);
        await accounts.setPassword(transaction, me.uId, hash);
        await letters.keep(transaction, await contacts.of(me.uId, transaction), 'password_changed');
      });
      await review.lookAt(me.uId);
      letters.deliver();
      return {};
    },

    sessions: async ({ me }) => ({ sessions: await signIns.of(me) }),

    async endSession({ me, params }) {
      await database.transact((transaction) => signIns.closeOne(transaction, me, params.session_id));
      await review.lookAt(me.uId);
      return {};
    },

    async endOtherSessions({ me }) {
      await database.transact((transaction) => signIns.closeOthers(transaction, me));
      await review.lookAt(me.uId);
      return {};
    },
  };
}
