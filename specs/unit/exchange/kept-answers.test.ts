import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../sim/exchange/delivery/digest.ts';
import {
  CHARS_OF_CHARACTER,
  ENTRY_CHARS,
  type Kept,
  KeptAnswers,
  TEXT_CHARS,
} from '../../../sim/exchange/delivery/kept-answers.ts';

const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, at) => `request ${first + at}`);

/** Returns an answer for each third request, and a digest for the others. */
const keptFor = (id: string): Kept =>
  Number(id.split(' ')[1]) % 3 === 0 ? { text: `"${id}"`, digest: digestOf(id) } : digestOf(id);

describe('the kept answers of a device', () => {
  it('I12 are found by their requests at any number, also after older ones were dropped', () => {
    const answers = new KeptAnswers();
    const kept: string[] = [];
    let next = 0;
    // In steps that let the oldest one be at each place when the places double.
    for (const [adds, drops] of [
      [6, 3],
      [5, 6],
      [10, 1],
      [40, 21],
      [120, 90],
    ] as const) {
      for (const id of idsFrom(next, adds)) {
        answers.set(id, keptFor(id));
        kept.push(id);
      }
      next += adds;
      for (let dropped = 0; dropped < drops; dropped += 1) answers.dropOldest();
      const gone = kept.splice(0, drops);
      expect(gone.filter((id) => answers.get(id) !== undefined)).toEqual([]);
      expect(kept.map((id) => answers.get(id))).toEqual(kept.map(keptFor));
      expect(answers.size).toBe(kept.length);
      const texts = kept
        .map(keptFor)
        .flatMap((one) => (typeof one === 'number' ? [] : [TEXT_CHARS + CHARS_OF_CHARACTER * one.text.length]));
      expect(answers.chars).toBe(kept.length * ENTRY_CHARS + texts.reduce((sum, one) => sum + one, 0));
    }
  });

  it('I12 of two requests whose ids have the same digest of 32 bits are told apart', () => {
    // This difference passes through the digest of the exchange from any of its states.
    const pair = ['9hx8n94sas15tsu6', '9hz8n943as15tsu6'];
    expect(new Set(pair.map(digestOf)).size).toBe(1);
    const answers = new KeptAnswers();
    answers.set(pair[0] ?? '', 1);
    expect(pair.map((id) => answers.get(id))).toEqual([1, undefined]);
  });

  it('I12 take the place of an earlier answer to the same request', () => {
    const answers = new KeptAnswers();
    for (const [id, kept] of [
      ['r1', { text: '"long"', digest: null }],
      ['r2', 2],
      ['r1', 1],
    ] as const)
      answers.set(id, kept);
    expect([answers.size, answers.chars, answers.get('r1'), answers.get('r2')]).toEqual([2, 2 * ENTRY_CHARS, 1, 2]);
    answers.dropOldest();
    expect([answers.get('r1'), answers.get('r2')]).toEqual([undefined, 2]);
  });

  it('lose nothing more when none is left', () => {
    const answers = new KeptAnswers();
    answers.dropOldest();
    answers.set('r1', 1);
    expect([answers.size, answers.get('r1')]).toEqual([1, 1]);
  });
});
