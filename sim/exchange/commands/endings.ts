import type { TimeoutReason } from '../../../src/protocol/enumerations.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { phaseOf } from '../calls/call.ts';
import { endCall, type EndNeeds } from '../calls/end-call.ts';
import { endingOf, type EndingCommand } from '../calls/outcomes.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { requireLeg, type FindNeeds, type Handler } from './handler.ts';

type Needs = EndNeeds & FindNeeds;

interface Payload {
  readonly call_id: string;
  readonly reason?: TimeoutReason;
  readonly was_connected?: boolean | undefined;
}

/**
 * Ends a call by the table of outcomes.
 *
 * @throws CallError `ERR_NO_PERMISSION` when this side may never send the command. `ERR_INVALID_CALL_STATUS` when
 *   another command came first (D11). `ERR_CALL_DOES_NOT_EXIST` as {@link requireLeg}.
 */
function end(core: Needs, from: DeviceId, on: EndingCommand, { call_id, reason, was_connected }: Payload) {
  const { call, leg } = requireLeg(core, from, call_id);
  const phase = phaseOf(call, leg);
  // A leg that had media has completed the call, also when its report of that was lost (I9).
  const ending = endingOf(on, leg.side, phase === 'setup' && was_connected === true ? 'connected' : phase, reason);
  if (ending === 'not_allowed') throw new CallError(ErrorCode.ERR_NO_PERMISSION);
  if (ending === 'too_late') throw new CallError(ErrorCode.ERR_INVALID_CALL_STATUS);
  endCall(core, call, ending, leg);
  if (ending.late) throw new CallError(ErrorCode.ERR_INVALID_CALL_STATUS);
  return { call_id };
}

export const cancel: Handler<'cancel', Needs> = (core, from, payload) => end(core, from, 'cancel', payload);
export const decline: Handler<'decline', Needs> = (core, from, payload) => end(core, from, 'decline', payload);
export const hangUp: Handler<'end', Needs> = (core, from, payload) => end(core, from, 'end', payload);
export const noAnswer: Handler<'no_answer', Needs> = (core, from, payload) => end(core, from, 'no_answer', payload);
export const connectionLost: Handler<'connection_lost', Needs> = (core, from, payload) =>
  end(core, from, 'connection_lost', payload);
export const timeout: Handler<'timeout', Needs> = (core, from, payload) => end(core, from, 'timeout', payload);
