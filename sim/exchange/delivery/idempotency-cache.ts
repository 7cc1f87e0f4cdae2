import { digestOf } from '../digest.ts';

interface Kept<Answer> {
  /** The digest of the body; null where it is not known any more: then any body is the same. */
  readonly digest: string | null;
  readonly answer: Answer;
  /** Characters that it takes. */
  readonly chars: number;
}

/** The answers of one device, the oldest first. */
interface Shelf<Answer> {
  readonly byRequest: Map<string, Kept<Answer>>;
  chars: number;
}

/** How much is kept at most. Where a bound is passed, the oldest goes first. */
export interface AnswerBounds {
  /** Answers of one device. */
  readonly answersPerDevice: number;
  /** Characters of one device. */
  readonly answerCharsPerDevice: number;
  /** Characters of all devices together. */
  readonly answerChars: number;
}

/** Devices whose answers are kept; a client makes itself a new id each time a page loads. */
const DEVICES = 2_000;

/**
 * The answers to requests, kept so that a request sent again (by another way, after a lost reply) has its effect once and
 * gets the same answer (B66, I12). Of the body of a request only a digest is kept.
 */
export class IdempotencyCache<Answer> {
  readonly #bounds: AnswerBounds;
  readonly #byDevice = new Map<string, Shelf<Answer>>();
  #chars = 0;

  constructor(bounds: AnswerBounds) {
    this.#bounds = bounds;
  }

  /**
   * Gives the answer to this request: the kept one, or a new one; `conflict` when the id stood for another body before.
   *
   * @param make - makes a new answer, and says whether it is kept: one of a request without an effect need not be.
   */
  once(
    device: string,
    requestId: string,
    body: string,
    make: () => { readonly answer: Answer; readonly isKept: boolean },
  ): Answer | 'conflict' {
    const shelf = this.#used(device);
    const known = shelf?.byRequest.get(requestId);
    if (known) return known.digest === null || known.digest === digestOf(body) ? known.answer : 'conflict';
    const { answer, isKept } = make();
    if (isKept) this.#keep(device, requestId, digestOf(body), answer);
    return answer;
  }

  /** Returns whether the answer to this request is kept. */
  has(device: string, requestId: string): boolean {
    return this.#byDevice.get(device)?.byRequest.has(requestId) === true;
  }

  /** Puts back the answer that a request got from the exchange before this one. */
  restore(device: string, requestId: string, answer: Answer): void {
    this.#keep(device, requestId, null, answer);
  }

  /** The answers of a device, which become those that were used last. */
  #used(device: string): Shelf<Answer> | undefined {
    const shelf = this.#byDevice.get(device);
    if (!shelf) return undefined;
    this.#byDevice.delete(device);
    this.#byDevice.set(device, shelf);
    return shelf;
  }

  #keep(device: string, requestId: string, digest: string | null, answer: Answer): void {
    const shelf = this.#used(device) ?? { byRequest: new Map<string, Kept<Answer>>(), chars: 0 };
    this.#byDevice.set(device, shelf);
    this.#drop(shelf, requestId);
    const chars = requestId.length + (digest?.length ?? 0) + JSON.stringify(answer).length;
    shelf.byRequest.set(requestId, { digest, answer, chars });
    shelf.chars += chars;
    this.#chars += chars;
    this.#evict(shelf);
  }

  #evict(shelf: Shelf<Answer>): void {
    const { answersPerDevice, answerCharsPerDevice, answerChars } = this.#bounds;
    for (const oldest of shelf.byRequest.keys()) {
      if (shelf.byRequest.size <= answersPerDevice && shelf.chars <= answerCharsPerDevice) break;
      this.#drop(shelf, oldest);
    }
    for (const [device, { chars }] of this.#byDevice) {
      if (this.#byDevice.size <= DEVICES && this.#chars <= answerChars) break;
      this.#byDevice.delete(device);
      this.#chars -= chars;
    }
  }

  #drop(shelf: Shelf<Answer>, requestId: string): void {
    const gone = shelf.byRequest.get(requestId);
    if (!gone) return;
    shelf.byRequest.delete(requestId);
    shelf.chars -= gone.chars;
    this.#chars -= gone.chars;
  }
}
