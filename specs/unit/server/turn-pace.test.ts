import { performance } from 'node:perf_hooks';
import { Writable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { busyShareSinceLastCall } from '../../../sim/server/operations/busy-share.ts';
import { Operations } from '../../../sim/server/operations/operations.ts';
import { paceOfProcess, TurnPace } from '../../../sim/server/turn-pace.ts';
import { TurnWrites } from '../../../sim/server/turn-writes.ts';
import { HandClock } from '../support/hand-clock.ts';

afterEach(() => vi.restoreAllMocks());

function paced() {
  const loop = { now: 1_000, share: 0 };
  const sleeps: number[] = [];
  const pace = new TurnPace({
    now: () => loop.now,
    sleep: (ms) => {
      sleeps.push(Number(ms.toFixed(3)));
      loop.now += ms;
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
  });

  it('does not touch a loop that has time, and lets go of one that has time again', () => {
    const { loop, pace, turns } = paced();
    loop.share = 0.5;
    expect(turns(1_000, 0.25)).toEqual([]);
    loop.share = 0.6;
    turns(400, 0.25);
    expect(turns(1, 0.25)).toEqual([0.75]);
    // Between the two limits it stays as it was.
    loop.share = 0.45;
    turns(200, 0.25);
    expect(turns(1, 0.25)).toEqual([0.75]);
    loop.share = 0.4;
    turns(200, 0.25);
    expect(turns(100, 0.25)).toEqual([]);
    expect(pace.slept).toBeGreaterThan(0);
  });

  it('ends a turn once, after its writes', async () => {
    const order: string[] = [];
    const turn = new TurnWrites({ end: () => void order.push('end') });
    const stream = () => new Writable({ write: (chunk, _, done) => (order.push(String(chunk)), done()) });
    for (const [socket, text] of [
      [stream(), 'one'],
      [stream(), 'two'],
    ] as const) {
      turn.hold(socket);
      socket.write(text);
    }
    await new Promise((resolve) => void setImmediate(resolve));
    expect(order).toEqual(['one', 'two', 'end']);
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

it('the operations of a server have a pace on request only', () => {
  const about = { version: '1', sessionMs: 1 };
  const open = (pacesTurns?: boolean) => {
    const one = new Operations({
      clock: new HandClock(),
      log: { info: () => undefined, error: () => undefined },
      about,
      ...(pacesTurns ? { pacesTurns } : {}),
    });
    one.dispose();
    return one.pace;
  };
  expect([open(), open(true)]).toEqual([null, expect.any(TurnPace)]);
});
