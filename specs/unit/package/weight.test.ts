import { expect, it } from 'vitest';
import { LARGEST, LIBRARY, weigh } from '../../package/weigh.ts';

it('the library weighs at most 60 kB gzipped, and at most 46 kB without pako', async () => {
  const whole = await weigh(LIBRARY);
  expect(whole.gzipped).toBeGreaterThan(10_000);
  expect(whole.gzipped).toBeLessThanOrEqual(LARGEST.whole);
  const { gzipped } = await weigh(LIBRARY, ['pako']);
  expect(gzipped).toBeLessThan(whole.gzipped);
  expect(gzipped).toBeLessThanOrEqual(LARGEST.withoutPako);
});
