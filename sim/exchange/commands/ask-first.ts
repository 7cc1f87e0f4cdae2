import type { AnyCommandFrame, CommandFrame, ReplyFrame } from '../../../src/protocol/envelope.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { PROTOCOL_VERSION } from '../../../src/protocol/limits.ts';
import { emitNotDialled } from '../calls/call-event.ts';
import type { Core, DialAsk } from '../core.ts';
import { deviceKey, type DeviceId } from '../directory/sessions.ts';
import type { CallPolicy } from '../policy.ts';
import { RequestConflict } from './answer-once.ts';
import { checkDial } from './dial.ts';

/** Runs a dial under this id. Undefined when it must not run any more. */
type CarryOut = (callId: string) => ReplyFrame | Promise<ReplyFrame> | undefined;

/**
 * Asks the host of the exchange whether a call may be dialled, and runs the dial if so. When an allowed call is not
 * dialled, the host gets an event, since it may have reserved something for the call.
 *
 * @param carryOut - dials, and returns the answer. It must not dial when the device has disconnected.
 * @param callId - the id that the call will have. Default: a new one.
 * @returns null when the host need not be asked: the command is not a dial, or is a repeated request. Else the result
 *   of `carryOut`, or a refusal: `ERR_NO_PERMISSION`, `ERR_SERVER_INTERNAL_ERROR` when the host failed, or one of
 *   {@link checkDial}.
 * @throws RequestConflict when another dial with this request id waits for the host.
 */
export function askFirst(
  core: Core,
  from: DeviceId,
  frame: AnyCommandFrame,
  carryOut: CarryOut,
  callId?: string,
): Promise<ReplyFrame | undefined> | null {
  const { policy, users, answers, asks } = core;
  if (policy.mayDial === undefined || frame.type !== 'dial') return null;
  // The exchange itself refuses an unknown callee and a caller who dials themself, at once and within the budget of
  // bytes. A repeated request gets its former answer (I12).
  const { callee_id: callee, is_video_call: isVideoCall } = frame.payload;
  if (!users.has(callee) || callee === from.userId || answers.has(deviceKey(from), frame.request_id)) return null;
  const request = `${deviceKey(from)}\n${frame.request_id}`;
  const ask = asks.get(request) ?? begin(core, policy.mayDial, { from, frame, callId: callId ?? core.newCallId() });
  // The host permits one question. Its answer does not permit another call.
  if (ask.question.callee !== callee || ask.question.isVideoCall !== isVideoCall) {
    throw new RequestConflict(`request ${frame.request_id} is another dial`);
  }
  asks.set(request, ask);
  ask.waiting += 1;
  return answer(core, request, ask, carryOut);
}

async function answer(core: Core, request: string, ask: DialAsk, carryOut: CarryOut): Promise<ReplyFrame | undefined> {
  const { callId } = ask.question;
  const refusal = await ask.refusal;
  try {
    const made = refusal ?? carryOut(callId);
    return made instanceof Promise ? await made : made;
  } finally {
    ask.waiting -= 1;
    if (ask.waiting === 0) {
      core.asks.delete(request);
      if (!refusal && core.calls.get(callId) === undefined) emitNotDialled(core, ask.question);
    }
  }
}

/** A dial, with the id that its call will have. */
interface Asked {
  readonly from: DeviceId;
  readonly frame: CommandFrame & { readonly type: 'dial' };
  readonly callId: string;
}

/** Asks the host, which may write for each question, only about a dial that the exchange itself would accept. */
function begin(core: Core, mayDial: NonNullable<CallPolicy['mayDial']>, { from, frame, callId }: Asked): DialAsk {
  const { log } = core;
  const { callee_id: callee, is_video_call: isVideoCall } = frame.payload;
  const question = { callId, caller: from.userId, callee, isVideoCall };
  const early = refusedEarly(core, from, frame);
  if (early) return { question, refusal: Promise.resolve(early), waiting: 0 };
  const refusal = mayDial(question).then(
    (isAllowed) => {
      if (isAllowed) return undefined;
      log.info('a dial was not allowed', { from: from.userId, to: callee });
      return refused(frame, new CallError(ErrorCode.ERR_NO_PERMISSION));
    },
    (error: unknown) => {
      log.error('the host failed to decide about a dial', { from: from.userId, error });
      const message = 'The server cannot decide about this call now. Try again.';
      return refused(frame, new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message }));
    },
  );
  return { question, refusal, waiting: 0 };
}

/** Counts a dial, and returns the refusal of the exchange itself. Null without one. */
function refusedEarly(core: Core, from: DeviceId, frame: CommandFrame & { readonly type: 'dial' }): ReplyFrame | null {
  try {
    checkDial(core, from, frame.payload, true);
    return null;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    core.events.emit({ kind: 'refused', code: error.code });
    core.log.info('command refused', { type: frame.type, code: error.code, why: error.message });
    return refused(frame, error);
  }
}

/** Returns the reply to a refused command. */
export const refused = ({ request_id, cmd, type }: AnyCommandFrame, { code, message }: CallError): ReplyFrame => ({
  version: PROTOCOL_VERSION,
  request_id,
  cmd,
  type: `${type}_ack`,
  error: { code, message },
});
