/** Signs the users of a run in, and opens the channels of their pairs. */
import { randomUUID } from 'node:crypto';
import { browserFetch } from '../../src/calls/platform/browser/fetch.ts';
import { login } from '../../src/calls/rest/requests.ts';
import { RestClient } from '../../src/calls/rest/rest-client.ts';
import type { Clock } from '../../src/common/clock.ts';
import { CHANNEL_QUERY, PATHS } from '../../src/protocol/http.ts';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { explainSignIn } from '../sign-in-failure.ts';
import { CallPair } from './call-pair.ts';
import type { Callable } from './generator.ts';
import type { LoadUser } from './users.ts';

/** A pair with open channels. */
export interface LoadPair extends Callable {
  close(): void;
}

/** The pairs that sign in at the same time. */
const AT_ONCE = 16;
const silent = () => undefined;
const NO_LOG = { verbose: silent, debug: silent, info: silent, warning: silent, error: silent };

export interface OpenOptions {
  readonly server: string;
  readonly appId: string;
  /** A caller and a callee for each pair. */
  readonly users: readonly LoadUser[];
  readonly clock: Clock;
  /** A channel of this pair has closed. */
  readonly closed: (pair: LoadPair) => void;
  /** This many pairs are open. */
  readonly opened: (count: number) => void;
  /** True when the run ends before it has begun. */
  readonly isStopped: () => boolean;
}

/**
 * Opens a pair for each two users.
 *
 * @throws CommandError in one line, after every open channel was closed.
 */
export async function openPairs(options: OpenOptions): Promise<LoadPair[]> {
  const { users, clock, closed, opened, isStopped } = options;
  const pairs: CallPair[] = [];
  const open: CallPair[] = [];
  const openNext = async (): Promise<void> => {
    for (;;) {
      const [caller, callee] = users.slice(2 * pairs.length, 2 * pairs.length + 2);
      if (!caller || !callee || isStopped()) return;
      const pair: CallPair = new CallPair(callee.userId, clock, () => closed(pair));
      pairs.push(pair);
      await pair.open(await channelOf(caller, options), await channelOf(callee, options));
      open.push(pair);
      opened(open.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, openNext));
  } catch (error) {
    for (const pair of pairs) pair.close();
    if (error instanceof CommandError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`A channel of ${options.server} cannot be opened: ${why}.`, EXIT.environment);
  }
  return open;
}

/** Signs a user in. Returns the URL of the channel of this user, which has the session. */
async function channelOf(user: LoadUser, { server, appId, clock }: OpenOptions): Promise<string> {
  const clientId = randomUUID();
  const rest = new RestClient({
    fetch: browserFetch(),
    clock,
    log: NO_LOG,
    apiHost: server,
    clientId,
    session: () => undefined,
  });
  const answer = await login(rest, { appId, userId: user.userId, accessToken: user.token }).catch((error: unknown) => {
    throw refusalOf(explainSignIn(error, { server, appId, userId: user.userId }), server, user);
  });
  const query = new URLSearchParams({
    [CHANNEL_QUERY.sessionToken]: answer.sbcall_session_token,
    [CHANNEL_QUERY.clientId]: clientId,
    [CHANNEL_QUERY.version]: String(PROTOCOL_VERSION),
  });
  return `${server.replace(/^http/, 'ws')}${PATHS.channel}?${query}`;
}

/** Returns the error of a refused user in one line. */
export function refusalOf(
  failed: ReturnType<typeof explainSignIn>,
  server: string,
  { userId }: LoadUser,
): CommandError {
  const reason = failed.error.message?.replace(/\.$/, '') || 'the sign-in failed';
  if (failed.cause === 'unreachable') {
    return new CommandError(
      `No exchange answers at ${server}: start one with "ringback sim --demo", or load a fresh one without --server.`,
      EXIT.environment,
    );
  }
  if (failed.cause !== 'refused') return new CommandError(failed.message, EXIT.internal);
  return new CommandError(
    `The exchange does not admit ${userId}: ${reason}. Name its users with --users or --users-file, and its application with --app-id.`,
    EXIT.usage,
  );
}
