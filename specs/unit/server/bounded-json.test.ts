import { describe, expect, it } from 'vitest';
import { parseBoundedJson } from '../../../sim/server/bounded-json.ts';

const parse = (text: string): unknown => parseBoundedJson(Buffer.from(text));
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('bounded JSON', () => {
  it('is read like any JSON, with any texts', () => {
    for (const value of [
      null,
      1.5,
      [],
      {},
      { a: [1, { b: '語' }] },
      '[{,:"\\',
      { 'a"b': ['\\"', ','.repeat(60_000)] },
      ['"', ','.repeat(60_000)],
      ['\\', ','.repeat(60_000)],
      Array.from({ length: 100 }, () => [{}]),
    ]) {
      expect(parse(JSON.stringify(value))).toEqual(value);
    }
    for (const wrong of ['', '{', '[1,]', '"', '"\\', ']', 'x']) expect(() => parse(wrong)).toThrow(SyntaxError);
  });

  it('S18 B39: has at most 50 000 values and a depth of 64', () => {
    expect(parse(JSON.stringify(Array(49_999).fill(0)))).toHaveLength(49_999);
    expect(() => parse(JSON.stringify(Array(50_002).fill(0)))).toThrow('too many parts');
    expect(() => parse(JSON.stringify(Array.from({ length: 30_000 }, () => ({}))))).toThrow('too many parts');
    expect(parse(nested(64))).toBeDefined();
    expect(() => parse(nested(65))).toThrow('too many parts');
  });
});
