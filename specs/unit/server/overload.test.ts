import { describe, expect, it } from 'vitest';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { Overload } from '../../../sim/server/operations/overload.ts';
import { createExchangeFixture } from '../exchange/exchange-fixture.ts';
import { HandClock } from '../support/hand-clock.ts';

function watched() {
  const clock = new HandClock();
  const loop = { share: 0, frameWait: 0 };
  const changes: boolean[] = [];
  const overload = new Overload({
    clock,
    utilization: () => loop.share,
    longestWait: () => loop.frameWait,
    onChange: (isOverloaded) => void changes.push(isOverloaded),
  });
  /** Lets time pass in turns of the event loop of this length. */
  const pass = (ms: number, turnMs: number) => {
    for (let left = ms; left > 0; left -= turnMs) clock.stall(turnMs);
  };
  return { clock, loop, changes, overload, pass };
}

describe('the watch over the event loop', () => {
  it('reports an overload after four seconds without a pause, and its end after one calm second', () => {
    const { loop, changes, overload, pass } = watched();
    loop.share = 0.99;
    pass(3_900, 300);
    expect(overload.isOverloaded).toBe(false);
    pass(1_200, 300);
    expect([overload.isOverloaded, changes]).toEqual([true, [true]]);
    loop.share = 0.95;
    pass(5_000, 250);
    expect(overload.isOverloaded).toBe(true);
    loop.share = 0.5;
    pass(1_500, 250);
    expect([overload.isOverloaded, changes]).toEqual([false, [true, false]]);
  });

  it('reports an overload of short turns in which frames wait', () => {
    const { overload, loop, pass } = watched();
    loop.share = 1;
    loop.frameWait = 19;
    pass(10_000, 10);
    expect(overload.isOverloaded).toBe(false);
    loop.frameWait = 20;
    pass(4_500, 10);
    expect(overload.isOverloaded).toBe(true);
  });

  it('reports none for short turns, for peaks with pauses, and for long turns of a loop that mostly waits', () => {
    const { loop, changes, pass } = watched();
    loop.share = 1;
    pass(10_000, 10);
    for (let peak = 0; peak < 5; peak += 1) {
      loop.share = 1;
      pass(3_000, 300);
      loop.share = 0.3;
      pass(500, 250);
    }
    pass(10_000, 400);
    expect(changes).toEqual([]);
  });

  it('stops with its owner', () => {
    const { clock, overload } = watched();
    overload.dispose();
    expect(clock.pending).toBe(0);
  });
});

describe('an overloaded exchange', () => {
  it('refuses new dials, and its calls go on', async () => {
    const load = { isOver: false };
    const { device } = createExchangeFixture({ policy: { isOverloaded: () => load.isOver } });
    const [alice, bob, carol] = [await device('alice'), await device('bob'), await device('carol')];
    const call_id = alice.dial('bob');
    load.isOver = true;
    const refused = carol.send('dial', {
      callee_id: 'dave',
      is_video_call: false,
      constraints: { audio: true, video: false },
      capabilities: [],
    });
    expect(refused.error).toEqual({
      code: ErrorCode.ERR_SERVER_INTERNAL_ERROR,
      message: expect.stringContaining('busy'),
    });
    expect([bob.accept(call_id), alice.code('end', { call_id })]).toEqual([0, 0]);
    load.isOver = false;
    (await device('dave')).disconnect();
    expect(carol.dial('dave')).toBeTruthy();
  });
});
