import type { TimeoutReason } from '../../../src/protocol/enumerations.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { phaseOf } from '../calls/call.ts';
import type { Core } from '../core.ts';
import { endCall } from '../calls/end-call.ts';
import { endingOf, type EndingCommand } from '../calls/outcomes.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { requireLeg, type Handler } from './handler.ts';

/**
 * Ends a call by the table of outcomes.
 *
 * @throws CallError `ERR_NO_PERMISSION` when this side may never send the command. `ERR_INVALID_CALL_STATUS` when
 *   another command came first (D11). `ERR_CALL_DOES_NOT_EXIST` as {@link requireLeg}.
 */
function end(core: Core, from: DeviceId, on: EndingCommand, call_id: string, reason?: TimeoutReason) {
  const { call, leg } = requireLeg(core, from, call_id);
  const ending = endingOf(on, leg.side, phaseOf(call, leg), reason);
  if (ending === 'not_allowed') throw new CallError(ErrorCode.ERR_NO_PERMISSION);
  if (ending === 'too_late') throw new CallError(ErrorCode.ERR_INVALID_CALL_STATUS);
  endCall(core, call, ending, leg);
  if (ending.late) throw new CallError(ErrorCode.ERR_INVALID_CALL_STATUS);
  return { call_id };
}

export const cancel: Handler<'cancel'> = (core, from, { call_id }) => end(core, from, 'cancel', call_id);
export const decline: Handler<'decline'> = (core, from, { call_id }) => end(core, from, 'decline', call_id);
export const hangUp: Handler<'end'> = (core, from, { call_id }) => end(core, from, 'end', call_id);
export const noAnswer: Handler<'no_answer'> = (core, from, { call_id }) => end(core, from, 'no_answer', call_id);
export const connectionLost: Handler<'connection_lost'> = (core, from, { call_id }) =>
  end(core, from, 'connection_lost', call_id);
export const timeout: Handler<'timeout'> = (core, from, { call_id, reason }) =>
  end(core, from, 'timeout', call_id, reason);
