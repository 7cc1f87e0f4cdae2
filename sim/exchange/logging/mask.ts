/** The mask of the server's log. Its lines have a limit, and no control characters. */
import * as common from '../../../src/common/mask.ts';

/** The most characters of a line. A text from outside may be longer. */
const CHARS = 500;

/** Escapes control characters. A line break in a message would forge a line of the log (S33). */
const escaped = (text: string) =>
  text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Returns the text without secrets and addresses, with escaped control characters, cut after `chars` characters. */
export function maskText(text: string, chars = CHARS): string {
  return escaped(common.maskText(text.length > chars ? `${text.slice(0, chars)}…` : text, common.SERVER_ONLY));
}

const OPTIONS: common.MaskOptions = {
  text: (text) => maskText(text),
  error: ({ name, message }) => `${name}: ${maskText(message)}`,
};

/** Returns the value for the log. Secrets are masked by the names of their fields, addresses everywhere. */
export function maskValue(value: unknown): unknown {
  return common.maskValue(value, OPTIONS);
}
