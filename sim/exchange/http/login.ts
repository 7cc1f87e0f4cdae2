import { HEADERS } from '../../../src/protocol/http.ts';
import type { Core } from '../core.ts';
import { keepLogin } from '../directory/keep-login.ts';
import { findUsers } from '../directory/find-user.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { clientIdOf } from './authenticate.ts';
import type { Answer, Asked } from './handlers.ts';
import { refuse, refuseValue, tooMany } from './refusals.ts';

/**
 * Handles `POST /v1/users/{userId}/login`: opens a session for one client of a user.
 *
 * @throws HttpRefusal 400 when the body is wrong or names another user than the path. 401 for another application, an
 *   unknown user or the wrong access token: one answer for all three. 429 for too many logins of the user, or too many
 *   failures at this address. 503 when the session cannot be stored: nothing has changed then.
 */
export async function login(
  core: Core,
  { params, head, body }: Asked<'callingLogin'>,
): Promise<Answer<'callingLogin'>> {
  const userId = params.user_id;
  const clientId = clientIdOf(head);
  if (clientId === undefined) throw refuseValue(HEADERS.clientId);
  if (body.user_id !== userId) throw refuseValue('user_id');
  // A client with a session is known. Failures of other clients at its address do not lock it out.
  const isKnown = core.sessions.tokenOf({ userId, clientId }) !== undefined;
  const failures = `${userId}\n${head.address}`;
  const waitMs = Math.max(isKnown ? 0 : core.loginFailures.waitMs(failures), core.logins.waitMs(userId));
  if (waitMs > 0) throw tooMany(waitMs / 1_000, 'Too many logins. Try again later.');
  const accessToken = body.access_token ?? null;
  const mayLogIn = (await core.policy.mayLogIn?.(userId, accessToken)) ?? true;
  if (core.cluster) await findUsers(core, [userId]);
  const user = core.users.payload(userId);
  const isWelcome = user?.is_active && body.app_id === core.settings.appId;
  if (!user || !isWelcome || !mayLogIn) {
    core.log.warn('login refused', { user: userId });
    core.loginFailures.take(failures);
    throw refuse(401, 'USER_NOT_AUTHENTICATED', 'The user id, access token or application id is wrong.');
  }
  core.logins.take(userId);
  const access = core.accessOf(accessToken);
  const token = await openSession(core, { userId, clientId }, access);
  keepLogin(core, userId);
  core.bridges.remove({ userId, clientId });
  core.channels.loggedIn({ userId, clientId }, access);
  core.cluster?.devicesChanged?.(userId);
  // The stored call must have the new session of the device.
  for (const one of core.participations) one.loggedIn({ userId, clientId });
  core.log.info('login', { user: userId, client: clientId });
  return { sbcall_session_token: token, user, stats_interval: core.settings.statsIntervalSeconds };
}

/** Opens a session, and returns its token. The next request of the client may reach another node. */
async function openSession({ sessions, log }: Core, device: DeviceId, access: string | null): Promise<string> {
  try {
    return await sessions.open(device, access);
  } catch (error) {
    log.error('a session could not be stored', { user: device.userId, error });
    throw refuse(503, 'ERR_SERVER_INTERNAL_ERROR', 'The server cannot open sessions at the moment. Try again soon.');
  }
}
