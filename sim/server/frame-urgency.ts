import type { CommandType } from '../../src/protocol/messages/commands.ts';
import type { Urgency } from './turn.ts';

/** The steps of a call whose results users wait for. */
const NOW = ['dial', 'accept', 'cancel', 'decline'] as const satisfies readonly CommandType[];
/** A step for which no user waits. It comes before the commands that devices send by themselves. */
const SOON = 'end' satisfies CommandType;

/** The start of a frame, which has its type: `{"version":1,"request_id":"...","cmd":"CALL","type":"dial"`. */
const HEAD_CHARS = 160;
const TYPE_OF_STEP = new RegExp(`"type"\\s*:\\s*"(${[...NOW, SOON].join('|')})"`);

/**
 * Returns how urgent a frame is. It looks for the type in the first characters, without reading the frame. A frame that
 * has its type elsewhere keeps its place behind others.
 */
export function urgencyOf(text: string): Urgency {
  const step = TYPE_OF_STEP.exec(text.slice(0, HEAD_CHARS))?.[1];
  if (step === undefined) return 'later';
  return step === SOON ? 'soon' : 'now';
}
