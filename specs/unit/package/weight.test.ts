import { parse } from 'acorn';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  LARGEST,
  LARGEST_WHOLE,
  LIBRARY,
  minified,
  OLDEST_SYNTAX,
  SYNTAX,
  weightOf,
} from '../../../tools/package/weigh.ts';

type Chunks = Awaited<ReturnType<typeof minified>>;

describe('the library', () => {
  let modern: Chunks;
  let script: Chunks;
  let oldest: Chunks;
  // A build takes seconds, and minutes on a busy machine.
  beforeAll(async () => {
    modern = await minified(LIBRARY);
    script = await minified(LIBRARY, { format: 'iife', split: false });
    oldest = await minified(LIBRARY, { target: OLDEST_SYNTAX, split: false });
  }, 400_000);

  it('a page that imports it loads at most 53.5 kB gzipped, and no part of later use', () => {
    const { gzipped, parts } = weightOf(modern);
    expect(gzipped).toBeGreaterThan(10_000);
    expect(gzipped).toBeLessThanOrEqual(LARGEST);
    expect(Object.keys(parts).toSorted()).toEqual(['log-text', 'rooms-part', 'synthesiser']);
    for (const part of Object.values(parts)) expect(part).toBeGreaterThan(100);
    // Chunks that the entry imports count as the entry does.
    const [entry, ...others] = modern;
    const loaded = modern.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
    expect(others.map(({ fileName }) => fileName).toSorted()).toEqual([...new Set(loaded)].toSorted());
    expect(entry?.imports).toEqual(['ringback.min.core.js']);
    // The ids of requirements in the tables of states are for documents and tests.
    for (const { code } of modern) expect(code).not.toMatch(/["'`](?:DC|PC|EP|RM)-\d/);
  });

  it('has at most 70 kB in one file, and at most 78 kB for bundlers that know ES2019', () => {
    for (const [chunks, most] of [
      [script, LARGEST_WHOLE[SYNTAX]],
      [oldest, LARGEST_WHOLE[OLDEST_SYNTAX]],
    ] as const) {
      const { gzipped, parts } = weightOf(chunks);
      expect(parts).toEqual({});
      expect(gzipped).toBeGreaterThan(10_000);
      expect(gzipped).toBeLessThanOrEqual(most);
    }
  });

  it('is parsed by a parser of ES2019 in its build for old bundlers, and only there', () => {
    const parsed = (code = '') => parse(code, { ecmaVersion: 2019, sourceType: 'module' }).body.length;
    expect(parsed(oldest[0]?.code)).toBeGreaterThan(0);
    expect(() => parsed(modern.find(({ name }) => name === 'core')?.code)).toThrow(SyntaxError);
  });
});
