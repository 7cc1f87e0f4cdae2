import { digestOf } from './digest.ts';

/** The answer to a request. */
export interface KeptAnswer {
  /** The answer as JSON. */
  readonly text: string;
  /** The digest of the body of the request. Null when it is not known any more: then any body matches. */
  readonly digest: number | null;
}

/** The answer to a request, or the digest of its body alone: the request itself then gives its answer. */
export type Kept = KeptAnswer | number;

/** The characters for which an answer counts. Its place has 24 bytes, and five of eight places may be free. */
export const ENTRY_CHARS = 64;
/** The characters for which an answer with a text counts besides. */
export const TEXT_CHARS = 40;
/** The characters for which each character of a text counts. A text with Chinese has two bytes for each. */
export const CHARS_OF_CHARACTER = 2;

/** The numbers of an answer: two for the id of its request, the digest of the body, and whether that is known. */
const FIELDS = 4;
const DIGEST = 2;
const IS_KNOWN = 3;
/** The fewest places for answers. They double when they are taken. A call gives a device eight or nine answers. */
const FEWEST_PLACES = 10;
/** The places are halved when only this share of them is taken. */
const SPARSE = 3 / 8;

/** A request id as two different digests. The first one is not 0. */
type RequestId = readonly [one: number, other: number];

/** The id of a free place. */
const NO_REQUEST: RequestId = [0, 0];

/**
 * The answers to the last requests of one device, in the order in which they came. A request id is kept as a digest of
 * 64 bits. An attacker can find two ids with one digest, for requests of their own device. The numbers of an answer are
 * outside of the heap of V8, where a collection need not look at them. In the heap an answer has its text alone.
 */
export class KeptAnswers {
  #numbers = new Int32Array(FEWEST_PLACES * FIELDS);
  /** The texts of the answers at their places. Undefined for a digest alone. */
  #texts: (string | undefined)[] = Array.from({ length: FEWEST_PLACES });
  /** The place of the oldest answer. */
  #first = 0;
  #size = 0;
  #chars = 0;

  /** The number of answers. */
  get size(): number {
    return this.#size;
  }

  /** The characters for which the answers count. */
  get chars(): number {
    return this.#chars;
  }

  /** Returns the answer to a request. Undefined for a request that is not known. */
  get(requestId: string): Kept | undefined {
    const place = this.#find(idOf(requestId));
    return place < 0 ? undefined : this.#at(place);
  }

  /** Keeps an answer as the newest one. It takes the place and the age of an earlier answer to the same request. */
  set(requestId: string, kept: Kept): void {
    const id = idOf(requestId);
    let place = this.#find(id);
    if (place < 0) {
      if (this.#size === this.#texts.length) this.#resize(2 * this.#texts.length);
      place = this.#placeOf(this.#size);
      this.#size += 1;
    } else {
      this.#chars -= charsOf(this.#at(place));
    }
    const { text, digest } = typeof kept === 'number' ? { text: undefined, digest: kept } : kept;
    this.#write(place, id, digest);
    this.#texts[place] = text;
    this.#chars += charsOf(kept);
  }

  /** Drops the oldest answer, if there is one. */
  dropOldest(): void {
    if (this.#size === 0) return;
    this.#chars -= charsOf(this.#at(this.#first));
    this.#write(this.#first, NO_REQUEST, 0);
    this.#texts[this.#first] = undefined;
    this.#first = this.#placeOf(1);
    this.#size -= 1;
    const places = this.#texts.length;
    if (places > FEWEST_PLACES && this.#size <= places * SPARSE) this.#resize(places / 2);
  }

  #at(place: number): Kept {
    const text = this.#texts[place];
    const digest = this.#numbers[place * FIELDS + DIGEST] ?? 0;
    if (text === undefined) return digest;
    return { text, digest: this.#numbers[place * FIELDS + IS_KNOWN] === 1 ? digest : null };
  }

  #write(place: number, [one, other]: RequestId, digest: number | null): void {
    this.#numbers[place * FIELDS] = one;
    this.#numbers[place * FIELDS + 1] = other;
    this.#numbers[place * FIELDS + DIGEST] = digest ?? 0;
    this.#numbers[place * FIELDS + IS_KNOWN] = digest === null ? 0 : 1;
  }

  /** Returns the place of the answer that is so far from the oldest one. */
  #placeOf(distance: number): number {
    return (this.#first + distance) % this.#texts.length;
  }

  /** Returns the place of the answer to a request. -1 without one. */
  #find([one, other]: RequestId): number {
    const numbers = this.#numbers;
    for (let at = 0; at < numbers.length; at += FIELDS)
      if (numbers[at] === one && numbers[at + 1] === other) return at / FIELDS;
    return -1;
  }

  /** Changes the number of places. The oldest answer comes to the first one. */
  #resize(places: number): void {
    const taken = Array.from({ length: this.#size }, (_, distance) => this.#placeOf(distance));
    const numbers = new Int32Array(places * FIELDS);
    for (const [at, place] of taken.entries())
      numbers.set(this.#numbers.subarray(place * FIELDS, (place + 1) * FIELDS), at * FIELDS);
    this.#texts = Array.from({ length: places }, (_, at) => this.#texts[taken[at] ?? -1]);
    this.#numbers = numbers;
    this.#first = 0;
  }
}

/** Returns the id of a request. */
const idOf = (requestId: string): RequestId => [digestOf(requestId) || 1, otherDigestOf(requestId)];

/** Returns a digest of 32 bits that differs from the other one in its steps: FNV-1a, one character a step. */
function otherDigestOf(text: string): number {
  let hash = 0x811c9dc5;
  const { length } = text;
  // V8 inlines it here, see `Digest`.
  const { charCodeAt } = String.prototype;
  for (let at = 0; at < length; at += 1) hash = Math.imul(hash ^ charCodeAt.call(text, at), 0x01000193);
  return hash | 0;
}

const charsOf = (kept: Kept): number =>
  ENTRY_CHARS + (typeof kept === 'number' ? 0 : TEXT_CHARS + CHARS_OF_CHARACTER * kept.text.length);
