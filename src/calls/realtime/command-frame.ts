import { commandFrom, FrameFault, readReply, type CommandFrame } from '../../protocol/envelope.ts';
import type { CommandGroup } from '../../protocol/enumerations.ts';
import { invalidValue } from '../../protocol/errors.ts';
import { PROTOCOL_VERSION } from '../../protocol/limits.ts';
import { COMMANDS, type CommandPayload, type CommandType } from '../../protocol/messages/commands.ts';
import type { ReplyPayload } from '../../protocol/messages/replies.ts';
import type { OutgoingCommand } from './requests.ts';

const GROUPS: ReadonlyMap<string, string> = new Map<string, CommandGroup>([
  ...Object.keys(COMMANDS.CALL).map((type) => [type, 'CALL'] as const),
  ...Object.keys(COMMANDS.SGNL).map((type) => [type, 'SGNL'] as const),
  ...Object.keys(COMMANDS.COMM).map((type) => [type, 'COMM'] as const),
  ...Object.keys(COMMANDS.UTIL).map((type) => [type, 'UTIL'] as const),
]);

/**
 * Returns the frame of a command, checked by the schema that the exchange reads it with.
 *
 * @throws CallError `INVALID_PARAMETER_VALUE` with the wrong part of the frame.
 */
function commandFrame<T extends CommandType>(type: T, payload: CommandPayload<T>, requestId: string): CommandFrame {
  try {
    return commandFrom({ version: PROTOCOL_VERSION, request_id: requestId, cmd: GROUPS.get(type), type, payload });
  } catch (error) {
    throw error instanceof FrameFault ? invalidValue(error.where) : error;
  }
}

/** Returns a command about a direct call, or about none, and the reader of its reply. */
export const directCommand = <T extends CommandType>(
  type: T,
  payload: CommandPayload<T>,
): OutgoingCommand<ReplyPayload<T>> => ({
  type,
  frame: (requestId) => commandFrame(type, payload, requestId),
  read: (reply) => readReply(type, reply),
});
