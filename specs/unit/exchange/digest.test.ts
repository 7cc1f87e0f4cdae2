import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../sim/exchange/delivery/digest.ts';

describe('a digest', () => {
  it('is the same for the same text, and differs when one character differs, is added or is moved', () => {
    const texts = ['', 'a', 'b', 'ab', 'ba', 'aab', '\u0000', '\u0000\u0000', 'A'.repeat(1_000), `${'A'.repeat(999)}B`];
    expect(new Set(texts.map(digestOf)).size).toBe(texts.length);
    expect(texts.map(digestOf)).toEqual(texts.map(digestOf));
  });

  it.each([
    ['', 3_071_733_008_152_179],
    ['a', 109_701_080_106_849],
    ['The quick brown fox', 2_952_087_300_168_163],
  ])('for %j is %s', (text, digest) => {
    expect(digestOf(text)).toBe(digest);
  });

  it('is a safe whole number for a text of any length', () => {
    expect(Number.isSafeInteger(digestOf('A'.repeat(1_048_576)))).toBe(true);
  });

  it('differs for texts of one length that differ in one character, at any position', () => {
    const text = fc.string({ minLength: 8, maxLength: 8, unit: 'binary-ascii' });
    fc.assert(
      fc.property(text, fc.nat(7), fc.integer({ min: 1, max: 0xffff }), (one, place, bits) => {
        const other = String.fromCharCode(one.charCodeAt(place) ^ bits);
        expect(digestOf(one.slice(0, place) + other + one.slice(place + 1))).not.toBe(digestOf(one));
      }),
    );
  });
});
