import { parse } from 'acorn';
import { describe, expect, it } from 'vitest';
import {
  LARGEST,
  LARGEST_WHOLE,
  LIBRARY,
  minified,
  OLDEST_SYNTAX,
  SYNTAX,
  weigh,
} from '../../../tools/package/weigh.ts';

describe('the library', () => {
  it('a page with direct calls loads at most 59 kB gzipped, and no part of later use', async () => {
    const { gzipped, parts } = await weigh(LIBRARY);
    expect(gzipped).toBeGreaterThan(10_000);
    expect(gzipped).toBeLessThanOrEqual(LARGEST);
    expect(Object.keys(parts)).toEqual(['log-text']);
    for (const part of Object.values(parts)) expect(part).toBeGreaterThan(100);
    // Chunks that the entry imports count as the entry does.
    const [entry, ...others] = await minified(LIBRARY);
    expect(others.map(({ fileName }) => fileName)).toEqual(entry?.dynamicImports);
  });

  it('has at most 62 kB in one file, and at most 68 kB for bundlers that know ES2019', async () => {
    for (const target of [SYNTAX, OLDEST_SYNTAX] as const) {
      const { gzipped, parts } = await weigh(LIBRARY, { target, split: false });
      expect(parts).toEqual({});
      expect(gzipped).toBeGreaterThan(10_000);
      expect(gzipped).toBeLessThanOrEqual(LARGEST_WHOLE[target]);
    }
  });

  it('is parsed by a parser of ES2019 in its build for old bundlers, and only there', async () => {
    const parsed = (code: string) => parse(code, { ecmaVersion: 2019, sourceType: 'module' }).body.length;
    const [oldest] = await minified(LIBRARY, { target: OLDEST_SYNTAX, split: false });
    expect(parsed(oldest?.code ?? '')).toBeGreaterThan(0);
    const [modern] = await minified(LIBRARY);
    expect(() => parsed(modern?.code ?? '')).toThrow(SyntaxError);
  });
});
