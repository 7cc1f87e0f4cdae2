import { expect, it } from 'vitest';
import { advanceClock } from '../../../cli/testing/host/advance-clock.ts';
import { createMovableClock } from '../../../cli/worlds/real/movable-clock.ts';
import { HandClock } from '../support/hand-clock.ts';

/** A clock of a machine whose waits end at once. */
function machineClock() {
  const machine = new HandClock();
  return {
    machine: {
      now: () => machine.now(),
      after(ms: number, run: () => void) {
        queueMicrotask(() => {
          machine.advance(ms);
          run();
        });
        return { cancel: () => undefined };
      },
    },
    clock: createMovableClock(machine),
  };
}

it('lets the answer to a timer arrive before the next timer is due', async () => {
  const { machine, clock } = machineClock();
  const happened: string[] = [];
  let traffic = 0;
  clock.after(10_000, () => {
    happened.push('asked');
    traffic += 1;
    queueMicrotask(() => queueMicrotask(() => happened.push('answered')));
  });
  clock.after(15_000, () => happened.push('gave up'));
  await advanceClock(clock.now() + 60_000, 60_000, { clock, machine, traffic: () => traffic });
  expect(happened).toEqual(['asked', 'answered', 'gave up']);
});

it('ends at its moment, and counts the time that it takes', async () => {
  const { machine, clock } = machineClock();
  const until = clock.now() + 60_000;
  const ticks: number[] = [];
  const ticking = clock.every(1_000, () => ticks.push(clock.now()));
  const moved = await advanceClock(until, 60_000, { clock, machine, traffic: () => 0 });
  ticking.cancel();
  expect(clock.now()).toBeGreaterThanOrEqual(until);
  expect(clock.now()).toBeLessThan(until + 10);
  expect(moved).toBeLessThan(60_000);
  expect(ticks.length).toBeGreaterThan(50);
});

it('never moves further at once than a side may be silent', async () => {
  const { machine, clock } = machineClock();
  let longest = 0;
  const watched = {
    now: () => clock.now(),
    get dueIn() {
      return clock.dueIn;
    },
    advance(ms: number) {
      longest = Math.max(longest, ms);
      clock.advance(ms);
    },
  };
  const ticking = clock.every(10, () => undefined);
  await advanceClock(clock.now() + 86_400_000, 86_400_000, { clock: watched, machine, traffic: () => 0 });
  ticking.cancel();
  expect(longest).toBe(5_000);
});
