interface Kept<Answer> {
  /** The digest of the body. Null when it is not known any more: then any body matches. */
  readonly digest: number | null;
  readonly answer: Answer;
  /** The characters of the answer. */
  readonly chars: number;
}

/** An answer that is still made. */
interface Running<Answer> {
  readonly digest: number;
  readonly answer: Promise<Answer>;
}

const keyOf = (device: string, requestId: string): string => `${device}\n${requestId}`;

/** The answers of one device, oldest first. */
interface Shelf<Answer> {
  readonly byRequest: Map<string, Kept<Answer>>;
  chars: number;
}

/** The bounds of the kept answers. Above a bound, the oldest is dropped first. */
export interface AnswerBounds {
  /** Answers of one device. */
  readonly answersPerDevice: number;
  /** Characters of one device. */
  readonly answerCharsPerDevice: number;
  /** Characters of all devices together. */
  readonly answerChars: number;
}

/** A new answer, and whether it is kept. */
interface Made<Answer> {
  readonly answer: Answer;
  readonly isKept: boolean;
}

/** The most devices whose answers are kept. A client makes a new id each time a page loads. */
const DEVICES = 2_000;

/**
 * Answers by request id. A repeated request (over another channel, after a lost reply) takes effect once and gets the
 * same answer (B66, I12). Only a digest of each request body is kept.
 */
export class IdempotencyCache<Answer> {
  readonly #bounds: AnswerBounds;
  /** The characters of answers. The answers to most commands of a call are one object. */
  readonly #sizes = new WeakMap<object, number>();
  readonly #byDevice = new Map<string, Shelf<Answer>>();
  /** The answers that are still made, by device and request. */
  readonly #running = new Map<string, Running<Answer>>();
  #chars = 0;

  constructor(bounds: AnswerBounds) {
    this.#bounds = bounds;
  }

  /**
   * Returns the kept answer to this request, or a new one. `conflict`: the id belonged to another body before.
   *
   * @param digest - the digest of the body of the request.
   * @param make - makes a new answer, and decides whether it is kept. The answer to a request without an effect need
   *   not be. When it is made later, a repeated request waits for the same answer.
   */
  once(
    device: string,
    requestId: string,
    digest: number,
    make: () => Made<Answer> | Promise<Made<Answer>>,
  ): Answer | Promise<Answer> | 'conflict' {
    const known = this.#byDevice.get(device)?.byRequest.get(requestId);
    if (known) {
      this.#used(device);
      return known.digest === null || known.digest === digest ? known.answer : 'conflict';
    }
    const running = this.#runningOf(device, requestId);
    if (running) return running.digest === digest ? running.answer : 'conflict';
    const made = make();
    const settle = ({ answer, isKept }: Made<Answer>): Answer => {
      if (isKept) this.#keep(device, requestId, digest, answer);
      return answer;
    };
    if (!(made instanceof Promise)) return settle(made);
    const key = keyOf(device, requestId);
    const answer = made.then(settle).finally(() => this.#running.delete(key));
    this.#running.set(key, { digest, answer });
    return answer;
  }

  /** Returns whether the answer to this request is kept. */
  has(device: string, requestId: string): boolean {
    return this.#byDevice.get(device)?.byRequest.has(requestId) === true;
  }

  /** Returns whether the answer to this request is kept or still made. */
  knows(device: string, requestId: string): boolean {
    return this.has(device, requestId) || this.#runningOf(device, requestId) !== undefined;
  }

  /** Restores the answer that the former exchange gave to a request. */
  restore(device: string, requestId: string, answer: Answer): void {
    this.#keep(device, requestId, null, answer);
  }

  #runningOf(device: string, requestId: string): Running<Answer> | undefined {
    // Most answers are made at once, and a key is not free.
    return this.#running.size === 0 ? undefined : this.#running.get(keyOf(device, requestId));
  }

  /** Returns the answers of a device, and makes them the most recently used. */
  #used(device: string): Shelf<Answer> | undefined {
    const shelf = this.#byDevice.get(device);
    if (!shelf) return undefined;
    this.#byDevice.delete(device);
    this.#byDevice.set(device, shelf);
    return shelf;
  }

  #keep(device: string, requestId: string, digest: number | null, answer: Answer): void {
    const shelf = this.#used(device) ?? { byRequest: new Map<string, Kept<Answer>>(), chars: 0 };
    this.#byDevice.set(device, shelf);
    this.#drop(shelf, requestId);
    const chars = requestId.length + this.#sizeOf(answer);
    shelf.byRequest.set(requestId, { digest, answer, chars });
    shelf.chars += chars;
    this.#chars += chars;
    this.#evict(shelf);
  }

  #sizeOf(answer: Answer): number {
    if (typeof answer !== 'object' || answer === null) return JSON.stringify(answer).length;
    const known = this.#sizes.get(answer);
    if (known !== undefined) return known;
    const size = JSON.stringify(answer).length;
    this.#sizes.set(answer, size);
    return size;
  }

  #evict(shelf: Shelf<Answer>): void {
    const { answersPerDevice, answerCharsPerDevice, answerChars } = this.#bounds;
    while (shelf.byRequest.size > answersPerDevice || shelf.chars > answerCharsPerDevice) {
      const [oldest] = shelf.byRequest.keys();
      if (oldest === undefined) break;
      this.#drop(shelf, oldest);
    }
    while (this.#byDevice.size > DEVICES || this.#chars > answerChars) {
      const [oldest] = this.#byDevice;
      if (oldest === undefined) break;
      this.#byDevice.delete(oldest[0]);
      this.#chars -= oldest[1].chars;
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
