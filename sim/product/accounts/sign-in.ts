import type { Transaction } from 'kysely';
import type { LoginAnswer } from '../../../src/protocol/product/accounts.ts';
import type { ProductParts } from '../parts.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { Account } from './accounts.ts';
import { clientOf } from './client-of.ts';
import { callingTokenOf } from './sign-ins.ts';

/** Signs somebody in, whatever they showed for it. */
export type SignIn = (
  account: Pick<Account, 'uId' | 'genderType'>,
  /** As the header of their request says; null where it says nothing. */
  userAgent: string | null,
  /** Sees within the transaction that what they showed still holds. */
  check?: (transaction: Transaction<Tables>) => Promise<void>,
) => Promise<LoginAnswer>;

export function createSignIn({
  signIns,
  people,
  announce,
}: Pick<ProductParts, 'signIns' | 'people' | 'announce'>): SignIn {
  return async ({ uId, genderType }, userAgent, check) => {
    const token = await signIns.open(uId, clientOf(userAgent), check);
    // They may have registered on another server, or been suspended until now.
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
