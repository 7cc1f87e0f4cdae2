import type { EventFrame } from '../../../src/protocol/envelope.ts';

/** The bounds of the kept signals of one leg. */
export interface SignalBounds {
  /** Signals kept. */
  readonly signalsPerLeg: number;
  /** Characters of the kept signals, as JSON. */
  readonly signalCharsPerLeg: number;
}

/** The signals that set up a call. A side whose media is connected needs none of them again. */
const OF_SET_UP: ReadonlySet<string> = new Set(['dial', 'accept', 'offer', 'answer', 'candidate', 'remove_candidates']);

/** The number of signals from which on the array of a leg has room to grow. */
const GROWN = 16;

/** The former node may have sent signals that it could not store. It sent fewer than this. */
const NUMBERS_APART = 1_000;

/** Shared by all logs, since most have no text that waits for the store. */
const NO_TEXTS: string[] = [];

/**
 * The signals of one leg, numbered from 1. Only a call that moves to another node has a gap. Only the newest signals are
 * kept, and always the very newest.
 */
export class SignalLog {
  readonly #bounds: SignalBounds;
  #frames: EventFrame[] = [];
  /** The characters of each frame. */
  #sizes: number[] = [];
  #chars = 0;
  #first = 1;
  #last = 0;
  #keepsTexts = false;
  /** The texts of the newest signals, which the store may not have yet. */
  #texts = NO_TEXTS;

  constructor(bounds: SignalBounds) {
    this.#bounds = bounds;
  }

  /** The number of the newest signal. 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** The number of the oldest signal that the bounds keep. Every older one was dropped. */
  get first(): number {
    return this.#first;
  }

  /** The characters of the kept signals. */
  get chars(): number {
    return this.#chars;
  }

  /** Numbers a signal and keeps it. Returns it with its text. */
  append(number: (sequence: number) => EventFrame): { readonly frame: EventFrame; readonly text: string } {
    this.#last += 1;
    const frame = number(this.#last);
    const text = JSON.stringify(frame);
    this.#add(frame, text.length);
    if (this.#keepsTexts && this.#texts === NO_TEXTS) this.#texts = [text];
    else if (this.#keepsTexts) this.#texts.push(text);
    this.#keep(this.#bounds.signalsPerLeg, this.#bounds.signalCharsPerLeg);
    return { frame, text };
  }

  /** Keeps the texts of later signals for the store, so that none is made twice. */
  keepTexts(): void {
    this.#keepsTexts = true;
  }

  /** Returns the text of a signal. Undefined when it is not kept. */
  textOf(sequence: number): string | undefined {
    return this.#texts[sequence - 1 - (this.#last - this.#texts.length)];
  }

  /** Forgets the texts of all signals: the store has them. */
  forgetTexts(): void {
    this.#texts = NO_TEXTS;
  }

  /** Restores the signals of the former exchange. The next signal is numbered after `last`. */
  restore(frames: readonly EventFrame[], last: number): void {
    this.#keep(0, 0);
    for (const frame of frames) this.#add(frame, JSON.stringify(frame).length);
    this.#first = frames[0]?.sequence_number ?? last + 1;
    this.#last = last;
    // A relayed signal is stored without the number of the first one that the bounds kept.
    this.#keep(this.#bounds.signalsPerLeg, this.#bounds.signalCharsPerLeg);
  }

  /**
   * Leaves a gap before the next signal, so that its number is none that another node has used. A client fetches
   * what it may have missed in the gap.
   *
   * @param after - the number of a signal that the other node has used.
   */
  skip(after = 0): void {
    this.#last = Math.max(this.#last, after) + NUMBERS_APART;
  }

  /**
   * Drops the signals that set up the call: most of the memory of a leg. The very newest signal stays. A client that
   * fetches missed signals skips their numbers.
   */
  forgetSetUp(): void {
    const kept = this.#frames.map(({ type }, at) => at === this.#frames.length - 1 || !OF_SET_UP.has(type));
    // A copy has no room to grow: most calls get no more signals before their end.
    this.#frames = this.#frames.filter((_, at) => kept[at]).slice();
    this.#sizes = this.#sizes.filter((_, at) => kept[at]).slice();
    this.#chars = this.#sizes.reduce((sum, size) => sum + size, 0);
  }

  /** The signals kept, oldest first. */
  get frames(): readonly EventFrame[] {
    return this.#frames;
  }

  /** Returns the newest kept signals of at most `chars` characters together, oldest first. */
  newest(chars: number): readonly EventFrame[] {
    let [from, left] = [this.#frames.length, chars];
    for (; from > 0; from -= 1) {
      left -= this.#sizes[from - 1] ?? 0;
      if (left < 0) break;
    }
    return this.#frames.slice(from);
  }

  /** Drops all but the newest signals of at most `chars` characters together. The very newest stays. */
  trim(chars: number): void {
    this.#keep(this.#bounds.signalsPerLeg, chars, 1);
  }

  #add(frame: EventFrame, size: number): void {
    if (this.#frames.length < GROWN) {
      // An array that is concatenated has no room to grow. Most legs keep one or two signals for their whole call.
      this.#frames = this.#frames.concat(frame);
      this.#sizes = this.#sizes.concat(size);
    } else {
      this.#frames.push(frame);
      this.#sizes.push(size);
    }
    this.#chars += size;
  }

  #keep(count: number, chars: number, least = Math.min(1, count)): void {
    while (this.#frames.length > least && (this.#frames.length > count || this.#chars > chars)) {
      this.#first = (this.#frames.shift()?.sequence_number ?? this.#last) + 1;
      this.#chars -= this.#sizes.shift() ?? 0;
    }
    while (this.#texts.length > this.#frames.length) this.#texts.shift();
  }
}
