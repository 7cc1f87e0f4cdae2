import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Waiting } from '../../../cli/worlds/real/waiting.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a condition is asked when something happened, and the wait ends with the moment of that', async () => {
  const waiting = new Waiting();
  let asked = 0;
  let isSo = false;
  const held = waiting.until(() => {
    asked += 1;
    // What is looked at is not looked at in no time.
    if (isSo) vi.advanceTimersByTime(7);
    return isSo;
  }, 10_000);
  await vi.advanceTimersByTimeAsync(5);
  const before = asked;
  isSo = true;
  const at = performance.now();
  waiting.wake();
  waiting.wake();
  await vi.advanceTimersByTimeAsync(1);
  expect(await held).toBe(true);
  expect(asked).toBe(before + 1);
  expect(waiting.moment).toBe(at);
});

test('what has no event is looked at from time to time, and a wait has its end', async () => {
  const waiting = new Waiting();
  let isSo = false;
  const held = waiting.until(() => isSo, 10_000);
  await vi.advanceTimersByTimeAsync(5);
  isSo = true;
  await vi.advanceTimersByTimeAsync(30);
  expect(await held).toBe(true);
  const given = waiting.until(() => false, 1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await given).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test('what a condition throws ends the wait', async () => {
  const waiting = new Waiting();
  const held = waiting.until(() => {
    throw new Error('never to be');
  }, 1_000);
  held.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(1);
  await expect(held).rejects.toThrow('never to be');
  expect(vi.getTimerCount()).toBe(0);
});
