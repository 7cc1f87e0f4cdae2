import { ROUTE_BUDGETS } from '../../budgets/calling-budgets.ts';
import type { Core } from '../core.ts';
import type { Asked, Done } from './handlers.ts';
import { refuse } from './refusals.ts';

/** The most tokens of one type that a user has. A further one replaces another. */
const MOST = ROUTE_BUDGETS.registerPushToken.keeps[0].most;

/**
 * Handles `POST /v1/users/{userId}/push/{tokenType}`: registers a push token. A repeated request changes nothing. A
 * unique token is removed from all other users.
 *
 * @throws HttpRefusal 400 with `INVALID_PARAMETER_VALUE` and the wrong parameter. 401. 403 with `ERR_NO_PERMISSION` for
 *   another user.
 */
export async function registerPushToken(core: Core, { params, body }: Asked<'registerPushToken'>): Promise<Done> {
  const { token, is_unique } = body;
  await core.store.savePushToken({ userId: params.user_id, type: params.token_type, token }, is_unique, MOST);
  return {};
}

/**
 * Handles `DELETE /v1/users/{userId}/push/{tokenType}/{pushToken}`: unregisters one token.
 *
 * @throws HttpRefusal as registerPushToken. 404 when the user has no such token, also when another user has it.
 */
export async function unregisterPushToken(core: Core, { params }: Asked<'unregisterPushToken'>): Promise<Done> {
  const { user_id: userId, token_type: type, push_token: token } = params;
  if (!(await core.store.removePushToken({ userId, type, token }))) {
    throw refuse(404, 'ERR_REQUEST_FAILED', 'The user has no such push token.');
  }
  return {};
}

/**
 * Handles `DELETE /v1/users/{userId}/push/{tokenType}`: unregisters all tokens of a type.
 * @throws HttpRefusal as registerPushToken.
 */
export async function unregisterPushTokens(core: Core, { params }: Asked<'unregisterPushTokens'>): Promise<Done> {
  await core.store.removePushTokens(params.user_id, params.token_type);
  return {};
}
