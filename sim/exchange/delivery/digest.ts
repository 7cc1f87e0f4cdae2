/**
 * A digest of a text or of a JSON value, as a number. A number takes less memory than a text: 53 bits of a hash. Two
 * different values have different digests, except by accident. An attacker can find two values with one digest. It
 * compares requests of one device, and descriptions of one leg: such an attacker spoils only requests and calls of
 * their own device.
 *
 * The hash is two streams of 32 bits, each with a rotation and a product a step, and with a finish of MurmurHash3. It
 * reads the value itself, since a text of the value takes longer to make and to read.
 */
export class Digest {
  #one = 0x811c9dc5;
  #other = 0x9e3779b9;
  #chars = 0;

  /** Adds a value that JSON can express. Members that are undefined do not count, as in JSON. */
  add(value: unknown): this {
    if (typeof value === 'string') this.#addText(STRING, value);
    else if (typeof value === 'object' && value !== null) this.#addMembers(value);
    else if (typeof value === 'number' || typeof value === 'boolean' || value === null)
      this.#addText(OTHER, String(value));
    return this;
  }

  /** The digest of all that was added, a safe whole number. */
  get value(): number {
    return finished(this.#one) * 2 ** 21 + (finished(this.#other) >>> 11);
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
    this.#chars += text.length + (kind === OTHER ? 0 : QUOTES);
    this.#step(kind);
    this.#step(text.length);
    if (!this.#addAscii(text)) this.#addAny(text);
  }

  /**
   * Adds a text of ASCII characters, four a step. The texts of most commands are such. Returns false, and adds nothing,
   * for another text.
   */
  #addAscii(text: string): boolean {
    let one = this.#one;
    let other = this.#other;
    let seen = 0;
    let escaped = 0;
    const end = text.length & ~3;
    for (let at = 0; at < end; at += 4) {
      const a = text.charCodeAt(at);
      const b = text.charCodeAt(at + 1);
      const c = text.charCodeAt(at + 2);
      const d = text.charCodeAt(at + 3);
      seen |= a | b | c | d;
      const four = a | (b << 8) | (c << 16) | (d << 24);
      escaped |= below(four, 0x20202020) | below(four ^ QUOTE, ONES) | below(four ^ BACKSLASH, ONES);
      one = Math.imul(rotated(one ^ four), ONE);
      other = Math.imul(rotated(other ^ four), OTHER_PRODUCT);
    }
    for (let at = end; at < text.length; at += 1) seen |= text.charCodeAt(at);
    if (seen > 0x7f) return false;
    this.#one = one;
    this.#other = other;
    this.#addEach(text, end);
    if ((escaped & HIGH_BITS) !== 0) this.#countEscapes(text, end);
    return true;
  }

  /** Adds any text, two characters a step. The rotation brings the bits of the second one down. */
  #addAny(text: string): void {
    let [one, other] = [this.#one, this.#other];
    const end = text.length & ~1;
    for (let at = 0; at < end; at += 2) {
      const pair = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
      one = Math.imul(rotated(one ^ pair), ONE);
      other = Math.imul(rotated(other ^ pair), OTHER_PRODUCT);
    }
    [this.#one, this.#other] = [one, other];
    this.#addEach(text, end);
    this.#countEscapes(text, end);
  }

  /** Adds the last characters of a text, one a step. */
  #addEach(text: string, from: number): void {
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (isEscaped(code)) this.#chars += ESCAPE;
      this.#step(code);
    }
  }

  /** Counts the characters before a place that JSON may escape. */
  #countEscapes(text: string, end: number): void {
    for (let at = 0; at < end; at += 1) if (isEscaped(text.charCodeAt(at))) this.#chars += ESCAPE;
  }

  #step(bits: number): void {
    this.#one = Math.imul(rotated(this.#one ^ bits), ONE);
    this.#other = Math.imul(rotated(this.#other ^ bits), OTHER_PRODUCT);
  }
}

const [STRING, OTHER, ARRAY, OBJECT, NAME, END] = [1, 2, 3, 4, 5, 6];
/** The primes of FNV-1a and of MurmurHash3. */
const [ONE, OTHER_PRODUCT] = [0x01000193, 0x85ebca6b];

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

const rotated = (bits: number): number => (bits << 13) | (bits >>> 19);

function finished(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/** Returns the {@link Digest} of a text. */
export const digestOf = (text: string): number => new Digest().add(text).value;
