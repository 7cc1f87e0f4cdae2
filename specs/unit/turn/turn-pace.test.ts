import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { busyShareSinceLastCall } from '../../../sim/turn/busy-share.ts';
import { Operations } from '../../../sim/server/operations/operations.ts';
import { paceOfProcess, TurnPace } from '../../../sim/turn/turn-pace.ts';
import { HandClock } from '../support/hand-clock.ts';

afterEach(() => vi.restoreAllMocks());

function paced() {
  const loop = { now: 1_000, share: 0, late: 0 };
  const sleeps: number[] = [];
  const pace = new TurnPace({
    now: () => loop.now,
    sleep: (ms) => {
      sleeps.push(Number(ms.toFixed(3)));
      loop.now += ms + loop.late;
    },
    busyShare: () => () => loop.share,
  });
  /** Ends turns that begin at once and take this long. Returns how long the pace slept after each. */
  const turns = (times: number, ms: number) => {
    sleeps.length = 0;
    for (let time = 0; time < times; time += 1) {
      loop.now += ms;
      pace.end();
    }
    return [...sleeps];
  };
  return { loop, pace, turns };
}

describe('the pace of turns', () => {
  it('lets the turns of a busy loop begin a millisecond apart, and counts its sleep', () => {
    const { loop, pace, turns } = paced();
    loop.share = 0.51;
    // It looks at the load ten times a second.
    expect(turns(99, 1)).toEqual([]);
    expect(turns(3, 0.25)).toEqual([]);
    expect(turns(3, 0.25)).toEqual([0.75, 0.75, 0.75]);
    expect([turns(1, 0.875), turns(1, 0.9375), turns(1, 1), turns(1, 40)]).toEqual([[0.125], [], [], []]);
    expect(pace.slept).toBeCloseTo(2.375, 6);
    // The system may wake the thread late.
    loop.late = 0.5;
    expect(turns(1, 0.25)).toEqual([0.75]);
    expect(pace.slept).toBeCloseTo(3.625, 6);
  });

  it('does not touch a loop that has time, and lets go of one that has time again', () => {
    const { loop, pace, turns } = paced();
    loop.share = 0.5;
    expect(turns(1_000, 0.25)).toEqual([]);
    loop.share = 0.6;
    turns(400, 0.25);
    expect(turns(1, 0.25)).toEqual([0.75]);
    // Between the two limits it stays as it was.
    loop.share = 0.31;
    turns(200, 0.25);
    expect(turns(1, 0.25)).toEqual([0.75]);
    loop.share = 0.3;
    turns(200, 0.25);
    expect(turns(100, 0.25)).toEqual([]);
    expect(pace.slept).toBeGreaterThan(0);
  });

  it('stops the thread of the process for the time it says', () => {
    const wait = vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
    vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue({ active: 0, idle: 0, utilization: 0 });
    const now = vi.spyOn(globalThis.performance, 'now').mockReturnValue(5_000);
    const pace = paceOfProcess();
    pace.end();
    vi.mocked(performance.eventLoopUtilization).mockReturnValue({ active: 100, idle: 0, utilization: 1 });
    now.mockReturnValue(5_100);
    pace.end();
    now.mockReturnValue(5_100.25);
    pace.end();
    expect(wait.mock.calls.map(([, , , ms]) => ms)).toEqual([0.75]);
  });
});

describe('the busy share of an event loop', () => {
  it('counts neither the wait for events nor its own sleep as work', () => {
    const loop = vi.spyOn(performance, 'eventLoopUtilization');
    const at = (active: number, idle: number) => loop.mockReturnValue({ active, idle, utilization: 0 });
    at(1_000, 500);
    let slept = 70;
    const share = busyShareSinceLastCall(() => slept);
    at(1_080, 520);
    expect(share()).toBe(0.8);
    expect(share()).toBe(0);
    at(1_180, 520);
    slept = 130;
    expect(share()).toBeCloseTo(0.4, 6);
  });
});

it('an overload does not count the sleep of the pace', () => {
  const loop = vi.spyOn(performance, 'eventLoopUtilization');
  const overloadedWith = (sleeps: number): boolean => {
    const clock = new HandClock();
    const pace = { slept: 0, end: () => undefined };
    const refused: string[] = [];
    loop.mockImplementation(() => ({ active: clock.now(), idle: 0, utilization: 1 }));
    const operations = new Operations({
      clock,
      log: { info: () => undefined, error: (text: string) => void refused.push(text) },
      about: { version: '1', sessionMs: 1 },
      pace,
    });
    const exchange = { liveCalls: [], liveRooms: [], subscribe: () => () => undefined };
    operations.ready({ exchange, notifiedOf: () => null, websockets: { count: 0 }, services: [] } as never);
    // Turns of 300 ms, of which the pace slept a part.
    for (let turns = 0; turns < 40; turns += 1) {
      pace.slept += sleeps;
      clock.stall(300);
    }
    operations.dispose();
    return refused.length > 0;
  };
  expect([overloadedWith(0), overloadedWith(150)]).toEqual([true, false]);
});
