import type { CommandFrame } from '../../../src/protocol/envelope.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from '../directory/sessions.ts';

/**
 * Runs a command. When this exchange does not know its call, and the history has the call, the call has ended at another
 * exchange, or before a restart. The refusal says so, and the device fetches the end.
 *
 * @param run - runs the command, and throws a CallError or rejects with one when the command is refused.
 * @throws CallError `ERR_INVALID_CALL_STATUS` for a call that has ended, else as `run` does.
 */
export function orEnded<Reply extends object>(
  core: Pick<Core, 'live' | 'store'>,
  from: DeviceId,
  { payload }: CommandFrame,
  run: () => Reply | Promise<Reply>,
): Reply | Promise<Reply> {
  const refuse = async (error: unknown): Promise<never> => {
    const isEnded = 'call_id' in payload && (await hasEnded(core, from, payload.call_id));
    throw isEnded ? new CallError(ErrorCode.ERR_INVALID_CALL_STATUS) : error;
  };
  const mayHaveEnded = (error: unknown) =>
    core.live && error instanceof CallError && error.code === ErrorCode.ERR_CALL_DOES_NOT_EXIST;
  try {
    const reply = run();
    if (!(reply instanceof Promise)) return reply;
    return reply.catch((error: unknown) => {
      if (mayHaveEnded(error)) return refuse(error);
      throw error;
    });
  } catch (error) {
    if (mayHaveEnded(error)) return refuse(error);
    throw error;
  }
}

/** Returns whether the history has the call of a user. */
async function hasEnded({ store }: Pick<Core, 'store'>, { userId }: DeviceId, callId: string): Promise<boolean> {
  // Without the store the call counts as unknown.
  const record = await store.call(callId).catch(() => undefined);
  return record?.participants.some(({ user_id }) => user_id === userId) === true;
}
