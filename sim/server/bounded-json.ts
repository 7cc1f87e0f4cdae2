/** The reading of JSON with a limited number of parts: a text of many small values would block the event loop. */

/** The most values of one text. The largest statistics and logs of a client stay far below it. */
const MOST_VALUES = 50_000;
const DEEPEST = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Parses JSON in UTF-8. Counts its parts first, which takes a small share of the time of parsing.
 * @throws SyntaxError when it is not JSON, has more than 50 000 values, or arrays and objects more than 64 deep.
 */
export function parseBoundedJson(bytes: Buffer): unknown {
  let values = 0;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) {
      isText = true;
    } else if (byte === COMMA || byte === COLON) {
      values += 1;
    } else if (OPENING.has(byte)) {
      values += 1;
      depth += 1;
    } else if (CLOSING.has(byte)) {
      depth -= 1;
    }
    if (values > MOST_VALUES || depth > DEEPEST) throw new SyntaxError('The JSON has too many parts.');
  }
  return JSON.parse(bytes.toString('utf8'));
}
