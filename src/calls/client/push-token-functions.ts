import { LIMITS } from '../../protocol/limits.ts';
import { requireId } from '../host/checks.ts';
import { requireTokenType, type TokenType } from '../host/public-enumerations.ts';
import { addPushToken, removePushTokens } from '../rest/requests.ts';
import type { Session } from './session.ts';

/** The functions of a host about the push tokens of its user. */
export interface PushTokenFunctions {
  /**
   * Registers a push token, so that the user gets push messages about incoming calls (§5). A token belongs to the last
   * user who registered it.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `pushToken` or
   *   `tokenType`; ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  registerPushToken(pushToken: string, tokenType: TokenType): Promise<void>;
  /**
   * Removes a push token of the user.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `pushToken` or
   *   `tokenType`; ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  unregisterPushToken(pushToken: string, tokenType: TokenType): Promise<void>;
  /**
   * Removes all push tokens of one type of the user.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `tokenType`;
   *   ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  unregisterAllPushTokens(tokenType: TokenType): Promise<void>;
}

const checkedToken = (pushToken: string) => requireId(pushToken, 'pushToken', LIMITS.pushTokenChars);

/** Returns the functions about the push tokens of the user of a session. */
export const pushTokenFunctions = (session: Pick<Session, 'authenticated'>): PushTokenFunctions => ({
  registerPushToken: async (pushToken, tokenType) => {
    const { connection, payload } = session.authenticated();
    const token = checkedToken(pushToken);
    await addPushToken(connection.rest, payload.user_id, requireTokenType(tokenType), token);
  },
  unregisterPushToken: async (pushToken, tokenType) => {
    const { connection, payload } = session.authenticated();
    const token = checkedToken(pushToken);
    await removePushTokens(connection.rest, payload.user_id, requireTokenType(tokenType), token);
  },
  unregisterAllPushTokens: async (tokenType) => {
    const { connection, payload } = session.authenticated();
    await removePushTokens(connection.rest, payload.user_id, requireTokenType(tokenType));
  },
});
