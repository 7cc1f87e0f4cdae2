import type { TimeoutReason } from '../../../src/protocol/enumerations.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { phaseOf } from '../calls/call.ts';
import { endCall, type EndNeeds } from '../calls/end-call.ts';
import { endingOf, type EndingCommand } from '../calls/outcomes.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { requireLeg, type FindNeeds, type Handler } from './handler.ts';

type Needs = EndNeeds & FindNeeds;

/**
 * Ends a call by the table of outcomes.
 *
 * @throws CallError `ERR_NO_PERMISSION` when this side may never send the command. `ERR_INVALID_CALL_STATUS` when
 *   another command came first (D11). `ERR_CALL_DOES_NOT_EXIST` as {@link requireLeg}.
 */
function end(core: Needs, from: DeviceId, on: EndingCommand, call_id: string, reason?: TimeoutReason) {
  const { call, leg } = requireLeg(core, from, call_id);
  const ending = endingOf(on, leg.side, phaseOf(call, leg), reason);
  if (ending === 'not_allowed') throw new CallError(ErrorCode.ERR_NO_PERMISSION);
  if (ending === 'too_late') throw new CallError(ErrorCode.ERR_INVALID_CALL_STATUS);
  endCall(core, call, ending, leg);
  if (ending.late) throw new CallError(ErrorCode.ERR_INVALID_CALL_STATUS);
  return { call_id };
}

export const cancel: Handler<'cancel', Needs> = (core, from, { call_id }) => end(core, from, 'cancel', call_id);
export const decline: Handler<'decline', Needs> = (core, from, { call_id }) => end(core, from, 'decline', call_id);
export const hangUp: Handler<'end', Needs> = (core, from, { call_id }) => end(core, from, 'end', call_id);
export const noAnswer: Handler<'no_answer', Needs> = (core, from, { call_id }) => end(core, from, 'no_answer', call_id);
export const connectionLost: Handler<'connection_lost', Needs> = (core, from, { call_id }) =>
  end(core, from, 'connection_lost', call_id);
export const timeout: Handler<'timeout', Needs> = (core, from, { call_id, reason }) =>
  end(core, from, 'timeout', call_id, reason);
