import { expect, it } from 'vitest';
import { lasts } from '../../../cli/testing/host/lasts.ts';

/** A world in which a condition holds in some spans of time, milliseconds. */
function worldWith(...spans: readonly (readonly [from: number, to: number])[]) {
  let now = 0;
  const world = {
    get now() {
      return now;
    },
    async until(condition: () => boolean, ms: number) {
      const end = now + ms;
      for (; now < end; now += 10) if (condition()) return true;
      return condition();
    },
  };
  return { world, holds: () => spans.some(([from, to]) => now >= from && now < to) };
}

it('waits for a condition that goes on to hold, and not for a short one', async () => {
  const { world, holds } = worldWith([100, 400], [700, 9_000]);
  expect(await lasts(world, holds, { ms: 5_000, forMs: 1_500 })).toBe(true);
  expect(world.now).toBe(2_200);
});

it('ends without one at the limit', async () => {
  const short = worldWith([100, 400], [700, 1_000]);
  expect(await lasts(short.world, short.holds, { ms: 900, forMs: 1_500 })).toBe(false);
  const late = worldWith([1_000, 9_000]);
  expect(await lasts(late.world, late.holds, { ms: 900, forMs: 1_500 })).toBe(false);
  expect(late.world.now).toBe(900);
});
