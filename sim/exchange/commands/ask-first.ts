import type { CommandFrame, ReplyFrame } from '../../../src/protocol/envelope.ts';
import { CallError } from '../../../src/protocol/errors.ts';
import { PROTOCOL_VERSION } from '../../../src/protocol/limits.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from '../sessions.ts';

/**
 * Asks the host of the exchange whether a dial may be, before it is carried out. Null where nobody needs to be asked;
 * else undefined where it may be, or the refusal: 1400105, or 1400999 where the host failed.
 */
export function askFirst(
  { mayDial, log, users }: Pick<Core, 'mayDial' | 'log' | 'users'>,
  from: DeviceId,
  frame: CommandFrame,
): Promise<ReplyFrame | undefined> | null {
  if (mayDial === null || frame.type !== 'dial') return null;
  const { callee_id: callee, is_video_call: isVideoCall } = frame.payload;
  // Whom nobody knows is no question.
  if (!users.has(callee)) return null;
  return mayDial({ caller: from.userId, callee, isVideoCall }).then(
    (isAllowed) => {
      if (isAllowed) return undefined;
      log.info('a dial was not allowed', { from: from.userId, to: callee });
      return refused(frame, new CallError(1400105));
    },
    (error: unknown) => {
      log.error('whether somebody may dial could not be found out', { from: from.userId, error });
      return refused(frame, new CallError(1400999));
    },
  );
}

/** The reply to a command that is refused. */
export const refused = ({ request_id, cmd, type }: CommandFrame, { code, message }: CallError): ReplyFrame => ({
  version: PROTOCOL_VERSION,
  request_id,
  cmd,
  type: `${type}_ack`,
  error: { code, message },
});
