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
    let [one, other] = [this.#one, this.#other];
    const even = text.length & ~1;
    // Two characters a step. The rotation brings the bits of the second one down, where a product would not.
    for (let at = 0; at < even; at += 2) {
      const [first, second] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
      if (isEscaped(first)) this.#chars += ESCAPE;
      if (isEscaped(second)) this.#chars += ESCAPE;
      const pair = first | (second << 16);
      one = Math.imul(rotated(one ^ pair), ONE);
      other = Math.imul(rotated(other ^ pair), OTHER_PRODUCT);
    }
    [this.#one, this.#other] = [one, other];
    if (even === text.length) return;
    const last = text.charCodeAt(even);
    if (isEscaped(last)) this.#chars += ESCAPE;
    this.#step(last);
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

const rotated = (bits: number): number => (bits << 13) | (bits >>> 19);

function finished(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/** Returns the {@link Digest} of a text. */
export const digestOf = (text: string): number => new Digest().add(text).value;
