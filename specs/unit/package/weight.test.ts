import { parse } from 'acorn';
import { describe, expect, it } from 'vitest';
import {
  LARGEST,
  LARGEST_OLDEST,
  LIBRARY,
  minified,
  OLDEST_SYNTAX,
  SYNTAX,
  weigh,
} from '../../../tools/package/weigh.ts';

describe('the library', () => {
  it('has at most 62 kB gzipped, and at most 48 kB without pako', async () => {
    const whole = await weigh(LIBRARY);
    expect(whole.gzipped).toBeGreaterThan(10_000);
    expect(whole.gzipped).toBeLessThanOrEqual(LARGEST.whole);
    const { gzipped } = await weigh(LIBRARY, ['pako']);
    expect(gzipped).toBeLessThan(whole.gzipped);
    expect(gzipped).toBeLessThanOrEqual(LARGEST.withoutPako);
  });

  it('has at most 68 kB for bundlers that know ES2019, and at most 54 kB without pako', async () => {
    expect((await weigh(LIBRARY, [], OLDEST_SYNTAX)).gzipped).toBeLessThanOrEqual(LARGEST_OLDEST.whole);
    expect((await weigh(LIBRARY, ['pako'], OLDEST_SYNTAX)).gzipped).toBeLessThanOrEqual(LARGEST_OLDEST.withoutPako);
  });

  it('is parsed by a parser of ES2019 in its build for old bundlers, and only there', async () => {
    const parsed = (code: string) => parse(code, { ecmaVersion: 2019, sourceType: 'module' }).body.length;
    expect(parsed(await minified(LIBRARY, [], OLDEST_SYNTAX))).toBeGreaterThan(0);
    const modern = await minified(LIBRARY, [], SYNTAX);
    expect(() => parsed(modern)).toThrow(SyntaxError);
  });
});
