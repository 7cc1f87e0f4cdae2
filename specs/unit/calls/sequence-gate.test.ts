import { describe, expect, it } from 'vitest';
import { sequenceGate, type SequenceGate } from '../../../src/calls/realtime/sequence-gate.ts';
import type { EventHead } from '../../../src/protocol/envelope.ts';

type Counted = Pick<EventHead, 'sequence_number' | 'delivery_info'>;

const signal = (sequence_number: number): Counted => ({ sequence_number, delivery_info: { channel: 'websocket' } });
/** A signal of an answer with missed signals. */
const fetched = (sequence_number: number): Counted => ({
  sequence_number,
  delivery_info: { channel: 'missed_signal' },
});

/** A gate, the fetches it began, and the signals it passed on. The test settles each fetch. */
function gate() {
  const applied: number[] = [];
  const fetches: (() => void)[] = [];
  const made: SequenceGate<Counted> = sequenceGate(
    ({ sequence_number }) => void applied.push(sequence_number),
    () => new Promise<void>((resolve) => void fetches.push(resolve)),
  );
  return { gate: made, applied, fetches };
}

/** Settled promises have run their callbacks. */
const heard = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

describe('the order of a call’s signals', () => {
  it('each signal passes once and in order; a signal without a number passes at once', () => {
    const { gate: all, applied, fetches } = gate();
    for (const number of [1, 0, 1, 2, 3, 2]) all.receive(signal(number));
    expect([applied, all.last, fetches.length]).toEqual([[1, 0, 2, 3], 3, 0]);
  });

  it('missing signals are fetched once, and waiting signals follow them', async () => {
    const { gate: all, applied, fetches } = gate();
    for (const number of [1, 3, 4]) all.receive(signal(number));
    expect([applied, fetches.length]).toEqual([[1], 1]);
    for (const number of [1, 2, 3, 4]) all.receive(signal(number));
    fetches[0]?.();
    await heard();
    expect([applied, fetches.length]).toEqual([[1, 2, 3, 4], 1]);
  });

  it('signals that cannot be fetched are skipped', async () => {
    const { gate: all, applied, fetches } = gate();
    for (const number of [1, 4]) all.receive(signal(number));
    fetches[0]?.();
    await heard();
    expect([applied, all.last, fetches.length]).toEqual([[1, 4], 4, 1]);
  });

  it('the signals of an answer leave no gap, since it has all earlier ones', () => {
    const { gate: all, applied, fetches } = gate();
    for (const one of [signal(1), fetched(1), fetched(1_002), fetched(1_004)]) all.receive(one);
    expect([applied, all.last, fetches.length]).toEqual([[1, 1_002, 1_004], 1_004, 0]);
  });

  it('a signal that waits is applied before later ones of an answer, which may not have it', async () => {
    const { gate: all, applied, fetches } = gate();
    for (const one of [signal(1), signal(4), signal(9), fetched(6)]) all.receive(one);
    // The answer says nothing about the gap before the ninth signal.
    expect([applied, fetches.length]).toEqual([[1, 4, 6], 1]);
    fetches[0]?.();
    await heard();
    expect(fetches.length).toBe(2);
  });

  it('a gap that appears while another is fetched is fetched too', async () => {
    const { gate: all, applied, fetches } = gate();
    all.receive(signal(2));
    // The pending answer was made before 4 existed.
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
