import type { CommandFrame, ReplyFrame } from '../../../src/protocol/envelope.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { PROTOCOL_VERSION } from '../../../src/protocol/limits.ts';
import { tellNotDialled } from '../calls/call-event.ts';
import type { Core, DialAsk } from '../core.ts';
import { deviceKey, type DeviceId } from '../directory/sessions.ts';
import { RequestConflict } from './commands.ts';
import { checkDial } from './dial.ts';

/**
 * Asks the host of the exchange whether a dial may be, and carries it out if so. Where it is not dialled after all, the
 * host hears of it: it may have kept something for the call.
 *
 * @param carryOut - dials, and gives what is to be answered; nothing may be dialled where the device has gone.
 * @returns null where the host need not be asked: the command is not a dial, or is a repeated request. Else what
 *   `carryOut` gave, or the refusal: 1400105, or 1400999 where the host failed, or one of {@link checkDial}.
 * @throws RequestConflict when the host is being asked about another dial with this request id.
 */
export function askFirst<Answer>(
  core: Core,
  from: DeviceId,
  frame: CommandFrame,
  carryOut: (callId: string) => Answer,
): Promise<Answer | ReplyFrame> | null {
  const { mayDial, users, answers, asks } = core;
  if (mayDial === null || frame.type !== 'dial') return null;
  // The exchange itself refuses an unknown callee and a caller who dials themself. A repeated request is answered as
  // before (I12).
  const { callee_id: callee, is_video_call: isVideoCall } = frame.payload;
  if (!users.has(callee) || callee === from.userId || answers.has(deviceKey(from), frame.request_id)) return null;
  const request = `${deviceKey(from)}\n${frame.request_id}`;
  const ask = asks.get(request) ?? begin(core, mayDial, from, frame);
  // The host permits one question: its answer is no permission for another call.
  if (ask.question.callee !== callee || ask.question.isVideoCall !== isVideoCall) {
    throw new RequestConflict(`request ${frame.request_id} is another dial`);
  }
  asks.set(request, ask);
  ask.waiting += 1;
  return answer(core, request, ask, carryOut);
}

async function answer<Answer>(
  core: Core,
  request: string,
  ask: DialAsk,
  carryOut: (callId: string) => Answer,
): Promise<Answer | ReplyFrame> {
  const { callId } = ask.question;
  const refusal = await ask.refusal;
  try {
    return refusal ?? carryOut(callId);
  } finally {
    ask.waiting -= 1;
    if (ask.waiting === 0) {
      core.asks.delete(request);
      if (!refusal && core.calls.get(callId) === undefined) tellNotDialled(core, ask.question);
    }
  }
}

/** Asks the host, which may write for each question: only about a dial that the exchange itself would carry out. */
function begin(
  core: Core,
  mayDial: NonNullable<Core['mayDial']>,
  from: DeviceId,
  frame: CommandFrame & { readonly type: 'dial' },
): DialAsk {
  const { ids, log } = core;
  const { callee_id: callee, is_video_call: isVideoCall } = frame.payload;
  const question = { callId: ids.uuid(), caller: from.userId, callee, isVideoCall };
  const early = refusedEarly(core, from, frame);
  if (early) return { question, refusal: Promise.resolve(early), waiting: 0 };
  const refusal = mayDial(question).then(
    (isAllowed) => {
      if (isAllowed) return undefined;
      log.info('a dial was not allowed', { from: from.userId, to: callee });
      return refused(frame, new CallError(ErrorCode.ERR_NO_PERMISSION));
    },
    (error: unknown) => {
      log.error('the host could not say whether a call may be dialled', { from: from.userId, error });
      return refused(frame, new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR));
    },
  );
  return { question, refusal, waiting: 0 };
}

/** Counts a dial, and gives the refusal of the exchange itself. */
function refusedEarly(core: Core, from: DeviceId, frame: CommandFrame & { readonly type: 'dial' }): ReplyFrame | null {
  try {
    checkDial(core, from, frame.payload, true);
    return null;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    core.refused(error.code);
    core.log.info('command refused', { type: frame.type, code: error.code, why: error.message });
    return refused(frame, error);
  }
}

/** The reply to a command that is refused. */
export const refused = ({ request_id, cmd, type }: CommandFrame, { code, message }: CallError): ReplyFrame => ({
  version: PROTOCOL_VERSION,
  request_id,
  cmd,
  type: `${type}_ack`,
  error: { code, message },
});
