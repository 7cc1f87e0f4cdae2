/** The answer to an unreadable frame. */
import * as v from 'valibot';
import type { FrameFault, ReplyFrame } from '../../src/protocol/envelope.ts';
import { commandGroup } from '../../src/protocol/enumerations.ts';
import { CallError, ErrorCode } from '../../src/protocol/errors.ts';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.ts';

const addressed = v.object({
  cmd: v.fallback(commandGroup, 'UTIL'),
  type: v.fallback(v.pipe(v.string(), v.maxLength(64)), 'unknown'),
});

/**
 * Returns the refusal of a fault: `INVALID_PARAMETER_VALUE` when a parameter breaks its schema, else the fault's own
 * code.
 */
export function refusalOf(fault: FrameFault): CallError {
  // The message may quote the frame.
  const message = fault.message.slice(0, 200);
  return new CallError(fault.where.startsWith('payload') ? ErrorCode.INVALID_PARAMETER_VALUE : fault.code, { message });
}

/**
 * Returns the refusal of a frame with a readable request id. Undefined without one, since no request could match it.
 */
export function faultReply(fault: FrameFault, text: string): ReplyFrame | undefined {
  if (fault.requestId === undefined) return undefined;
  const { code, message } = refusalOf(fault);
  const { cmd, type } = readAddress(text);
  return {
    version: PROTOCOL_VERSION,
    request_id: fault.requestId,
    cmd,
    type: `${type}_ack`,
    error: { code, message },
  };
}

function readAddress(text: string): v.InferOutput<typeof addressed> {
  // The fault has a request id, so the text is JSON.
  const result = v.safeParse(addressed, JSON.parse(text), { abortEarly: true });
  return result.success ? result.output : { cmd: 'UTIL', type: 'unknown' };
}
