/** Requests of a signed-in user over HTTP, without a channel and without media. */
import { randomUUID } from 'node:crypto';
import { browserFetch } from '../src/calls/platform/browser/fetch.ts';
import { login } from '../src/calls/rest/requests.ts';
import { RestClient } from '../src/calls/rest/rest-client.ts';
import { hostClock } from '../src/common/host-clock.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-codes.ts';
import type { SignedIn } from './headless/messages.ts';
import { explainSignIn, type failureOf } from './sign-in-failure.ts';

const silent = () => undefined;
const NO_LOG = { verbose: silent, debug: silent, info: silent, warning: silent, error: silent };

/** Signs a user in. @throws CommandError in one line when the exchange does not admit the user. */
export async function openRequests(user: SignedIn): Promise<RestClient> {
  const session: { token?: string } = {};
  const rest = new RestClient({
    fetch: browserFetch(),
    clock: hostClock(),
    log: NO_LOG,
    apiHost: user.server,
    clientId: randomUUID(),
    session: () => session.token,
  });
  const { appId, userId, token: accessToken } = user;
  const answer = await login(rest, { appId, userId, accessToken }).catch((error: unknown) => {
    throw commandErrorOf(explainSignIn(error, user));
  });
  session.token = answer.sbcall_session_token;
  return rest;
}

/** Returns the error of a command for a failed request. */
export function commandErrorOf({ cause, message, error }: ReturnType<typeof failureOf>): CommandError {
  const isMissing = cause === 'unreachable';
  const code = isMissing || error.code === undefined || message.includes(`(${error.code})`) ? '' : ` (${error.code})`;
  const exitCode = isMissing ? EXIT.environment : cause === 'internal' ? EXIT.internal : EXIT.usage;
  return new CommandError(`${message.replace(/\.$/, '')}${code}.`, exitCode);
}
