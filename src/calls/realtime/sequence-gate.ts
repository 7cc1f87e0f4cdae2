import type { EventHead } from '../../protocol/envelope.ts';

/** A gate that passes each signal once and in order. */
export interface SequenceGate<Signal> {
  /** The number of the last signal applied. */
  readonly last: number;
  receive(signal: Signal): void;
}

/**
 * Returns the gate of one sequence of signals. Signals carry their number in it, from 1. 0 marks a signal that is not
 * counted. Missing signals are fetched, and skipped when they cannot be fetched.
 *
 * @param fetch - passes missed signals to the gate. It settles when all available ones were passed.
 * @param appliedBefore - the number of the last signal that was applied before.
 */
export function sequenceGate<Signal extends Pick<EventHead, 'sequence_number' | 'delivery_info'>>(
  apply: (signal: Signal) => void,
  fetch: () => Promise<unknown>,
  appliedBefore = 0,
): SequenceGate<Signal> {
  const waiting = new Map<number, Signal>();
  let last = appliedBefore;
  let isFilling = false;

  /** Passes the signals that follow the last one, after a gap when nothing follows. */
  const release = (skips = false) => {
    if (skips) last = Math.min(...waiting.keys()) - 1;
    for (let next; (next = waiting.get(last + 1));) {
      waiting.delete((last += 1));
      apply(next);
    }
  };

  // A gap is skipped only after a fetch that began when the gap was there: an earlier answer does not cover it.
  const fill = async () => {
    if (isFilling) return;
    isFilling = true;
    while (waiting.size > 0) {
      const before = last;
      await fetch();
      if (last === before) release(true);
    }
    isFilling = false;
  };

  return {
    get last() {
      return last;
    },
    receive: (signal) => {
      const number = signal.sequence_number;
      if (number === 0) return apply(signal);
      if (number <= last) return;
      waiting.set(number, signal);
      release();
      // An answer has every earlier signal that is kept. So its signals leave no gap to fetch.
      while (signal.delivery_info.channel === 'missed_signal' && last < number) release(true);
      if (waiting.size > 0) void fill();
    },
  };
}
