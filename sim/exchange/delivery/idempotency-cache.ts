import type { Clock } from '../../../src/common/clock.ts';
import { AgingMap } from '../limits/aging-map.ts';
import { type InUseOrder, UseOrder } from './use-order.ts';

interface KeptAnswer<Answer> {
  /** The digest of the body. Null when it is not known any more: then any body matches. */
  readonly digest: number | null;
  readonly answer: Answer;
  /** The characters of the answer. */
  readonly chars: number;
}

/** A kept answer, or the digest of the body alone: the request itself then gives its answer. */
type Kept<Answer> = KeptAnswer<Answer> | number;

/** An answer that is still made. */
interface Running<Answer> {
  readonly digest: number;
  readonly answer: Promise<Answer>;
}

const charsOf = (requestId: string, kept: Kept<unknown>): number =>
  requestId.length + (typeof kept === 'number' ? DIGEST_CHARS : kept.chars);

const sizeOf = (answer: unknown): number => JSON.stringify(answer).length;

const keyOf = (device: string, requestId: string): string => `${device}\n${requestId}`;

/** The answers of one device, oldest first. */
interface Shelf<Answer> extends InUseOrder<Shelf<Answer>> {
  readonly device: string;
  readonly byRequest: AgingMap<string, Kept<Answer>>;
  chars: number;
  /** When the device last sent or repeated a request, by the clock. Milliseconds. */
  usedAt: number;
  /** The last look at the ages: its time, and at most how many answers were kept then and still are. They are the oldest. */
  lookedAt: number;
  seen: number;
}

/** The bounds of the kept answers. Above a bound, the oldest is dropped first. */
export interface AnswerBounds {
  /** Answers of one device. */
  readonly answersPerDevice: number;
  /** Characters of one device. */
  readonly answerCharsPerDevice: number;
  /** Characters of all devices together. */
  readonly answerChars: number;
  /**
   * The time for which an answer is kept at least, if there is room. Milliseconds. While its device sends requests, it
   * is dropped before it is four times as old. After a pause of this time, all answers of a device are dropped at its
   * next request, or at that of another device.
   */
  readonly answerMs: number;
}

/**
 * A new answer, and what is kept of it: all, nothing, or that the request had it. The last is for an answer that can be
 * made from its request. Most answers of a call are such, and a number takes a tenth of the memory.
 */
export interface Made<Answer> {
  readonly answer: Answer;
  readonly keeps: 'answer' | 'request' | 'nothing';
}

/** The characters for which the digest of a request counts. */
const DIGEST_CHARS = 8;
/** The most devices whose answers are kept. A client makes a new id each time a page loads. */
const DEVICES = 2_000;

/**
 * Answers by request id. A repeated request (over another channel, after a lost reply) takes effect once and gets the
 * same answer (B66, I12). Only a digest of each request body is kept.
 */
