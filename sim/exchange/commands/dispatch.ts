import type { AnyCommandFrame, CommandFrame, ReplyFrame, RoomCommandFrame } from '../../../src/protocol/envelope.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { isRoomCommand } from '../../../src/protocol/room-envelope.ts';
import type { Cluster, CommandOwner } from '../cluster.ts';
import type { Core } from '../core.ts';
import { findUsers } from '../directory/find-user.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { askFirst, refused } from './ask-first.ts';
import { listOf, unendedHere } from './alive.ts';
import { answerOnce } from './answer-once.ts';
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
  if (owner) return atOwner(core, owner, from, frame);
  const { cluster } = core;
  if (frame.type === 'dial' && cluster?.beforeDial) return dialInCluster(core, cluster, { from, frame, isHere });
  if (isRoomCommand(frame) && cluster?.ownerOfRoom) return roomCommand(core, from, frame);
  if (frame.type === 'unended_calls' && cluster?.unended) return unendedEverywhere(core, from, frame);
  return runHere(core, from, frame, isHere);
}

/**
 * Runs a command at this exchange.
 *
 * @param isHere - as for {@link dispatch}.
 * @param callId - the id of the call of a dial. Default: a new one.
 */
export function runHere(
  core: Core,
  from: DeviceId,
  frame: AnyCommandFrame,
  isHere: () => boolean = () => true,
  callId?: string,
): ReplyFrame | Promise<ReplyFrame | undefined> {
  const carryOut = (id: string) =>
    isHere() ? handleCommand(core, from, frame, { callId: id, isCounted: true }) : undefined;
  const asked = askFirst(core, from, frame, carryOut, callId);
  return asked ?? handleCommand(core, from, frame, callId === undefined ? undefined : { callId, isCounted: false });
}

/** Returns the exchange that owns the call of a command. Null for this one, and for a command of no call. */
function ownerOf({ ownerOf: find }: Pick<Core, 'ownerOf'>, { payload }: AnyCommandFrame): CommandOwner | null {
  return 'call_id' in payload ? find(payload.call_id) : null;
}

async function atOwner(core: Core, owner: CommandOwner, from: DeviceId, frame: AnyCommandFrame): Promise<ReplyFrame> {
  const { result: reply, hasLogin } = await core.waiting.during(from, () => owner.command(from, frame));
  return reply ?? (hasLogin ? await handleCommand(core, from, frame) : loginOver(frame));
}

/** Returns the refusal of a command whose device has no login any more. */
export const loginOver = (frame: AnyCommandFrame): ReplyFrame =>
  refused(frame, new CallError(ErrorCode.USER_NOT_AUTHENTICATED));

async function roomCommand(core: Core, from: DeviceId, frame: RoomCommandFrame): Promise<ReplyFrame> {
  const { payload } = frame;
  const find = async () => ('room_id' in payload ? await core.cluster?.ownerOfRoom?.(payload.room_id) : null);
  const { result: owner, hasLogin } = await core.waiting.during(from, find);
  if (!hasLogin) return loginOver(frame);
  return owner ? atOwner(core, owner, from, frame) : await handleCommand(core, from, frame);
}

/** A dial of a device. */
interface Dial {
  readonly from: DeviceId;
  readonly frame: CommandFrame & { readonly type: 'dial' };
  readonly isHere: () => boolean;
}

/**
 * Runs a dial here, unless the same request has begun a call at another exchange. Refuses it when the other exchanges
 * cannot be reached.
 */
async function dialInCluster(
  core: Core,
  cluster: Cluster,
  { from, frame, isHere }: Dial,
): Promise<ReplyFrame | undefined> {
  const callId = core.newCallId();
  try {
    const owner = await cluster.beforeDial?.(from, frame.request_id, callId);
    const reply = await owner?.command(from, frame);
    if (reply) return reply;
    await findUsers(core, [from.userId, frame.payload.callee_id]);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    core.events.emit({ kind: 'refused', code: error.code });
    core.log.info('command refused', { type: frame.type, code: error.code, why: error.message });
    return refused(frame, error);
  }
  if (!isHere()) return undefined;
  return await runHere(core, from, frame, isHere, callId);
}

/** Adds the calls and rooms of the other nodes to the reply of this one. */
async function unendedEverywhere(core: Core, from: DeviceId, frame: AnyCommandFrame): Promise<ReplyFrame> {
  return await answerOnce(core, from, frame, async () => {
    // First, since it may bring calls to this exchange.
    const elsewhere = (await core.cluster?.unended?.(from)) ?? [];
    return listOf([...unendedHere(core, from), ...elsewhere]);
  });
}
