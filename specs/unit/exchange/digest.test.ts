import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../sim/exchange/digest.ts';

describe('a digest', () => {
  it('is the same for the same text, and differs where one character differs, is added or is moved', () => {
    const texts = ['', 'a', 'b', 'ab', 'ba', 'aab', '\u0000', '\u0000\u0000', 'A'.repeat(1_000), `${'A'.repeat(999)}B`];
    expect(new Set(texts.map(digestOf)).size).toBe(texts.length);
    expect(texts.map(digestOf)).toEqual(texts.map(digestOf));
  });

  it('is short', () => {
    expect(digestOf('A'.repeat(1_048_576)).length).toBeLessThan(24);
  });

  it('differs for texts of one length that differ', () => {
    const pair = fc.tuple(fc.string({ minLength: 8, maxLength: 8 }), fc.string({ minLength: 8, maxLength: 8 }));
    fc.assert(
      fc.property(pair, ([one, other]) => {
        expect(digestOf(one) === digestOf(other)).toBe(one === other);
      }),
    );
  });
});