export class IdempotencyCache<Answer> {
  readonly #bounds: AnswerBounds;
  readonly #byDevice = new Map<string, Shelf<Answer>>();
  readonly #order = new UseOrder<Shelf<Answer>>();
  /** The answers that are still made, by device and request. */
  readonly #running = new Map<string, Running<Answer>>();
  #chars = 0;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(bounds: AnswerBounds, clock: Pick<Clock, 'now'>) {
    this.#bounds = bounds;
    this.#clock = clock;
  }

  /**
   * Returns the kept answer to this request, or a new one. `conflict`: the id belonged to another body before.
   *
   * @param digest - the digest of the body of the request.
   * @param make - makes a new answer, and decides what is kept. The answer to a request without an effect need not be.
   *   When it is made later, a repeated request waits for the same answer.
   * @param again - makes the answer from the request, when only the request was kept.
   */
  once(
    device: string,
    requestId: string,
    digest: number,
    make: () => Made<Answer> | Promise<Made<Answer>>,
    again: () => Answer,
  ): Answer | Promise<Answer> | 'conflict' {
    const shelf = this.#byDevice.get(device);
    const known = shelf?.byRequest.get(requestId);
    if (shelf && known !== undefined) {
      this.#use(shelf);
      if (typeof known === 'number') return known === digest ? again() : 'conflict';
      return known.digest === null || known.digest === digest ? known.answer : 'conflict';
    }
    const running = this.#runningOf(device, requestId);
    if (running) return running.digest === digest ? running.answer : 'conflict';
    const made = make();
    const settle = ({ answer, keeps }: Made<Answer>): Answer => {
      if (keeps === 'answer') this.#keep(device, requestId, { digest, answer, chars: sizeOf(answer) });
      if (keeps === 'request') this.#keep(device, requestId, digest);
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
    this.#keep(device, requestId, { digest: null, answer, chars: sizeOf(answer) });
  }

  #runningOf(device: string, requestId: string): Running<Answer> | undefined {
    // Most answers are made at once, and a key is not free.
    return this.#running.size === 0 ? undefined : this.#running.get(keyOf(device, requestId));
  }

  #keep(device: string, requestId: string, kept: Kept<Answer>): void {
    const shelf = this.#shelfOf(device);
    if (shelf.byRequest.has(requestId)) this.#drop(shelf, requestId);
    shelf.byRequest.set(requestId, kept);
    const chars = charsOf(requestId, kept);
    shelf.chars += chars;
    this.#chars += chars;
    this.#dropOld(shelf);
    this.#evict(shelf);
  }

  #use(shelf: Shelf<Answer>): void {
    shelf.usedAt = this.#clock.now();
    this.#order.use(shelf);
  }

  /** Returns the answers of a device, and makes them the most recently used. */
  #shelfOf(device: string): Shelf<Answer> {
    const known = this.#byDevice.get(device);
    const now = this.#clock.now();
    if (known && now - known.usedAt < this.#bounds.answerMs) {
      this.#use(known);
      return known;
    }
    // The answers from before a long pause are all old.
    if (known) this.#forget(known);
    const shelf: Shelf<Answer> = {
      ...{ device, byRequest: new AgingMap<string, Kept<Answer>>(), chars: 0 },
      ...{ older: undefined, newer: undefined, usedAt: now, lookedAt: now, seen: 0 },
    };
    this.#byDevice.set(device, shelf);
    this.#order.add(shelf);
    return shelf;
  }

  /** Drops the answers of a device that the last look saw, and those of devices that sent nothing since. */
  #dropOld(shelf: Shelf<Answer>): void {
    const { answerMs } = this.#bounds;
    const now = this.#clock.now();
    if (now - shelf.lookedAt >= answerMs) {
      while (shelf.seen > 0 && this.#dropOldest(shelf));
      shelf.lookedAt = now;
      shelf.seen = shelf.byRequest.size;
    }
    for (let { oldest } = this.#order; oldest && oldest !== shelf && now - oldest.usedAt >= answerMs;) {
      this.#forget(oldest);
      ({ oldest } = this.#order);
    }
  }

  #evict(shelf: Shelf<Answer>): void {
    const { answersPerDevice, answerCharsPerDevice, answerChars } = this.#bounds;
    while (shelf.byRequest.size > answersPerDevice || shelf.chars > answerCharsPerDevice)
      if (!this.#dropOldest(shelf)) break;
    while (this.#byDevice.size > DEVICES || this.#chars > answerChars) {
      const { oldest } = this.#order;
      if (oldest === undefined) break;
      this.#forget(oldest);
    }
  }

  #forget(shelf: Shelf<Answer>): void {
    this.#order.remove(shelf);
    this.#byDevice.delete(shelf.device);
    this.#chars -= shelf.chars;
  }

  /** Drops the oldest answer of a device. Returns false when it has none. */
  #dropOldest(shelf: Shelf<Answer>): boolean {
    const oldest = shelf.byRequest.oldest();
    if (oldest === undefined) return false;
    this.#drop(shelf, oldest);
    return true;
  }

  #drop(shelf: Shelf<Answer>, requestId: string): void {
    const gone = shelf.byRequest.get(requestId);
    if (gone === undefined) return;
    shelf.byRequest.delete(requestId);
    if (shelf.seen > 0) shelf.seen -= 1;
    const chars = charsOf(requestId, gone);
    shelf.chars -= chars;
    this.#chars -= chars;
  }
}
