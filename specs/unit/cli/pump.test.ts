import type { Clock } from '../../../src/common/clock.ts';
import { expect, test } from 'vitest';
import { startPump } from '../../../cli/headless/media/pump.ts';

/** A clock that the test advances. Timers fire late by `lag`. */
function manualClock() {
  let now = 0;
  let timer: { at: number; run: () => void } | null = null;
  const clock: Pick<Clock, 'now' | 'after'> = {
    now: () => now,
    after: (ms, run) => {
      timer = { at: now + ms, run };
      return { cancel: () => (timer = null) };
    },
  };
  const advanceTo = (to: number, lag = 0) => {
    while (timer && timer.at + lag <= to) {
      now = Math.max(now, timer.at + lag);
      const { run } = timer;
      timer = null;
      run();
    }
    now = to;
  };
  return { clock, advanceTo, armed: () => timer !== null };
}

test('a pump keeps its rate although every timer is late', () => {
  const { clock, advanceTo } = manualClock();
  let ticks = 0;
  startPump(10, () => (ticks += 1), clock);
  advanceTo(10_000, 7);
  expect(ticks).toBeGreaterThanOrEqual(999);
  expect(ticks).toBeLessThanOrEqual(1_001);
});

test('a pump catches up after a short stall, and not after a long one', () => {
  const { clock, advanceTo } = manualClock();
  const counts: number[] = [];
  startPump(10, (count) => counts.push(count), clock);
  advanceTo(100, 60);
  advanceTo(100);
  expect(counts).toHaveLength(11);
  advanceTo(5_000, 4_000);
  // The clock is 4 s late: the pump restarts its rhythm instead of emitting 400 frames, and the numbers continue.
  expect(counts.length).toBeLessThan(150);
  expect(counts).toEqual(counts.map((_, index) => index));
});

test('a stopped pump emits no more ticks, even when its own tick stops it', () => {
  const { clock, advanceTo, armed } = manualClock();
  let ticks = 0;
  const stop = startPump(10, () => (ticks += 1), clock);
  stop();
  advanceTo(1_000);
  expect(ticks).toBe(1);
  expect(armed()).toBe(false);

  let inner = 0;
  const stopInner: (() => void)[] = [];
  stopInner.push(
    startPump(
      10,
      () => {
        inner += 1;
        if (inner === 3) stopInner[0]?.();
      },
      clock,
    ),
  );
  advanceTo(2_000);
  expect(inner).toBe(3);
  expect(armed()).toBe(false);
});
