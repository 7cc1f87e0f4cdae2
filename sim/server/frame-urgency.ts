import type { CommandType } from '../../src/protocol/messages/commands.ts';
import type { Urgency } from './turn.ts';

/** The steps of a call whose results users wait for. */
const AWAITED = ['dial', 'accept', 'cancel', 'decline'] as const satisfies readonly CommandType[];
/** The step that may come after those that connect users. Devices send the other commands by themselves. */
const LAST = 'end' satisfies CommandType;

/** The start of a frame, which has its type: `{"version":1,"request_id":"...","cmd":"CALL","type":"dial"`. */
const HEAD_CHARS = 160;
const TYPE_OF_STEP = new RegExp(`"type"\\s*:\\s*"(${[...AWAITED, LAST].join('|')})"`);

/**
 * Returns how urgent a frame is. It looks for the type in the first characters, without reading the frame. A frame that
 * has its type elsewhere keeps its place behind others.
 */
export function urgencyOf(text: string): Urgency {
  const step = TYPE_OF_STEP.exec(text.slice(0, HEAD_CHARS))?.[1];
  if (step === undefined) return 'later';
  return step === LAST ? 'soon' : 'now';
}
