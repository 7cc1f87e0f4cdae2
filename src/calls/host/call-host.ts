import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { Logger } from '../logging/log.ts';

/** Calls a function of the host. When the function throws, logs the error and returns. */
export function callHost<Args extends unknown[]>(
  log: Pick<Logger, 'error'>,
  name: string,
  listener: ((...args: Args) => unknown) | null | undefined,
  ...args: Args
): void {
  try {
    listener?.(...args);
  } catch (error) {
    log.error(`${name} of the host threw`, { error });
  }
}

/** Converts a failure to a CallError. An unknown failure becomes ERR_REQUEST_FAILED (1800200). */
export const asCallError = (error: unknown): CallError =>
  error instanceof CallError ? error : new CallError(ErrorCode.ERR_REQUEST_FAILED, { cause: error });

/** Passes the result of a promise to a handler too. A host that passes a handler may leave the promise unhandled. */
export function answerHost<Value>(
  log: Pick<Logger, 'error'>,
  name: string,
  work: Promise<Value>,
  handler: ((value?: Value, error?: CallError) => unknown) | null | undefined,
): Promise<Value> {
  const answer = work.catch((error: unknown) => {
    throw asCallError(error);
  });
  if (!handler) return answer;
  answer.then(
    (value) => callHost(log, name, handler, value),
    (error: CallError) => callHost(log, name, handler, undefined, error),
  );
  return answer;
}
