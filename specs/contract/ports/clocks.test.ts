/** Runs the contract suite of the clock on every clock that does not need real time. */
import { afterEach, describe, test, vi } from 'vitest';
import { createMovableClock } from '../../../cli/worlds/real/movable-clock.ts';
import { scaledClock } from '../../../cli/worlds/real/scaled-clock.ts';
import { ExchangeClock, ProcessClock } from '../../../sim/scenario/virtual/exchange-clock.ts';
import { guardedClock, nodeClock } from '../../../sim/server/node-ports.ts';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import { DeviceClock } from '../../../sim/virtual/device-clock.ts';
import type { Clock } from '../../../src/common/clock.ts';
import { hostClock } from '../../../src/common/host-clock.ts';
import { HandClock } from '../../unit/support/hand-clock.ts';
import { clockContract, type ClockSubject } from './clock.contract.ts';

/** A clock over one virtual world. */
const virtual = (clockOf: (world: VirtualClock) => Clock) => (): ClockSubject => {
  const world = new VirtualClock();
  return { clock: clockOf(world), pass: (ms) => world.advance(ms) };
};

/** A clock over the timers of the host, which the test advances. */
const onHost = (makeClock: () => Clock) => (): ClockSubject => {
  vi.useFakeTimers();
  return { clock: makeClock(), pass: async (ms) => void (await vi.advanceTimersByTimeAsync(ms)) };
};

const CLOCKS: Readonly<Record<string, () => ClockSubject>> = {
  'of a device': virtual((world) => new DeviceClock(world)),
  'of the exchange': virtual((world) => new ExchangeClock(world)),
  'of a process of the exchange': virtual((world) => new ProcessClock(new ExchangeClock(world))),
  'of tests': () => {
    const clock = new HandClock();
    return { clock, pass: async (ms) => clock.advance(ms) };
  },
  'of a host': onHost(hostClock),
  'of Node': onHost(() => nodeClock),
  'of Node, guarded': onHost(() => guardedClock(nodeClock, { error: () => undefined })),
  'of a world in real time': onHost(() => scaledClock(1)),
  'that a test puts forward': onHost(() => createMovableClock(nodeClock)),
};

afterEach(() => void vi.useRealTimers());

for (const [name, subject] of Object.entries(CLOCKS)) {
  describe(`contract of the clock ${name}`, () => {
    for (const { title, run } of clockContract) test(title, () => run(subject()));
  });
}
