import { describe, expect, it } from 'vitest';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import { machineRunsOf } from '../../../src/trace/state-spans.ts';
import { type TimerOptions, timerRunsOf } from '../../../src/trace/timer-runs.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';
import { MACHINES } from '../../../sim/scenario/trace/machines.ts';

const move = (at: number, from: string, to: string, machine: 'call' | 'peer' = 'call'): TraceEvent => ({
  ...{ at, kind: 'state', device: 'alice', machine, from, to },
});
/** Returns each run of a timer as one line. */
const words = (trace: readonly TraceEvent[], options?: TimerOptions) =>
  timerRunsOf(trace, MACHINES, options).map(({ timer, from, to, fired, end, endedBy = '-' }) =>
    [timer, `${from}-${to}`, end, endedBy, ...fired].join(' '),
  );

describe('the timers of a call', () => {
  it('run exactly while their states last', () => {
    const trace = [
      move(0, 'idle', 'ringing'),
      move(4_000, 'ringing', 'accepting'),
      move(4_010, 'accepting', 'established'),
      move(5_000, 'established', 'connected'),
      move(7_000, 'connected', 'reconnecting'),
      move(9_000, 'reconnecting', 'connected'),
      move(9_500, 'connected', 'closing'),
      move(9_500, 'closing', 'ended'),
    ];
    expect(words(trace)).toEqual([
      'alive 0-9500 stopped closing',
      'ring 0-4000 stopped accepting',
      'connection 4000-5000 stopped connected',
      'grace 7000-9000 stopped connected',
    ]);
  });

  it('fire at their length, or repeatedly, or have not fired yet', () => {
    const trace = [move(0, 'idle', 'dialing'), move(60_000, 'dialing', 'closing')];
    expect(words(trace)).toEqual(['alive 0-60000 stopped closing 30000 60000', 'ring 0-60000 fired closing 60000']);
    const lengths = { alive: 50_000, ring: 70_000, connection: 1, grace: 1 };
    expect(words(trace, { lengths })).toEqual(['alive 0-60000 stopped closing 50000', 'ring 0-60000 stopped closing']);
    expect(words(trace.slice(0, 1), { end: 100 })).toEqual(['alive 0-100 running -', 'ring 0-100 running -']);
  });

  it('belong to one call each, when a device has two', () => {
    const trace = [
      move(0, 'idle', 'dialing'),
      move(10, 'dialing', 'established'),
      move(20, 'idle', 'ringing'),
      move(30, 'established', 'connected'),
      move(40, 'ringing', 'closing'),
      move(50, 'connected', 'closing'),
    ];
    expect(machineRunsOf(trace, MACHINES).map(({ spans }) => spans.map(({ state }) => state))).toEqual([
      ['dialing', 'established', 'connected', 'closing'],
      ['ringing', 'closing'],
    ]);
    expect(words(trace).filter((line) => line.startsWith('ring'))).toEqual([
      'ring 0-10 stopped established',
      'ring 20-40 stopped closing',
    ]);
  });

  it('are visible in a run: no user answers, and the ring timer fires on both sides', async () => {
    const story = `scenario: mine
actors: { alice: { user: alice }, bob: { user: bob } }
steps:
  - { do: alice.dial, with: { callee: bob } }
  - { wait: 61s }
`;
    const [result] = await runScenario(readScenario('mine.yaml', story), {
      name: 'virtual',
      world: virtualWorld,
      stopwatch: () => 0,
    });
    const rings = timerRunsOf(result?.trace ?? [], MACHINES).filter(({ timer }) => timer === 'ring');
    expect(rings.map(({ device, end }) => `${device} ${end}`).toSorted()).toEqual(['alice fired', 'bob fired']);
  });
});
