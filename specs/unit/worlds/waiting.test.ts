import { nodeClock } from '../../../sim/server/node-ports.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toleranceOf, Waiting } from '../../../cli/worlds/real/waiting.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a condition is checked after each event, and the wait returns the moment of the event', async () => {
  const waiting = new Waiting(nodeClock);
  let asked = 0;
  let isSo = false;
  const held = waiting.until(() => {
    asked += 1;
    // A check takes time as well.
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

test('a state without an event is checked from time to time, and a wait has its end', async () => {
  const waiting = new Waiting(nodeClock);
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

test('an error of a condition ends the wait', async () => {
  const waiting = new Waiting(nodeClock);
  const held = waiting.until(() => {
    throw new Error('never to be');
  }, 1_000);
  held.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(1);
  await expect(held).rejects.toThrow('never to be');
  expect(vi.getTimerCount()).toBe(0);
});

test('the largest delay of a check or event report is kept', async () => {
  const waiting = new Waiting(nodeClock);
  const waited = waiting.until(() => false, 100);
  await vi.advanceTimersByTimeAsync(25);
  expect(waiting.late).toBe(0);
  // The machine is busy for 300 ms, and the next check comes then.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 300);
  vi.advanceTimersByTime(25);
  expect(waiting.late).toBe(275);
  clock.mockRestore();
  waiting.wasLate(40);
  expect(waiting.late).toBe(275);
  waiting.wasLate(900);
  expect(waiting.late).toBe(900);
  await vi.advanceTimersByTimeAsync(100);
  expect(await waited).toBe(false);
});

test('the tolerance of a moment is four times the largest delay, and at most ten seconds', () => {
  expect(toleranceOf(500, 1_000, 0)).toBe(520);
  expect(toleranceOf(500, 1_000, 300)).toBe(1_720);
  expect(toleranceOf(500, 0, 60_000)).toBe(10_500);
});
