import { describe, expect, it } from 'vitest';
import { TokenBucket } from '../../../sim/exchange/limits/token-bucket.ts';
import { TokenBuckets } from '../../../sim/exchange/limits/token-buckets.ts';

/** A clock that the test sets, which counts its reads. */
function aClock() {
  const clock = { time: 1_000_000, asked: 0, now: () => ((clock.asked += 1), clock.time) };
  return clock;
}

describe('S14 a bucket', () => {
  const taken = (bucket: TokenBucket, times: number) => Array.from({ length: times }, () => bucket.take());

  it('allows its burst at once, and then its rate, also in fractions of a second', () => {
    const clock = aClock();
    const bucket = new TokenBucket({ burst: 3, perSecond: 4 }, clock.now);
    expect(taken(bucket, 4)).toEqual([true, true, true, false]);
    clock.time += 249;
    expect(bucket.take()).toBe(false);
    clock.time += 1;
    expect(taken(bucket, 2)).toEqual([true, false]);
    clock.time += 500;
    expect(taken(bucket, 3)).toEqual([true, true, false]);
  });

  it('never has more than its burst, after any time without use', () => {
    const clock = aClock();
    const bucket = new TokenBucket({ burst: 2, perSecond: 100 }, clock.now);
    clock.time += 3_600_000;
    expect(taken(bucket, 3)).toEqual([true, true, false]);
  });

  it('gains and loses nothing when the clock goes back', () => {
    const clock = aClock();
    const bucket = new TokenBucket({ burst: 2, perSecond: 1 }, clock.now);
    clock.time -= 10_000;
    expect(taken(bucket, 3)).toEqual([true, true, false]);
    expect(bucket.waitMs(2)).toBe(2_000);
  });

  it('takes several points at once or none of them, and returns the time until enough are available', () => {
    const clock = aClock();
    const bucket = new TokenBucket({ burst: 10, perSecond: 4 }, clock.now);
    expect([bucket.waitMs(10), bucket.take(7), bucket.take(4), bucket.take(3)]).toEqual([0, true, false, true]);
    expect([bucket.waitMs(), bucket.waitMs(2)]).toEqual([250, 500]);
    clock.time += 100;
    expect(bucket.waitMs()).toBeCloseTo(150);
  });
});

describe('S14 allowances by key', () => {
  it('are separate for each key', () => {
    const clock = aClock();
    const allowances = new TokenBuckets({ burst: 1, perSecond: 1 }, clock.now);
    expect([allowances.take('a'), allowances.take('a'), allowances.take('b')]).toEqual([true, false, true]);
    clock.time += 1_000;
    expect([allowances.take('a'), allowances.take('a')]).toEqual([true, false]);
    expect([allowances.waitMs('a'), allowances.waitMs('unused'), allowances.take('c', 2)]).toEqual([1_000, 0, false]);
  });

  it('are dropped when they have been full for a second, within as many uses as there are keys', () => {
    const clock = aClock();
    const allowances = new TokenBuckets({ burst: 600, perSecond: 10 }, clock.now);
    const use = (times: number) => Array.from({ length: times }, () => allowances.take('next'));
    for (let at = 0; at < 100; at += 1) allowances.take(`key ${at}`);
    for (let at = 0; at < 10; at += 1) allowances.take(`spent ${at}`, 20);
    // One point is back after 100 ms, and 20 after two seconds.
    clock.time += 1_099;
    use(200);
    expect(allowances.size).toBe(111);
    clock.time += 1;
    use(100);
    expect(allowances.size).toBe(11);
    clock.time += 1_900;
    use(100);
    expect(allowances.size).toBe(1);
  });

  it('stay few while each use has another key', () => {
    const clock = aClock();
    const allowances = new TokenBuckets({ burst: 600, perSecond: 10 }, clock.now);
    for (let at = 0; at < 10_000; at += 1) {
      clock.time += 10;
      allowances.take(`key ${at}`);
    }
    // About 110 were not full a second ago, and a search reaches the others soon.
    expect(allowances.size).toBeLessThan(250);
  });

  it('are not looked at when another key is used, however many there are', () => {
    const clock = aClock();
    const allowances = new TokenBuckets({ burst: 1, perSecond: 1 }, clock.now);
    for (let at = 0; at < 100; at += 1) allowances.take(`key ${at}`);
    clock.time += 1_000;
    clock.asked = 0;
    allowances.take('next');
    expect(clock.asked).toBeLessThan(5);
  });

  it('are full when the clock goes back by more than they need to fill', () => {
    const clock = aClock();
    const allowances = new TokenBuckets({ burst: 2, perSecond: 1 }, clock.now);
    for (const _ of [1, 2, 3]) allowances.take('a');
    expect(allowances.waitMs('a', 2)).toBe(2_000);
    clock.time -= 10_000;
    expect([allowances.waitMs('a', 2), allowances.take('a', 3), allowances.take('a', 2)]).toEqual([0, false, true]);
    expect(allowances.take('a')).toBe(false);
  });

  it('allow a burst of points of a third of a millisecond, and not one more', () => {
    const clock = aClock();
    const allowances = new TokenBuckets({ burst: 1_000, perSecond: 3_000 }, clock.now);
    const taken = Array.from({ length: 1_001 }, () => allowances.take('a'));
    expect(taken.indexOf(false)).toBe(1_000);
  });

  it('have no time to wait for what they give, also after sums of fractions', () => {
    const clock = aClock();
    clock.time = 1_000_000.123_456_789;
    for (let perSecond = 0.1; perSecond < 60; perSecond += 0.7) {
      const allowances = new TokenBuckets({ burst: 60, perSecond }, clock.now);
      for (let at = 0; at < 60; at += 1) expect([allowances.waitMs('a'), allowances.take('a')]).toEqual([0, true]);
      expect(allowances.take('a')).toBe(false);
    }
  });

  it('do not change when others are dropped', () => {
    const clock = aClock();
    const allowances = new TokenBuckets({ burst: 2, perSecond: 1 }, clock.now);
    for (const key of ['a', 'b']) allowances.take(key);
    clock.time += 900;
    expect([allowances.take('a'), allowances.take('a')]).toEqual([true, false]);
    clock.time += 200;
    // The other bucket is full and dropped. This one is not.
    expect([allowances.take('a'), allowances.take('b'), allowances.take('b'), allowances.take('b')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});
