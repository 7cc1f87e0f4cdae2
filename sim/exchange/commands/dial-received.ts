import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { signal } from '../delivery/deliver.ts';
import { requireLeg, type Handler } from './handler.ts';

/**
 * Handles the report that a device of the callee got the ring. The caller gets the first report.
 *
 * @throws CallError 1400105 the caller says so; 1400101, 1400102 as {@link requireLeg}.
 */
export const dialReceived: Handler<'dial_rcv'> = (core, from, { call_id }) => {
  const { call, leg } = requireLeg(core, from, call_id);
  if (leg.side === 'caller') throw new CallError(ErrorCode.ERR_NO_PERMISSION);
  if (!call.dialReceived) {
    call.dialReceived = true;
    signal(core, call.caller, { cmd: 'CALL', type: 'dial_rcv', payload: { call_id } });
  }
  return { call_id };
};
