import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Digest, digestOf } from '../../../sim/exchange/delivery/digest.ts';

describe('a digest', () => {
  it('is the same for the same text, and differs when one character differs, is added or is moved', () => {
    const texts = ['', 'a', 'b', 'ab', 'ba', 'aab', '\u0000', '\u0000\u0000', 'A'.repeat(1_000), `${'A'.repeat(999)}B`];
    expect(new Set(texts.map(digestOf)).size).toBe(texts.length);
    expect(texts.map(digestOf)).toEqual(texts.map(digestOf));
  });

  it.each([
    ['', 1_583_788_324],
    ['a', 325_970_344],
    ['The quick brown fox', -783_863_643],
  ])('for %j is %s', (text, digest) => {
    expect(digestOf(text)).toBe(digest);
  });

  it('is a whole number of 32 bits for a text of any length', () => {
    const digests = [1, 1_000, 1_048_576].map((length) => digestOf('A'.repeat(length)));
    expect(digests.map((digest) => digest | 0)).toEqual(digests);
  });

  it('differs for texts of many characters that have the same low bits', () => {
    const texts = ['AAAA', 'ŁAAA', 'AŁAA', 'AAŁA', 'AAAŁ', 'AAAAŁ', 'AAAAA'];
    expect(new Set(texts.map(digestOf)).size).toBe(texts.length);
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

  it('of a value is that of its JSON: equal for equal values, and different otherwise', () => {
    const read = (json: string) => new Digest().add(JSON.parse(json)).value;
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.json({ maxDepth: 4 }), (one, other) => {
        const [a, b] = [one, other].map((json) => JSON.stringify(JSON.parse(json)));
        expect(read(one) === read(other)).toBe(a === b);
        expect(read(JSON.stringify(JSON.parse(one), null, 2))).toBe(read(one));
      }),
    );
  });

  it.each([
    ['[[1],2]', '[[1,2]]'],
    ['["1"]', '[1]'],
    ['["ab","c"]', '["a","bc"]'],
    ['{"a":["b"]}', '{"a":{"b":1}}'],
    ['{"a":"b"}', '["a","b"]'],
    ['["null"]', '[null]'],
    ['[[],[]]', '[[[]]]'],
    ['{"a":{},"b":1}', '{"a":{"b":1}}'],
  ])('of %s differs from that of %s', (one, other) => {
    expect(new Digest().add(JSON.parse(one)).value).not.toBe(new Digest().add(JSON.parse(other)).value);
  });

  it('ignores members that are undefined', () => {
    const some = new Digest().add({ a: undefined, name: 'bob', isHere: true });
    expect(some.value).toBe(new Digest().add({ name: 'bob', isHere: true }).value);
  });

  it('S14 counts at least the characters of its JSON, and few more for a text that needs no escapes', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4, stringUnit: 'binary' }), (json) => {
        const value: unknown = JSON.parse(json);
        expect(new Digest().add(value).chars).toBeGreaterThanOrEqual(JSON.stringify(value).length);
      }),
    );
    expect(new Digest().add('\u0001'.repeat(100)).chars).toBe(602);
    expect(new Digest().add({ name: ['bob', 1, true, null, {}] }).chars).toBe(
      '{"name":["bob",1,true,null,{}]}'.length + 2,
    );
  });
});
