/** Explains why a sign-in, or a request after it, failed: one line for the user, and the cause. */
import { CallError, ErrorCode } from '../src/protocol/errors.ts';
import type { HostEvent, SignedIn } from './headless/messages.ts';

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

export function explainSignIn(error: unknown, { server, userId }: SignedIn): Failed {
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

/** Returns the event for an error after the sign-in. `what` begins the message of an unexpected error. */
export function failureOf(error: unknown, what: string): Failed {
  if (error instanceof SignInFailed) return error.event;
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof CallError))
    return { type: 'failed', cause: 'internal', message: `${what} failed: ${message}`, error: { message } };
  const { code, name } = error;
  return { type: 'failed', cause: 'refused', message, error: { code, name, message } };
}
