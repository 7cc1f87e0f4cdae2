/** The text of a log line. It is loaded with the first line that is printed or kept: {@link Log} waits for it. */
import { maskText, maskValue } from '../../common/mask.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { formatLogTime } from './log-time.ts';

/** Line breaks, control characters and reversed writing, with which one line could imitate another. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const NAMED: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

const escapeControls = (text: string) =>
  text.replace(CONTROLS, (char) => NAMED[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

const shortened = (text: string) =>
  text.length <= LIMITS.logMessageChars ? text : `${text.slice(0, LIMITS.logMessageChars - 1)}…`;

/** Returns the texts of a line: its time, its words, masked and escaped, and the words as short as the exchange wants. */
export function textOf(wallTime: number, message: string, fields: Readonly<Record<string, unknown>> | undefined) {
  const plain = maskText(message);
  const words = escapeControls(fields === undefined ? plain : `${plain} ${JSON.stringify(maskValue(fields))}`);
  return { time: formatLogTime(wallTime), words, short: shortened(words) };
}
