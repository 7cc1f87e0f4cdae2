import type { EventFrame } from '../../../src/protocol/envelope.ts';

/** The bounds of the kept signals of one leg. */
export interface SignalBounds {
  /** Signals kept. */
  readonly signalsPerLeg: number;
  /** Characters of the kept signals, as JSON. */
  readonly signalCharsPerLeg: number;
}

/**
 * A signal as it was sent. It is kept as its text alone. The parts of a frame are about ten objects, and each collection
 * of V8 looks at every object.
 */
export interface KeptSignal {
  readonly sequence: number;
  readonly type: EventFrame['type'];
  /** The frame as JSON. */
  readonly text: string;
}

/** The signals that set up a call. A side whose media is connected needs none of them again. */
const OF_SET_UP: ReadonlySet<string> = new Set(['dial', 'accept', 'offer', 'answer', 'candidate', 'remove_candidates']);

/** The number of signals from which on the array of a leg has room to grow. */
const GROWN = 16;

/** The former node may have sent signals that it could not store. It sent fewer than this. */
export const NUMBERS_APART = 1_000;

const frameOf = ({ text }: KeptSignal): EventFrame => JSON.parse(text);

/**
 * The signals of one leg, numbered from 1. Only a call that moves to another node has a gap. An end by a node that was cut
 * off has the number 0. Only the newest signals are kept, and always the very newest.
 */
export class SignalLog {
  readonly #bounds: SignalBounds;
  #signals: KeptSignal[] = [];
  #chars = 0;
  #first = 1;
  #last = 0;

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
    const text = this.#add(frame);
    this.#keep(this.#bounds.signalsPerLeg, this.#bounds.signalCharsPerLeg);
    return { frame, text };
  }

  /** Restores the signals of the former exchange. The next signal is numbered after `last`. */
  restore(frames: readonly EventFrame[], last: number): void {
    this.#keep(0, 0);
    for (const frame of frames) this.#add(frame);
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
    const newest = this.#signals.at(-1);
    // A copy has no room to grow: most calls get no more signals before their end.
    this.#signals = this.#signals.filter((signal) => signal === newest || !OF_SET_UP.has(signal.type)).slice();
    this.#chars = this.#signals.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** The frames of the kept signals, oldest first. Each use makes them of their texts. */
  get frames(): readonly EventFrame[] {
    return this.#signals.map(frameOf);
  }

  /** The frame of the very newest signal. Undefined before the first. */
  get newestFrame(): EventFrame | undefined {
    const newest = this.#signals.at(-1);
    return newest && frameOf(newest);
  }

  /** Returns the kept signals with higher numbers, oldest first. */
  after(sequence: number): readonly KeptSignal[] {
    return this.#signals.filter((signal) => signal.sequence > sequence);
  }

  /** Returns the frames of the newest kept signals of at most `chars` characters together, oldest first. */
  newest(chars: number): readonly EventFrame[] {
    let [from, left] = [this.#signals.length, chars];
    for (; from > 0; from -= 1) {
      left -= this.#signals[from - 1]?.text.length ?? 0;
      if (left < 0) break;
    }
    return this.#signals.slice(from).map(frameOf);
  }

  /** Drops all but the newest signals of at most `chars` characters together. The very newest stays. */
  trim(chars: number): void {
    this.#keep(this.#bounds.signalsPerLeg, chars, 1);
  }

  /** Adds a signal. Returns its text. */
  #add(frame: EventFrame): string {
    const text = JSON.stringify(frame);
    const signal: KeptSignal = { sequence: frame.sequence_number, type: frame.type, text };
    // An array that is concatenated has no room to grow. Most legs keep one or two signals for their whole call.
    if (this.#signals.length < GROWN) this.#signals = this.#signals.concat(signal);
    else this.#signals.push(signal);
    this.#chars += text.length;
    return text;
  }

  #keep(count: number, chars: number, least = Math.min(1, count)): void {
    while (this.#signals.length > least && (this.#signals.length > count || this.#chars > chars)) {
      const dropped = this.#signals.shift();
      this.#first = (dropped?.sequence ?? this.#last) + 1;
      this.#chars -= dropped?.text.length ?? 0;
    }
  }
}
