/** The keys of the shared state that exchanges use, with their lives in milliseconds. */

/** Live calls are written again long before, so that only abandoned ones disappear. */
export const CALL_LIFE_MS = 24 * 3_600_000;
/** The time in which a repeated request finds what the first one made. A client repeats a request for about a minute. */
export const REQUEST_LIFE_MS = 5 * 60_000;

/** The state of a live call: its owner, its body and its signals. */
export const callKey = (callId: string): string => `call ${callId}`;
/** The live calls that a node owns, each with its users. */
export const callsKey = (node: string): string => `calls ${node}`;
/** The node that runs a dial. */
export const dialKey = (device: string, requestId: string): string => `dial ${device} ${requestId}`;
/** The room that a request creates. */
export const roomRequestKey = (device: string, requestId: string): string => `create ${device} ${requestId}`;
/** A session, by the hash of its token. */
export const sessionKey = (hash: string): string => `session ${hash}`;
/** The hashes of a user's sessions, by client. */
export const sessionsKey = (userId: string): string => `sessions ${userId}`;
/** A short-lived token, by its hash. */
export const grantKey = (hash: string): string => `grant ${hash}`;
/** The node that owns a room. */
export const roomKey = (roomId: string): string => `room ${roomId}`;
