import type { AnyCommandFrame, ReplyFrame } from '../../../src/protocol/envelope.ts';
import type { CommandOwner } from '../cluster.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { askFirst } from './ask-first.ts';
import { handleCommand } from './commands.ts';

/**
 * Runs a command at the exchange that owns its call, which keeps the answer for repeated requests. A command of no call
 * runs here.
 *
 * @param isHere - returns whether the device may still act. A dial waits for the host, and has no effect without it.
 * @returns undefined when the device left before the host decided about its dial. Rejects when the owner cannot be
 *   reached.
 * @throws RequestConflict, or rejects with it, when the request id belonged to another command before.
 */
export function dispatch(core: Core, from: DeviceId, frame: AnyCommandFrame): ReplyFrame | Promise<ReplyFrame>;
export function dispatch(
  core: Core,
  from: DeviceId,
  frame: AnyCommandFrame,
  isHere: () => boolean,
): ReplyFrame | Promise<ReplyFrame | undefined>;
export function dispatch(
  core: Core,
  from: DeviceId,
  frame: AnyCommandFrame,
  isHere: () => boolean = () => true,
): ReplyFrame | Promise<ReplyFrame | undefined> {
  const owner = ownerOf(core, frame);
  if (owner) return owner.command(from, frame);
  const asked = askFirst(core, from, frame, (callId) =>
    isHere() ? handleCommand(core, from, frame, callId) : undefined,
  );
  return asked ?? handleCommand(core, from, frame);
}

/** Returns the exchange that owns the call of a command. Null for this one, and for a command of no call. */
function ownerOf({ ownerOf: find }: Pick<Core, 'ownerOf'>, { payload }: AnyCommandFrame): CommandOwner | null {
  return 'call_id' in payload ? find(payload.call_id) : null;
}
