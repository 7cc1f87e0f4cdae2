import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { CommandPayload, CommandType } from '../../../src/protocol/messages/commands.ts';
import type { ReplyPayload } from '../../../src/protocol/messages/replies.ts';
import { legOf, type Call, type Leg } from '../calls/call.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { heard, type HeardNeeds } from '../calls/silence.ts';

/** The parts that find the call and the leg of a command. */
export type FindNeeds = HeardNeeds & Pick<Core, 'calls'>;

/**
 * Runs one command of one device, and returns the payload of the reply.
 *
 * `Needs` are the parts of the core that the handler uses.
 *
 * @throws CallError with the code of the refusal.
 */
export type Handler<T extends CommandType, Needs> = (
  core: Needs,
  from: DeviceId,
  payload: CommandPayload<T>,
) => ReplyPayload<T>;

/**
 * Returns the call of a command, with the leg that sent it.
 *
 * @throws CallError `ERR_CALL_DOES_NOT_EXIST` when there is no such call or the device's user has no part in it. One
 *   answer covers both (S20). `ERR_INVALID_CALL_STATUS` when the call is over for the leg, or never rang on this device
 *   (D11).
 */
export function findLeg(core: FindNeeds, from: DeviceId, callId: string): { call: Call; leg: Leg } {
  const call = core.calls.get(callId);
  const isMine = call && [call.callerUser.user_id, call.calleeUser.user_id].includes(from.userId);
  if (!call || !isMine) throw new CallError(ErrorCode.ERR_CALL_DOES_NOT_EXIST);
  const leg = legOf(call, from);
  if (!leg || leg.outcome !== null || call.state.name === 'ended')
    throw new CallError(ErrorCode.ERR_INVALID_CALL_STATUS);
  heard(core, call, leg);
  return { call, leg };
}

/**
 * Returns the call and leg of a command that changes the call.
 * @throws CallError as {@link findLeg}.
 */
export function requireLeg(core: FindNeeds, from: DeviceId, callId: string): { call: Call; leg: Leg } {
  const part = findLeg(core, from, callId);
  core.live?.changed(part.call);
  return part;
}

/**
 * Returns the call and leg of a command that needs two sides.
 * @throws CallError as {@link requireLeg}, and `ERR_INVALID_CALL_STATUS` before the accept.
 */
export function requireAcceptedLeg(core: FindNeeds, from: DeviceId, callId: string): { call: Call; leg: Leg } {
  return accepted(requireLeg(core, from, callId));
}

/**
 * Returns the call and leg of a command that is relayed between two sides, and changes nothing else of the call.
 * @throws CallError as {@link requireAcceptedLeg}.
 */
export function requireRelayingLeg(core: FindNeeds, from: DeviceId, callId: string): { call: Call; leg: Leg } {
  return accepted(findLeg(core, from, callId));
}

function accepted(part: { call: Call; leg: Leg }): { call: Call; leg: Leg } {
  if (part.call.state.name === 'ringing') throw new CallError(ErrorCode.ERR_INVALID_CALL_STATUS);
  return part;
}
