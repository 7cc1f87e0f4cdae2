/**
 * A digest of a text or of a JSON value, as a number of 32 bits, for which V8 needs no object. One of four billion pairs
 * of different values has one digest, and an attacker can find such a pair. It compares requests of one device, and
 * descriptions of one leg. So an attacker spoils only requests and calls of their own device.
 *
 * The hash has a rotation and a product a step, and the finish of MurmurHash3. It reads the value itself, since a text
 * of the value takes longer to make and to read.
 */
export class Digest {
  #hash = 0x811c9dc5;
  #chars = 0;

  /** Adds a value that JSON can express. Members that are undefined do not count, as in JSON. */
  add(value: unknown): this {
    if (typeof value === 'string') this.#addText(STRING, value);
    else if (typeof value === 'object' && value !== null) this.#addMembers(value);
    else if (typeof value === 'number' || typeof value === 'boolean' || value === null)
      this.#addText(OTHER, String(value));
    return this;
  }

  /** The digest of all that was added, a whole number of 32 bits. */
  get value(): number {
    return finished(this.#hash);
  }

  /** The characters of the added values as JSON, or a few more. */
  get chars(): number {
    return this.#chars;
  }

  #addMembers(of: object): void {
    // The end of the members is marked, so that a member differs from one of the object around it.
    this.#chars += BRACKETS;
    if (Array.isArray(of)) {
      this.#step(ARRAY);
      for (const one of of) {
        this.#chars += SEPARATOR;
        this.add(one);
      }
    } else {
      this.#step(OBJECT);
      for (const name of Object.keys(of)) {
        const value: unknown = Reflect.get(of, name);
        if (value === undefined) continue;
        this.#chars += 2 * SEPARATOR;
        this.#addText(NAME, name);
        this.add(value);
      }
    }
    this.#step(END);
  }

  #addText(kind: number, text: string): void {
    const { length } = text;
    this.#chars += length + (kind === OTHER ? 0 : QUOTES);
    this.#step(kind);
    this.#step(length);
    if (!this.#addAscii(text, length)) this.#addAny(text, length);
  }

  /**
   * Adds a text of ASCII characters, four a step. The texts of most commands are such. Returns false, and adds nothing,
   * for another text.
   */
  #addAscii(text: string, length: number): boolean {
    // V8 looks `text.charCodeAt` up for each character once it has seen five kinds of texts here, such as sliced ones.
    // It inlines this local function. It did not inline an exported constant, or the variable that a bundle makes of one.
    const { charCodeAt } = String.prototype;
    let hash = this.#hash;
    let seen = 0;
    let escaped = 0;
    const end = length & ~3;
    for (let at = 0; at < end; at += 4) {
      const a = charCodeAt.call(text, at);
      const b = charCodeAt.call(text, at + 1);
      const c = charCodeAt.call(text, at + 2);
      const d = charCodeAt.call(text, at + 3);
      seen |= a | b | c | d;
      const four = a | (b << 8) | (c << 16) | (d << 24);
      escaped |= below(four, 0x20202020) | below(four ^ QUOTE, ONES) | below(four ^ BACKSLASH, ONES);
      hash = stepped(hash, four);
    }
    for (let at = end; at < length; at += 1) seen |= charCodeAt.call(text, at);
    if (seen > 0x7f) return false;
    this.#hash = hash;
    this.#addEach(text, end, length);
    if ((escaped & HIGH_BITS) !== 0) this.#countEscapes(text, end);
    return true;
  }

  /** Adds any text, two characters a step. The rotation brings the bits of the second one down. */
  #addAny(text: string, length: number): void {
    const { charCodeAt } = String.prototype;
    let hash = this.#hash;
    const end = length & ~1;
    for (let at = 0; at < end; at += 2) {
      hash = stepped(hash, charCodeAt.call(text, at) | (charCodeAt.call(text, at + 1) << 16));
    }
    this.#hash = hash;
    this.#addEach(text, end, length);
    this.#countEscapes(text, end);
  }

  /** Adds the last characters of a text, one a step. */
  #addEach(text: string, from: number, length: number): void {
    const { charCodeAt } = String.prototype;
    for (let at = from; at < length; at += 1) {
      const code = charCodeAt.call(text, at);
      if (isEscaped(code)) this.#chars += ESCAPE;
      this.#step(code);
    }
  }

  /** Counts the characters before a place that JSON may escape. */
  #countEscapes(text: string, end: number): void {
    const { charCodeAt } = String.prototype;
    for (let at = 0; at < end; at += 1) if (isEscaped(charCodeAt.call(text, at))) this.#chars += ESCAPE;
  }

  #step(bits: number): void {
    this.#hash = stepped(this.#hash, bits);
  }
}

const [STRING, OTHER, ARRAY, OBJECT, NAME, END] = [1, 2, 3, 4, 5, 6];
/** The characters that JSON needs beside names and values. */
const [BRACKETS, QUOTES, SEPARATOR] = [2, 2, 1];
/** The most characters that JSON adds to one that it escapes: `\\u0001`. */
const ESCAPE = 5;

/** Returns whether JSON may escape a character: a control character, a quote, a backslash, half of a pair (RFC 8259 §7). */
const isEscaped = (code: number): boolean =>
  code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code < 0xe000);

/** Four bytes at once, for {@link below}. */
const [ONES, HIGH_BITS, QUOTE, BACKSLASH] = [0x01010101, 0x80808080, 0x22222222, 0x5c5c5c5c];

/**
 * Returns a word whose high bits are not all 0 when a byte of `four` is below that of `least`, for bytes below 128. It may
 * also be so for other words, since a subtraction borrows from the next byte.
 */
const below = (four: number, least: number): number => (four - least) & ~four;

/** The prime of FNV-1a. */
const PRIME = 0x01000193;

function stepped(hash: number, bits: number): number {
  const mixed = hash ^ bits;
  return Math.imul((mixed << 13) | (mixed >>> 19), PRIME);
}

function finished(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
  return mixed ^ (mixed >>> 13);
}

/** Returns the {@link Digest} of a text. */
export const digestOf = (text: string): number => new Digest().add(text).value;
