import type { LoginAnswer } from '../../../src/protocol/product/accounts.ts';
import type { ProductParts } from '../parts.ts';
import type { Account } from './accounts.ts';
import type { CallingTokens } from './calling-tokens.ts';

/** Signs somebody in, whatever they showed for it. */
export type SignIn = (account: Pick<Account, 'uId' | 'genderType'>) => Promise<LoginAnswer>;

export function createSignIn({ signIns }: Pick<ProductParts, 'signIns'>, callingTokens: CallingTokens): SignIn {
  return async ({ uId, genderType }) => ({
    token: await signIns.open(uId),
    u_id: uId,
    gender_type: genderType,
    calling_user_id: uId,
    calling_access_token: callingTokens.of(uId),
  });
}
