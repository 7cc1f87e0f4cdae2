import type { CommandType } from '../../src/protocol/messages/commands.ts';

/** The steps of a call that users make, and whose results users wait for. Devices send the other commands by themselves. */
const STEPS = ['dial', 'accept', 'cancel', 'decline', 'end'] as const satisfies readonly CommandType[];

/** The start of a frame, which has its type: `{"version":1,"request_id":"...","cmd":"CALL","type":"dial"`. */
const HEAD_CHARS = 160;
const TYPE_OF_STEP = new RegExp(`"type"\\s*:\\s*"(?:${STEPS.join('|')})"`);

/**
 * Returns whether a user waits for a frame. It looks for the type in the first characters, without reading the frame. A
 * frame that has its type elsewhere keeps its place behind others.
 */
export const isUrgent = (text: string): boolean => TYPE_OF_STEP.test(text.slice(0, HEAD_CHARS));
