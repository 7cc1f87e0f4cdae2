import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { signal, type Delivery } from '../delivery/deliver.ts';
import { requireLeg, type FindNeeds, type Handler } from './handler.ts';

type Needs = Delivery & FindNeeds;

/**
 * Records that a device of the callee got the ring. Notifies the caller of the first one.
 *
 * @throws CallError `ERR_NO_PERMISSION` when the caller sends it. `ERR_INVALID_CALL_STATUS` and
 *   `ERR_CALL_DOES_NOT_EXIST` as {@link requireLeg}.
 */
export const dialReceived: Handler<'dial_rcv', Needs> = (core, from, { call_id }) => {
  const { call, leg } = requireLeg(core, from, call_id);
  if (leg.side === 'caller') throw new CallError(ErrorCode.ERR_NO_PERMISSION);
  if (!call.dialReceived) {
    call.dialReceived = true;
    signal(core, call.caller, { cmd: 'CALL', type: 'dial_rcv', payload: { call_id } });
  }
  return { call_id };
};
