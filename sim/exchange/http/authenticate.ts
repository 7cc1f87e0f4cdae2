import type { CallingAccess } from '../../../src/protocol/calling-api.ts';
import { HEADERS } from '../../../src/protocol/http.ts';
import type { RequestHead } from '../../http/request.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { refuse } from './refusals.ts';

const CLIENT_ID_CHARS = 128;

/** Returns the client that sends the request. Undefined without a client id, or with one that is too long. */
export function clientIdOf({ headers }: RequestHead): string | undefined {
  const clientId = headers[HEADERS.clientId] ?? '';
  return clientId === '' || clientId.length > CLIENT_ID_CHARS ? undefined : clientId;
}

/** Returns the device of a session. Undefined without a session that is valid for this client. */
export function deviceOf(core: Core, { headers }: RequestHead): DeviceId | undefined {
  const [token, clientId] = [headers[HEADERS.sessionToken] ?? '', headers[HEADERS.clientId] ?? ''];
  return core.sessions.find(token, clientId) ?? core.bridges.find(token, clientId);
}

/**
 * Returns the device whose session the request brings. Null for an endpoint without sessions. Null also with an issued
 * short-lived token, whose device is known after the body names the call.
 *
 * @throws HttpRefusal 401 with `USER_NOT_AUTHENTICATED` when the request brings none of the credentials of the access.
 */
export function authenticate(core: Core, access: CallingAccess, head: RequestHead): DeviceId | null {
  if (access === 'anybody') return null;
  const shortLived = head.headers[HEADERS.shortLivedToken];
  if (access === 'visitor' && shortLived !== undefined) {
    if (!core.shortLivedTokens.isKnown(shortLived)) throw refuse(401, 'USER_NOT_AUTHENTICATED');
    return null;
  }
  const device = deviceOf(core, head);
  if (!device) throw refuse(401, 'USER_NOT_AUTHENTICATED');
  return device;
}

/**
 * Checks that the user in the path of an `owner` endpoint is the user of the session.
 * @throws HttpRefusal 403 with `ERR_NO_PERMISSION` for another user.
 */
export function authorize(
  access: CallingAccess,
  device: DeviceId | null,
  params: Readonly<Record<string, string>>,
): void {
  if (access === 'owner' && device?.userId !== params['user_id']) throw refuse(403, 'ERR_NO_PERMISSION');
}
