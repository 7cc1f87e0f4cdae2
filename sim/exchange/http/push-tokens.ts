import { pushTokenType, type PushTokenType } from '../../../src/protocol/enumerations.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { pushTokenBody } from '../../../src/protocol/http.ts';
import { ROUTE_BUDGETS } from '../../budgets/calling-budgets.ts';
import type { Core } from '../core.ts';
import type { HttpRequest, HttpResponse } from '../../http/request.ts';
import { authenticatedAs, refuse, readBody, readValue } from './request.ts';

/** The most tokens of one type that a user has. A further one replaces another. */
const MOST = ROUTE_BUDGETS.registerPushToken.keeps[0].most;

/**
 * Handles `POST /v1/users/{userId}/push/{tokenType}`: registers a push token. A repeated request changes nothing. A
 * unique token is removed from all other users.
 *
 * @throws HttpRefusal 400 with `INVALID_PARAMETER_VALUE` and the wrong parameter. 401. 403 with `ERR_NO_PERMISSION` for
 *   another user.
 */
export async function registerPushToken(
  core: Core,
  request: HttpRequest,
  userId: string,
  tokenType: string,
): Promise<HttpResponse> {
  const type = permitted(core, request, userId, tokenType);
  const { token, is_unique } = readBody(pushTokenBody, request.body);
  await core.store.savePushToken({ userId, type, token }, is_unique, MOST);
  return { status: 200, body: {} };
}

/**
 * Handles `DELETE /v1/users/{userId}/push/{tokenType}/{pushToken}`: unregisters one token.
 *
 * @throws HttpRefusal as registerPushToken. 404 when the user has no such token, also when another user has it.
 */
export async function unregisterPushToken(
  core: Core,
  request: HttpRequest,
  userId: string,
  tokenType: string,
  token: string,
): Promise<HttpResponse> {
  const type = permitted(core, request, userId, tokenType);
  if (!(await core.store.removePushToken({ userId, type, token }))) {
    throw refuse(404, new CallError(ErrorCode.ERR_REQUEST_FAILED, { message: 'The user has no such push token.' }));
  }
  return { status: 200, body: {} };
}

/**
 * Handles `DELETE /v1/users/{userId}/push/{tokenType}`: unregisters all tokens of a type.
 * @throws HttpRefusal as registerPushToken.
 */
export async function unregisterPushTokens(
  core: Core,
  request: HttpRequest,
  userId: string,
  tokenType: string,
): Promise<HttpResponse> {
  const type = permitted(core, request, userId, tokenType);
  await core.store.removePushTokens(userId, type);
  return { status: 200, body: {} };
}

function permitted(core: Core, request: HttpRequest, userId: string, tokenType: string): PushTokenType {
  authenticatedAs(core, request, userId);
  return readValue(pushTokenType, tokenType, 'token_type');
}
