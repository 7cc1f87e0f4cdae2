import type { Clock } from '../../../src/common/clock.ts';
import { check, checkEqual, eventually, type ContractSuite, type Pass } from './contract.ts';

export interface ClockSubject {
  readonly clock: Clock;
  readonly pass: Pass;
}

/** Above 2 ** 31 ms, setTimeout of every engine fires at once. */
const PAST_INT32_MS = 2 ** 31 + 1_000;

export const clockContract: ContractSuite<ClockSubject> = [
  {
    title: 'a timer runs once, and not before its time',
    run: async ({ clock, pass }) => {
      let runs = 0;
      clock.after(100, () => (runs += 1));
      await pass(50);
      checkEqual(runs, 0, 'nothing runs before its time');
      await pass(250);
      checkEqual(runs, 1, 'it runs once');
    },
  },
  {
    title: 'timers due at the same instant run in the order they were started (D01)',
    run: async ({ clock, pass }) => {
      const order: string[] = [];
      // `every` has fired before. The order counts from the start of each turn.
      const every = clock.every(40, () => order.push('every'));
      clock.after(40, () => order.push('a'));
      clock.after(40, () => order.push('b'));
      await pass(60);
      every.cancel();
      checkEqual(order, ['every', 'a', 'b'], 'the order of starting is the order of running');
    },
  },
  {
    title: 'a cancelled timer does not run; cancelling it again, or after it ran, does nothing',
    run: async ({ clock, pass }) => {
      let runs = 0;
      const cancelled = clock.after(20, () => (runs += 1));
      const ran = clock.after(20, () => (runs += 10));
      cancelled.cancel();
      cancelled.cancel();
      await pass(100);
      ran.cancel();
      checkEqual(runs, 10, 'only the other timer ran');
    },
  },
  {
    title: 'a repeated timer continues until it is cancelled, also by its own callback',
    run: async ({ clock, pass }) => {
      let runs = 0;
      const timer = clock.every(20, () => {
        runs += 1;
        if (runs === 3) timer.cancel();
      });
      await eventually(pass, () => runs >= 3, 'it runs repeatedly');
      await pass(100);
      checkEqual(runs, 3, 'it ran until it stopped itself');
    },
  },
  {
    title: 'a timer of 0 ms runs soon, but not before `after` returns',
    run: async ({ clock, pass }) => {
      let ran = false;
      clock.after(0, () => (ran = true));
      check(!ran, 'after returns before the timer runs');
      await pass(30);
      check(ran, 'it runs');
    },
  },
  {
    title: 'a wait of more than 2 ** 31 ms does not fire at once',
    run: async ({ clock, pass }) => {
      let ran = false;
      const timer = clock.after(PAST_INT32_MS, () => (ran = true));
      await pass(50);
      timer.cancel();
      check(!ran, 'a long wait does not end early');
    },
  },
  {
    title: 'now grows with time, and the wall time is a date of this century',
    run: async ({ clock, pass }) => {
      const before = clock.now();
      await pass(50);
      check(clock.now() - before >= 45, 'now grows');
      check(clock.wallTime() > Date.UTC(2020, 0), 'the wall time is milliseconds since the epoch');
    },
  },
];
