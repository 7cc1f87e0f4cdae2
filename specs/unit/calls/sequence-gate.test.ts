import { describe, expect, it } from 'vitest';
import { SequenceGate } from '../../../src/calls/direct-call/sequence-gate.ts';

const signal = (sequence_number: number) => ({ sequence_number });

/** A gate, the fetches it began, and what came through. Each fetch is settled by hand. */
function gate() {
  const applied: number[] = [];
  const fetches: (() => void)[] = [];
  const made: SequenceGate<{ sequence_number: number }> = new SequenceGate(
    ({ sequence_number }) => void applied.push(sequence_number),
    () => new Promise<void>((resolve) => void fetches.push(resolve)),
  );
  return { gate: made, applied, fetches };
}

/** Promises that are settled have been heard. */
const heard = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

describe('the order of a call’s signals', () => {
  it('each goes through once and in order; what is not counted goes through at once', () => {
    const { gate: all, applied, fetches } = gate();
    for (const number of [1, 0, 1, 2, 3, 2]) all.receive(signal(number));
    expect([applied, all.last, fetches.length]).toEqual([[1, 0, 2, 3], 3, 0]);
  });

  it('what is missing is fetched once, and what waits follows it', async () => {
    const { gate: all, applied, fetches } = gate();
    for (const number of [1, 3, 4]) all.receive(signal(number));
    expect([applied, fetches.length]).toEqual([[1], 1]);
    for (const number of [1, 2, 3, 4]) all.receive(signal(number));
    fetches[0]?.();
    await heard();
    expect([applied, fetches.length]).toEqual([[1, 2, 3, 4], 1]);
  });

  it('what cannot be had is skipped', async () => {
    const { gate: all, applied, fetches } = gate();
    for (const number of [1, 4]) all.receive(signal(number));
    fetches[0]?.();
    await heard();
    expect([applied, all.last, fetches.length]).toEqual([[1, 4], 4, 1]);
  });

  it('a gap that opens while another is filled is fetched too, not skipped', async () => {
    const { gate: all, applied, fetches } = gate();
    all.receive(signal(2));
    // The answer on its way was made before 4 existed.
    all.receive(signal(5));
    for (const number of [1, 2, 3]) all.receive(signal(number));
    fetches[0]?.();
    await heard();
    expect([applied, fetches.length]).toEqual([[1, 2, 3], 2]);
    all.receive(signal(4));
    fetches[1]?.();
    await heard();
    expect([applied, fetches.length]).toEqual([[1, 2, 3, 4, 5], 2]);
  });
});
