/** Signs a headless caller in at the exchange. Explains a failure in one line. */
import { createClient, type Client } from '../../src/calls/client/client.ts';
import { CallError, ErrorCode } from '../../src/protocol/errors.ts';
import type { Assignment, HostEvent } from './messages.ts';
import type { HeadlessPlatform } from './platform/wrtc-platform.ts';
import { loadedParts } from '../../src/calls/client/loaded-parts.ts';

type Failed = Extract<HostEvent, { type: 'failed' }>;

/** Returns the event with the reason why no call is possible. */
export class SignInFailed extends Error {
  readonly event: Failed;

  constructor(event: Failed) {
    super(event.message);
    this.name = 'SignInFailed';
    this.event = event;
  }
}

export async function signIn(assignment: Assignment, platform: HeadlessPlatform): Promise<Client> {
  const { server, appId, userId, token } = assignment;
  const socketServer = server.replace(/^http/, 'ws');
  const client = createClient(platform, {
    defaultApiHost: server,
    defaultWebsocketHost: socketServer,
    parts: loadedParts(),
  });
  try {
    client.setLoggerLevel(process.env['RINGBACK_DEBUG'] ? 'INFO' : 'ERROR');
    client.init(appId, server, socketServer);
    if (assignment.ringMs !== undefined) client.setRingingTimeout(assignment.ringMs / 1000);
    await client.authenticate({ userId, ...(token === undefined ? {} : { accessToken: token }) });
    await client.connectWebSocket();
    return client;
  } catch (error) {
    throw new SignInFailed(explain(error, assignment));
  }
}

/** Distinguishes no answer, an answer that is not understood, and a refusal. */
const UNREACHABLE = new Set([
  ErrorCode.ERR_REQUEST_FAILED,
  ErrorCode.ERR_WEBSOCKET_CONNECTION_NOT_OPENED,
  ErrorCode.ERR_WEBSOCKET_CONNECTION_FAILED,
  ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT,
  ErrorCode.ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST,
]);
const NOT_AN_EXCHANGE = new Set([
  ErrorCode.ERR_WRONG_RESPONSE,
  ErrorCode.INTERNAL_SERVER_ERROR,
  ErrorCode.ERR_MALFORMED_DATA,
]);

/** The library refused the arguments, before any request to the exchange. */
const PARAMETERS = new Set([ErrorCode.INVALID_PARAMETER_VALUE, ErrorCode.INVALID_PARAMETER_TYPE]);

export function explain(error: unknown, { server, userId }: Assignment): Failed {
  if (!(error instanceof CallError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { type: 'failed', cause: 'internal', message: `The sign-in failed: ${message}`, error: { message } };
  }
  const { code, name, message } = error;
  const details = { code, name, message };
  if (UNREACHABLE.has(code)) {
    const hint = 'start one with "ringback sim --demo", or name another with --server or RINGBACK_SERVER';
    return {
      type: 'failed',
      cause: 'unreachable',
      message: `No exchange answers at ${server}: ${hint}.`,
      error: details,
    };
  }
  if (NOT_AN_EXCHANGE.has(code)) {
    const hint = 'the server there is not an exchange; name another with --server';
    return { type: 'failed', cause: 'unreachable', message: `No exchange at ${server}: ${hint}.`, error: details };
  }
  if (PARAMETERS.has(code)) return { type: 'failed', cause: 'refused', message, error: details };
  // Not every code in the catalogue has a sentence.
  const reason = `${message.replace(/\.$/, '') || name} (${code})`;
  return {
    type: 'failed',
    cause: 'refused',
    message: `The exchange does not admit ${userId}: ${reason}. Choose a known user with --as and its application with --app-id, or set RINGBACK_TOKEN.`,
    error: details,
  };
}
