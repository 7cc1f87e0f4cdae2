import type { Transaction } from 'kysely';
import type { LoginAnswer } from '../../../src/protocol/product/accounts.ts';
import type { ProductParts } from '../parts.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { Account } from './accounts.ts';
import { clientOf } from './client-of.ts';
import { callingTokenOf } from './sign-ins.ts';

/** Signs a user in whose proof has been checked. */
export type SignIn = (
  account: Pick<Account, 'uId' | 'genderType'>,
  /** The value of the request's header. Null without the header. */
  userAgent: string | null,
  /** Checks within the transaction that the proof still holds. */
  check?: (transaction: Transaction<Tables>) => Promise<void>,
) => Promise<LoginAnswer>;

export function createSignIn({
  signIns,
  people,
  announce,
}: Pick<ProductParts, 'signIns' | 'people' | 'announce'>): SignIn {
  return async ({ uId, genderType }, userAgent, check) => {
    const token = await signIns.open(uId, clientOf(userAgent), check);
    // The user may have registered on another server, or have been suspended until now.
    const shown = (await people.cards([uId])).get(uId);
    if (shown) announce({ uId, nickname: shown.nickname, profileUrl: shown.profile_url });
    return {
      token,
      u_id: uId,
      gender_type: genderType,
      calling_user_id: uId,
      calling_access_token: callingTokenOf(token),
    };
  };
}
