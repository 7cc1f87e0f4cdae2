import type { AnyCommandFrame, CommandFrame, ReplyFrame } from '../../../src/protocol/envelope.ts';
import type { CommandType } from '../../../src/protocol/messages/commands.ts';
import type { ReplyPayload } from '../../../src/protocol/messages/replies.ts';
import { isRoomCommand } from '../../../src/protocol/room-envelope.ts';
import { legOf } from '../calls/call.ts';
import { runRoomCommand } from '../rooms/room-commands.ts';
import type { Core } from '../core.ts';
import { deviceKey, type DeviceId } from '../directory/sessions.ts';
import { accept } from './accept.ts';
import { alive, unendedCalls } from './alive.ts';
import { answerOnce } from './answer-once.ts';
import { type BegunDial, dial } from './dial.ts';
import { dialReceived } from './dial-received.ts';
import { orEnded } from './ended-elsewhere.ts';
import { cancel, connectionLost, decline, hangUp, noAnswer, timeout } from './endings.ts';
import { answer, audio, candidate, connected, hold, offer, recording, removeCandidates, video } from './media.ts';

/** Records the request that made a leg a side of its call. */
function began<T extends ReplyPayload<'dial' | 'accept'>>(core: Core, from: DeviceId, request: string, reply: T): T {
  const call = core.calls.get(reply.call_id);
  const leg = call && legOf(call, from);
  if (leg) leg.request = request;
  return reply;
}

function carryOut(
  core: Core,
  from: DeviceId,
  command: CommandFrame,
  begun?: BegunDial,
): ReplyPayload<CommandType> | Promise<ReplyPayload<CommandType>> {
  switch (command.type) {
    case 'dial':
      return began(core, from, command.request_id, dial(core, from, command.payload, begun));
    case 'dial_rcv':
      return dialReceived(core, from, command.payload);
    case 'accept':
      return began(core, from, command.request_id, accept(core, from, command.payload));
    case 'cancel':
      return cancel(core, from, command.payload);
    case 'decline':
      return decline(core, from, command.payload);
    case 'end':
      return hangUp(core, from, command.payload);
    case 'timeout':
      return timeout(core, from, command.payload);
    case 'connection_lost':
      return connectionLost(core, from, command.payload);
    case 'no_answer':
      return noAnswer(core, from, command.payload);
    case 'hold':
      return hold(core, from, command.payload);
    case 'offer':
      return offer(core, from, command.payload);
    case 'answer':
      return answer(core, from, command.payload);
    case 'candidate':
      return candidate(core, from, command.payload);
    case 'remove_candidates':
      return removeCandidates(core, from, command.payload);
    case 'alive':
      return alive(core, from, command.payload);
    case 'connected':
      return connected(core, from, command.payload);
    case 'audio':
      return audio(core, from, command.payload);
    case 'video':
      return video(core, from, command.payload);
    case 'recording':
      return recording(core, from, command.payload);
    case 'unended_calls':
      return unendedCalls(core, from, command.payload);
    case 'heartbeat':
      return { alive_at: core.clock.wallTime() };
    default:
      return command satisfies never;
  }
}

/** Counts a command of a device, by socket or by HTTP. Returns false above the rate limit. */
export const mayCommand = (core: Core, from: DeviceId): boolean =>
  core.messages.take(deviceKey(from)) && core.accountMessages.take(from.userId);

/** A command that came too early or too late: the exchange is starting or stopping. */
export class NotOpen extends Error {
  override readonly name = 'NotOpen';
}

/**
 * Runs a command once, however often its frame comes, and returns its reply.
 *
 * @param begun - what was decided about a dial before.
 * @throws RequestConflict as {@link answerOnce}. NotOpen when the exchange has begun to stop while the command waited:
 *   it stores no call any more.
 */
export function handleCommand(
  core: Core,
  from: DeviceId,
  frame: AnyCommandFrame,
  begun?: BegunDial,
): ReplyFrame | Promise<ReplyFrame> {
  if (!core.status.isOpen) throw new NotOpen('the exchange is starting or stopping');
  return answerOnce(core, from, frame, () =>
    isRoomCommand(frame)
      ? runRoomCommand(core, from, frame, frame.request_id)
      : orEnded(core, from, frame, () => carryOut(core, from, frame, begun)),
  );
}
