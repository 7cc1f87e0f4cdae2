/** Explains why a request about a room failed: one line for the user, and the cause. */
import { CallError, ErrorCode } from '../../src/protocol/errors.ts';
import { failureOf } from '../sign-in-failure.ts';

/** The refusals that need the id of the room to be understood. */
const REFUSALS: ReadonlyMap<number, (roomId: string) => string> = new Map([
  [ErrorCode.ERR_ROOM_DELETED, (roomId) => `There is no open room ${roomId}: "ringback room list" lists the rooms.`],
  [ErrorCode.ERR_ROOM_MAX_PARTICIPANTS, (roomId) => `The room ${roomId} is full.`],
  [ErrorCode.ERR_NO_PERMISSION, (roomId) => `The exchange does not permit this in the room ${roomId}.`],
]);

/** Returns the event for an error of a request about a room. */
export function roomFailureOf(error: unknown, what: string, roomId: string): ReturnType<typeof failureOf> {
  const failed = failureOf(error, what);
  if (!(error instanceof CallError)) return failed;
  const message = REFUSALS.get(error.code)?.(roomId) ?? (error.message || error.name);
  return { ...failed, message };
}
