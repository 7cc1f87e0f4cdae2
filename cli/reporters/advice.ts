/** The hints beside the figures of an ended call: what to do about a failure, and which requirements are not met. */
import { ErrorCode } from '../../src/protocol/errors.ts';
import type { CallReport } from '../headless/messages.ts';
import type { ShownEvent } from './reporter.ts';

/** Returns the lines for standard error. */
export function hintsFor({ report, requirements }: Extract<ShownEvent, { type: 'ended' }>): string[] {
  const advice = adviceFor(report);
  const unmet = requirements.filter(({ ok }) => !ok).map(({ message }) => message);
  return [...(advice === null ? [] : [advice]), ...unmet];
}

/** Returns what to do about a call that failed for a known reason. Null when the result needs no explanation. */
function adviceFor(report: CallReport): string | null {
  const { peer, errors } = report;
  const codes = new Set(errors.map((error) => error.code));
  if (codes.has(ErrorCode.ERR_CALLEE_DOES_NOT_EXIST)) {
    return `The exchange knows no user ${peer}: "ringback users" lists its users.`;
  }
  if (codes.has(ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE)) {
    return `${peer} has never signed in, so no device can ring: start "ringback answer --as ${peer}" first.`;
  }
  const [error] = errors;
  if (report.result !== 'dial_failed' || !error) return null;
  const code = error.code === undefined ? '' : ` (${error.code})`;
  return `The call to ${peer} failed: ${error.message || error.name || 'no reason was given'}${code}`;
}

/** Returns the errors of a call with words: some refusals of the exchange have a name, and no message. */
export function errorsInWords(report: CallReport): CallReport['errors'] {
  return report.errors.map((error) =>
    error.message === '' ? { ...error, message: adviceFor(report) ?? error.name ?? 'refused' } : error,
  );
}
