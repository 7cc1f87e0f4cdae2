import { describe, expect, it } from 'vitest';
import { Meter, minuteBegins } from '../../../sim/product/billing/meter.ts';

describe('the meter of a call', () => {
  const AT = 0;

  it('starts when the call connects', () => {
    const meter = new Meter();
    expect([meter.reaches(0), meter.reaches(10_000)]).toEqual([AT, AT + 10_000]);
  });

  it('counts at most 30 seconds of each hold', () => {
    const meter = new Meter();
    meter.hold(AT + 5_000);
    meter.hold(AT + 6_000);
    // It is paused at 35 s.
    expect([meter.reaches(34_999), meter.reaches(35_000)]).toEqual([AT + 34_999, null]);
    meter.resume(AT + 100_000);
    expect(meter.reaches(36_000)).toBe(AT + 101_000);
    meter.hold(AT + 110_000);
    meter.resume(AT + 120_000);
    expect(meter.reaches(60_000)).toBe(AT + 125_000);
  });

  it('adds up the billed time before each of several long holds', () => {
    const meter = new Meter();
    // It runs for 40 s, of them 30 s on hold, then pauses for 60 s; three times.
    for (const from of [AT, AT + 100_000, AT + 200_000]) {
      meter.hold(from + 10_000);
      meter.resume(from + 100_000);
    }
    expect(meter.reaches(120_000)).toBe(AT + 300_000);
    expect(meter.reaches(125_000)).toBe(AT + 305_000);
  });

  it('is not paused by a hold that ends within its 30 seconds, and counts each hold separately', () => {
    const meter = new Meter();
    meter.hold(AT + 10_000);
    meter.resume(AT + 40_000);
    expect(meter.reaches(100_000)).toBe(AT + 100_000);
    meter.hold(AT + 50_000);
    expect([meter.reaches(79_999), meter.reaches(80_000)]).toEqual([AT + 79_999, null]);
    meter.resume(AT + 80_001);
    expect(meter.reaches(80_000)).toBe(AT + 80_001);
  });

  it('continues when it is resumed without a hold', () => {
    const meter = new Meter();
    meter.resume(AT + 50_000);
    expect(meter.reaches(60_000)).toBe(AT + 60_000);
  });
});

it('begins the charged minutes after ten free seconds', () => {
  expect([1, 2, 3].map(minuteBegins)).toEqual([10_000, 70_000, 130_000]);
});
