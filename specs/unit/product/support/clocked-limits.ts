import type { RateLimits } from '../../../../sim/budgets/rate-limits.ts';
import type { Clock } from '../../../../src/common/clock.ts';

/** Rate limits that are counted by a clock of the test. */
export function clockedLimits(clock: Pick<Clock, 'now'>): RateLimits {
  const windows = new Map<string, { count: number; readonly end: number }>();
  const windowOf = (id: string, seconds: number) => {
    const now = clock.now();
    const known = windows.get(id);
    if (known && known.end > now) return known;
    const opened = { count: 0, end: now + seconds * 1_000 };
    windows.set(id, opened);
    return opened;
  };
  return {
    async consume({ name, points, seconds }, key) {
      const window = windowOf(`${name}:${key}`, seconds);
      if (window.count >= points) return Math.ceil((window.end - clock.now()) / 1_000);
      window.count += 1;
      return null;
    },
    async giveBack({ name, seconds }, key) {
      windowOf(`${name}:${key}`, seconds).count -= 1;
    },
    async forget({ name }, key) {
      windows.delete(`${name}:${key}`);
    },
  };
}
