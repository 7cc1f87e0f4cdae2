import type { LoginAnswer } from '../../../src/protocol/product/accounts.ts';
import type { ProductParts } from '../parts.ts';
import type { Account } from './accounts.ts';
import { clientOf } from './client-of.ts';
import { callingTokenOf } from './sign-ins.ts';

/** Signs somebody in, whatever they showed for it. */
export type SignIn = (
  account: Pick<Account, 'uId' | 'genderType'>,
  /** As the header of their request says; null where it says nothing. */
  userAgent: string | null,
) => Promise<LoginAnswer>;

export function createSignIn({
  signIns,
  people,
  announce,
}: Pick<ProductParts, 'signIns' | 'people' | 'announce'>): SignIn {
  return async ({ uId, genderType }, userAgent) => {
    const token = await signIns.open(uId, clientOf(userAgent));
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
