import type { Clock } from '../../../src/common/clock.ts';
import { joined } from '../../../src/common/joined.ts';
import { wholeMs } from '../limits/whole-ms.ts';
import { type Kept, KeptAnswers } from './kept-answers.ts';
import { type InUseOrder, UseOrder } from './use-order.ts';

/** An answer that is still made. */
interface Running<Answer> {
  readonly digest: number;
  readonly answer: Promise<Answer>;
}

/** The most devices whose old answers one request drops. After a peak there may be a hundred thousand. */
const FORGOTTEN_AT_ONCE = 100;

/** Returns an answer as JSON. */
const textOf = (answer: unknown): string => joined(JSON.stringify(answer));

const keyOf = (device: string, requestId: string): string => `${device}\n${requestId}`;

/** The answers of one device. */
interface Shelf extends InUseOrder<Shelf> {
  readonly device: string;
  readonly answers: KeptAnswers;
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
  /** Characters of all devices together. Each device counts {@link DEVICE_CHARS} more. */
  readonly answerChars: number;
  /**
   * The time for which an answer is kept at least, if there is room. Milliseconds. While its device sends requests, it
   * is dropped before it is four times as old. After a pause of this time, all answers of a device are dropped at its
   * next request, or at one of other devices: each drops those of {@link FORGOTTEN_AT_ONCE} devices at most.
   */
  readonly answerMs: number;
}

/**
 * A new answer, and what is kept of it: all, nothing, or that the request had it. The last is for an answer that can be
 * made from its request. Most answers of a call are such, and a number takes less memory.
 */
export interface Made<Answer> {
  readonly answer: Answer;
  readonly keeps: 'answer' | 'request' | 'nothing';
}

/** The characters for which a device with kept answers counts besides them. They are about the bytes that it takes. */
export const DEVICE_CHARS = 1_300;

/**
 * Answers by request id. A repeated request (over another channel, after a lost reply) takes effect once and gets the
 * same answer (B66, I12). Only a digest of each request body is kept. An answer is a value of JSON, and is kept as its text.
 */
export class IdempotencyCache<Answer> {
  readonly #bounds: AnswerBounds;
  readonly #byDevice = new Map<string, Shelf>();
  readonly #order = new UseOrder<Shelf>();
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
    const known = shelf?.answers.get(requestId);
    if (shelf && known !== undefined) {
      this.#use(shelf);
      if (typeof known === 'number') return known === digest ? again() : 'conflict';
      return known.digest === null || known.digest === digest ? JSON.parse(known.text) : 'conflict';
    }
    const running = this.#runningOf(device, requestId);
    if (running) return running.digest === digest ? running.answer : 'conflict';
    const made = make();
    const settle = ({ answer, keeps }: Made<Answer>): Answer => {
      if (keeps === 'answer') this.#keep(device, requestId, { digest, text: textOf(answer) });
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
    return this.#byDevice.get(device)?.answers.get(requestId) !== undefined;
  }

  /** Returns whether the answer to this request is kept or still made. */
  knows(device: string, requestId: string): boolean {
    return this.has(device, requestId) || this.#runningOf(device, requestId) !== undefined;
  }

  /** Restores the answer that the former exchange gave to a request. */
  restore(device: string, requestId: string, answer: Answer): void {
    this.#keep(device, requestId, { digest: null, text: textOf(answer) });
  }

  #runningOf(device: string, requestId: string): Running<Answer> | undefined {
    // Most answers are made at once, and a key is not free.
    return this.#running.size === 0 ? undefined : this.#running.get(keyOf(device, requestId));
  }

  #keep(device: string, requestId: string, kept: Kept): void {
    const shelf = this.#shelfOf(device);
    const { answers } = shelf;
    const { chars } = answers;
    answers.set(requestId, kept);
    this.#chars += answers.chars - chars;
    this.#dropOld(shelf);
    this.#evict(shelf);
  }

  #use(shelf: Shelf): void {
    shelf.usedAt = wholeMs(this.#clock);
    this.#order.use(shelf);
  }

  /** Returns the answers of a device, and makes them the most recently used. */
  #shelfOf(device: string): Shelf {
    const known = this.#byDevice.get(device);
    const now = wholeMs(this.#clock);
    if (known && now - known.usedAt < this.#bounds.answerMs) {
      this.#use(known);
      return known;
    }
    // The answers from before a long pause are all old.
    if (known) this.#forget(known);
    // Without a spread: V8 gives every object that is made by one a hidden class of its own.
    const shelf: Shelf = {
      device,
      answers: new KeptAnswers(),
      older: undefined,
      newer: undefined,
      usedAt: now,
      lookedAt: now,
      seen: 0,
    };
    this.#byDevice.set(device, shelf);
    this.#chars += DEVICE_CHARS;
    this.#order.add(shelf);
    return shelf;
  }

  /** Drops the answers of a device that the last look saw, and those of devices that sent nothing since. */
  #dropOld(shelf: Shelf): void {
    const { answerMs } = this.#bounds;
    const now = wholeMs(this.#clock);
    if (now - shelf.lookedAt >= answerMs) {
      while (shelf.seen > 0) this.#dropOldest(shelf);
      shelf.lookedAt = now;
      shelf.seen = shelf.answers.size;
    }
    for (let forgotten = 0; forgotten < FORGOTTEN_AT_ONCE; forgotten += 1) {
      const { oldest } = this.#order;
      if (!oldest || oldest === shelf || now - oldest.usedAt < answerMs) return;
      this.#forget(oldest);
    }
  }

  #evict(shelf: Shelf): void {
    const { answersPerDevice, answerCharsPerDevice, answerChars } = this.#bounds;
    const { answers } = shelf;
    while (answers.size > 0 && (answers.size > answersPerDevice || answers.chars > answerCharsPerDevice))
      this.#dropOldest(shelf);
    for (let { oldest } = this.#order; oldest && this.#chars > answerChars; { oldest } = this.#order)
      this.#forget(oldest);
  }

  #forget(shelf: Shelf): void {
    this.#order.remove(shelf);
    this.#byDevice.delete(shelf.device);
    this.#chars -= shelf.answers.chars + DEVICE_CHARS;
  }

  #dropOldest(shelf: Shelf): void {
    const { chars } = shelf.answers;
    shelf.answers.dropOldest();
    if (shelf.seen > 0) shelf.seen -= 1;
    this.#chars -= chars - shelf.answers.chars;
  }
}
