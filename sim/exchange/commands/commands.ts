import type { CommandFrame, ReplyFrame } from '../../../src/protocol/envelope.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { PROTOCOL_VERSION } from '../../../src/protocol/limits.ts';
import type { CommandType } from '../../../src/protocol/messages/commands.ts';
import type { ReplyPayload } from '../../../src/protocol/messages/replies.ts';
import { legOf } from '../calls/call.ts';
import type { Core } from '../core.ts';
import { deviceKey, type DeviceId } from '../directory/sessions.ts';
import { accept } from './accept.ts';
import { alive, unendedCalls } from './alive.ts';
import { dial } from './dial.ts';
import { dialReceived } from './dial-received.ts';
import { cancel, connectionLost, decline, hangUp, noAnswer, timeout } from './endings.ts';
import { answer, audio, candidate, connected, hold, offer, recording, removeCandidates, video } from './media.ts';

/** Records the request that made a leg a side of its call. */
function began<T extends ReplyPayload<'dial' | 'accept'>>(core: Core, from: DeviceId, request: string, reply: T): T {
  const call = core.calls.get(reply.call_id);
  const leg = call && legOf(call, from);
  if (leg) leg.request = request;
  return reply;
}

function carryOut(core: Core, from: DeviceId, command: CommandFrame, callId?: string): ReplyPayload<CommandType> {
  switch (command.type) {
    case 'dial':
      return began(core, from, command.request_id, dial(core, from, command.payload, callId));
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

/** Commands that may safely run twice. Their answers are not kept. */
const REPEATABLE: ReadonlySet<CommandType> = new Set(['heartbeat', 'alive', 'unended_calls']);

/** Counts a command of a device, by socket or by HTTP. Returns false above the rate limit. */
export const mayCommand = (core: Core, from: DeviceId): boolean =>
  core.messages.take(deviceKey(from)) && core.accountMessages.take(from.userId);

/** A request id that belonged to another command before. */
export class RequestConflict extends Error {}

/**
 * Runs a command once, however often its frame comes, and returns its reply.
 *
 * @param callId - the id of the call of a dial that the host was asked about.
 * @throws RequestConflict when the request id belonged to another command before.
 */
export function handleCommand(core: Core, from: DeviceId, frame: CommandFrame, callId?: string): ReplyFrame {
  const { cmd, type, payload, request_id } = frame;
  const body = JSON.stringify([cmd, type, payload]);
  const reply = core.answers.once(deviceKey(from), request_id, body, () => {
    const made = replyTo(core, from, frame, body.length, callId);
    // A refused command had no effect, so it runs again when the client repeats it.
    return { answer: made, isKept: made.error === undefined && !REPEATABLE.has(type) };
  });
  if (reply === 'conflict') throw new RequestConflict(`request ${request_id} was another command before`);
  return reply;
}

function replyTo(core: Core, from: DeviceId, frame: CommandFrame, chars: number, callId?: string): ReplyFrame {
  const { cmd, type, request_id } = frame;
  const head = { version: PROTOCOL_VERSION, request_id, cmd, type: `${type}_ack` };
  try {
    if (!core.sent.take(deviceKey(from), chars)) {
      throw new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message: 'Commands are too large. Try again later.' });
    }
    return { ...head, payload: carryOut(core, from, frame, callId) };
  } catch (error) {
    if (error instanceof CallError) {
      core.events.emit({ kind: 'refused', code: error.code });
      core.log.info('command refused', { type, code: error.code, why: error.message });
      return { ...head, error: { code: error.code, message: error.message } };
    }
    core.events.emit({ kind: 'refused', code: ErrorCode.ERR_SERVER_INTERNAL_ERROR });
    core.log.error('a command failed', { type, error });
    return { ...head, error: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message: '' } };
  }
}
