import type { AnyCommandFrame, ReplyFrame } from '../../../src/protocol/envelope.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { PROTOCOL_VERSION } from '../../../src/protocol/limits.ts';
import type { CommandType } from '../../../src/protocol/messages/commands.ts';
import type { RoomCommandType } from '../../../src/protocol/messages/rooms.ts';
import { isRoomCommand } from '../../../src/protocol/room-envelope.ts';
import type { Core } from '../core.ts';
import { Digest } from '../delivery/digest.ts';
import type { Made } from '../delivery/idempotency-cache.ts';
import { deviceKey, type DeviceId } from '../directory/sessions.ts';

type Needs = Pick<Core, 'answers' | 'roomAnswers' | 'sent' | 'events' | 'log'>;

/** Commands that may safely run twice. Their answers are not kept. */
const REPEATABLE: ReadonlySet<CommandType | RoomCommandType> = new Set([
  'heartbeat',
  'alive',
  'unended_calls',
  'room_alive',
  'room_get',
  'room_custom_items_get',
]);

/** A command that was refused or failed. */
class Refused {
  readonly code: number;
  readonly message: string;

  constructor(code: number, message: string) {
    this.code = code;
    this.message = message;
  }
}

/**
 * The payload of a reply, or a refusal. Only this is kept. A repeated command has everything else of the reply, so the
 * frame is made anew.
 */
type Outcome = object;

/** A request id that belonged to another command before. */
export class RequestConflict extends Error {}

/**
 * Answers a command once, however often its frame comes. A repeated frame waits for an answer that is still made.
 *
 * @param run - runs the command, and throws a CallError or rejects with one when the command is refused.
 * @throws RequestConflict when the request id belonged to another command before.
 */
export function answerOnce(
  core: Needs,
  from: DeviceId,
  frame: AnyCommandFrame,
  run: () => object | Promise<object>,
): ReplyFrame | Promise<ReplyFrame> {
  const { cmd, type, payload, request_id } = frame;
  const body = new Digest().add(cmd).add(type).add(payload);
  const kept = (answer: Outcome): Made<Outcome> => ({ answer, keeps: keptOf(frame, answer) });
  const [own, other] = isRoomCommand(frame) ? [core.roomAnswers, core.answers] : [core.answers, core.roomAnswers];
  const outcome = other.knows(deviceKey(from), request_id)
    ? 'conflict'
    : own.once(
        deviceKey(from),
        request_id,
        body.value,
        () => {
          const made = outcomeOf(core, from, type, body.chars, run);
          return made instanceof Promise ? made.then(kept) : kept(made);
        },
        () => ({ call_id: callIdIn(payload) }),
      );
  if (outcome === 'conflict') throw new RequestConflict(`request ${request_id} was another command before`);
  return outcome instanceof Promise ? outcome.then((late) => replyTo(frame, late)) : replyTo(frame, outcome);
}

/** Returns what is kept of an answer. A refused command had no effect, so it runs again when the client repeats it. */
function keptOf({ type, payload }: AnyCommandFrame, answer: Outcome): Made<Outcome>['keeps'] {
  if (answer instanceof Refused || REPEATABLE.has(type)) return 'nothing';
  return namesOnly(callIdIn(payload), answer) ? 'request' : 'answer';
}

const callIdIn = (payload: object): string | undefined =>
  'call_id' in payload && typeof payload.call_id === 'string' ? payload.call_id : undefined;

/** Returns whether an answer has the id of this call and nothing else. */
function namesOnly(callId: string | undefined, answer: Outcome): boolean {
  if (callId === undefined || callIdIn(answer) !== callId) return false;
  for (const name in answer) if (name !== 'call_id') return false;
  return true;
}

/** The types of replies, by the types of commands. */
const ACK_TYPES = new Map<string, string>();

/** Returns the type of the reply to a command of a known type. */
function ackTypeOf(type: CommandType | RoomCommandType): string {
  const known = ACK_TYPES.get(type) ?? `${type}_ack`;
  ACK_TYPES.set(type, known);
  return known;
}

/** Returns the reply to a command. */
function replyTo({ cmd, type, request_id }: AnyCommandFrame, outcome: Outcome): ReplyFrame {
  // Each member by its name: V8 gives every object that is made by a spread a hidden class of its own.
  const acked = ackTypeOf(type);
  if (outcome instanceof Refused) {
    const { code, message } = outcome;
    return { version: PROTOCOL_VERSION, request_id, cmd, type: acked, error: { code, message } };
  }
  return { version: PROTOCOL_VERSION, request_id, cmd, type: acked, payload: outcome };
}

/** Runs a command. Never throws or rejects. */
function outcomeOf(
  core: Needs,
  from: DeviceId,
  type: CommandType | RoomCommandType,
  chars: number,
  run: () => object | Promise<object>,
): Outcome | Promise<Outcome> {
  const failed = (error: unknown): Refused => refusalOf(core, type, error);
  try {
    if (!core.sent.take(deviceKey(from), chars)) {
      throw new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message: 'Commands are too large. Try again later.' });
    }
    const payload = run();
    return payload instanceof Promise ? payload.catch(failed) : payload;
  } catch (error) {
    return failed(error);
  }
}

/** Counts and logs a refused or failed command, and returns the error of its reply. */
function refusalOf(core: Needs, type: CommandType | RoomCommandType, error: unknown): Refused {
  if (error instanceof CallError) {
    core.events.emit({ kind: 'refused', code: error.code });
    core.log.info('command refused', { type, code: error.code, why: error.message });
    return new Refused(error.code, error.message);
  }
  core.events.emit({ kind: 'refused', code: ErrorCode.ERR_SERVER_INTERNAL_ERROR });
  core.log.error('a command failed', { type, error });
  return new Refused(ErrorCode.ERR_SERVER_INTERNAL_ERROR, '');
}
