/** The load generator in a time that the test moves, with pairs that do what the test says. */
import { expect, it } from 'vitest';
import type { Timer } from '../../../../src/common/clock.ts';
import type { CallListener, Ending, Moments, Step } from '../../../../cli/load/call-pair.ts';
import { stagesOf } from '../../../../cli/load/arrivals.ts';
import { type Callable, LoadGenerator, type LoadPlan } from '../../../../cli/load/generator.ts';
import { Tally } from '../../../../cli/load/tally.ts';
import { HandClock } from '../../support/hand-clock.ts';
import { PLAN } from './plan.ts';

/** A pair of which each step takes this time, until the server is silent. */
class FakePair implements Callable {
  readonly did: string[] = [];
  isSilent = false;
  areHeard: boolean | null = null;
  #listener: CallListener | null = null;
  #moments: Moments = { sent: 0, accepting: 0, ending: 0, areHeard: null };
  #timer: Timer | null = null;
  readonly #clock: HandClock;
  readonly #stepMs: number;

  constructor(clock: HandClock, stepMs: number) {
    this.#clock = clock;
    this.#stepMs = stepMs;
  }

  dial(listener: CallListener, accepts: boolean): void {
    this.did.push('dial');
    this.#listener = listener;
    this.#moments = { sent: this.#clock.now(), accepting: 0, ending: 0, areHeard: null };
    this.#later(() => {
      this.#moments.accepting = this.#clock.now();
      if (accepts) {
        this.#later(() => {
          this.#later(() => this.#step('connected'));
          this.#step('accepted');
        });
      }
      this.#step('rang');
    });
  }

  end(how: Ending): void {
    this.did.push(how);
    this.#moments.ending = this.#clock.now();
    this.#moments.areHeard = this.areHeard;
    this.#later(() => {
      this.#step('ended');
      this.#step('over');
    });
  }

  abandon(): void {
    this.did.push('abandon');
    this.#listener = null;
    this.#timer?.cancel();
  }

  alive(): void {
    this.did.push('alive');
  }

  refuse(code: number): void {
    this.#listener?.refused('dial', code);
  }

  #later(run: () => void): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(this.#stepMs, () => this.isSilent || run());
  }

  #step(step: Step): void {
    this.#listener?.stepped(step, this.#moments);
  }
}

function begin(plan: Partial<LoadPlan> = {}, { pairs = 20, stepMs = 10 } = {}) {
  const clock = new HandClock();
  const tally = new Tally(10_000);
  const users = Array.from({ length: pairs }, () => new FakePair(clock, stepMs));
  const generator = new LoadGenerator({ ...PLAN, ...plan }, users, { clock, sink: tally });
  let isDone = false;
  void generator.done.then(() => (isDone = true));
  generator.start();
  return { clock, tally, users, generator, isDone: () => Promise.resolve().then(() => isDone) };
}

it('dials when calls are due, holds them, ends them, and is done without a timer left', async () => {
  const { clock, tally, isDone } = begin();
  clock.advance(1_000);
  expect(tally.dialledCalls).toBe(10);
  clock.advance(489);
  expect(await isDone()).toBe(false);
  clock.advance(10);
  expect(tally.outcomes).toEqual([{ outcome: 'completed', detail: '', count: 10 }]);
  expect(tally.time('dial-to-ring').percentile(99)).toBeCloseTo(10, 1);
  expect(tally.time('dial-to-accept').percentile(99)).toBeCloseTo(20, 1);
  expect(tally.time('accept-to-connected').percentile(99)).toBeCloseTo(20, 1);
  expect(tally.time('end-to-ended').percentile(99)).toBeCloseTo(10, 1);
  expect(tally.time('dial-lag').max).toBeCloseTo(0.001, 3);
  expect(await isDone()).toBe(true);
  expect(clock.pending).toBe(0);
});

it('counts a late dial from the moment when it was due, when the generator itself is late', () => {
  const { clock, tally } = begin();
  clock.advance(40);
  clock.stall(300);
  clock.advance(10);
  // Due at 50, 150 and 250, and dialled at 340.
  expect(tally.time('dial-to-ring').count).toBe(3);
  expect(tally.time('dial-to-ring').max).toBeCloseTo(300, 0);
  expect(tally.time('dial-lag').max).toBeCloseTo(290, 0);
  expect(tally.waitedCalls).toBe(0);
});

it('counts the wait for a free pair, so that a slow server cannot slow the arrivals down', () => {
  const { clock, tally } = begin({ stages: stagesOf(10, 300, 0) }, { pairs: 1 });
  clock.advance(5_000);
  // Each call takes 540 ms: the second is due at 150 and dialled at 590, the third at 250 and 1130.
  expect(tally.outcomes).toEqual([{ outcome: 'completed', detail: '', count: 3 }]);
  expect(tally.time('dial-to-ring').min).toBeCloseTo(10, 0);
  expect(tally.time('dial-lag').max / 880).toBeCloseTo(1, 2);
  expect(tally.time('dial-to-ring').max / 890).toBeCloseTo(1, 2);
  expect(tally.waitedCalls).toBe(2);
});

it('counts no call as waiting that finds a free pair after others have waited', () => {
  const stages = [
    { forMs: 0, toRate: 10 },
    { forMs: 300, toRate: 10 },
    { forMs: 0, toRate: 0.25 },
    { forMs: 8_000, toRate: 0.25 },
  ];
  const { clock, tally } = begin({ stages }, { pairs: 1 });
  clock.advance(20_000);
  expect(tally.dialledCalls).toBe(5);
  expect(tally.waitedCalls).toBe(2);
});

it('gives up dials for which no pair becomes free', async () => {
  const { clock, tally, users, isDone } = begin({ stages: stagesOf(10, 300, 0) }, { pairs: 1 });
  clock.advance(100);
  for (const user of users) user.isSilent = true;
  clock.advance(20_000);
  expect(tally.calls('stuck')).toBe(2);
  expect(tally.calls('unsent')).toBe(1);
  expect(tally.calls('calls')).toBe(3);
  expect(await isDone()).toBe(true);
});

it('gives up a call whose next step does not come, and uses its pair again', () => {
  const { clock, tally, users } = begin({ stages: stagesOf(10, 100, 0) }, { pairs: 1 });
  clock.advance(55);
  for (const user of users) user.isSilent = true;
  clock.advance(2_000);
  expect(tally.outcomes).toEqual([{ outcome: 'stuck', detail: 'not rang', count: 1 }]);
  expect(users[0]?.did).toEqual(['dial', 'abandon']);
  expect(clock.pending).toBe(0);
});

it('counts refusals by command and code', () => {
  const { clock, tally, users } = begin({ stages: stagesOf(10, 200, 0) });
  clock.advance(52);
  users[0]?.refuse(1400111);
  expect(tally.outcomes).toEqual([{ outcome: 'refused', detail: 'dial 1400111', count: 1 }]);
});

it('lets the mix decide which calls are declined and canceled', () => {
  const { clock, tally } = begin({ mix: { complete: 2, decline: 2, cancel: 1 } });
  clock.advance(3_000);
  expect([tally.calls('completed'), tally.calls('declined'), tally.calls('canceled')]).toEqual([4, 4, 2]);
  expect(tally.time('dial-to-accept').count).toBe(4);
  expect(tally.time('end-to-ended').count).toBe(10);
});

it('counts a call whose tone was not heard as a failure', () => {
  const { clock, tally, users } = begin({ media: 'tone', stages: stagesOf(10, 200, 0) });
  for (const [at, user] of users.entries()) user.areHeard = at > 0;
  clock.advance(3_000);
  expect([tally.calls('completed'), tally.calls('unheard'), tally.calls('failed')]).toEqual([1, 1, 1]);
});

it('reports that both sides of a long call are alive', () => {
  const { clock, users } = begin({ stages: stagesOf(10, 100, 0), holdMs: 61_000 }, { pairs: 1 });
  clock.advance(70_000);
  expect(users[0]?.did).toEqual(['dial', 'alive', 'alive', 'end']);
  expect(clock.pending).toBe(0);
});

it('ends every live call when it is stopped, and dials no more', async () => {
  const { clock, tally, users, generator, isDone } = begin();
  clock.advance(460);
  generator.stop();
  expect(await isDone()).toBe(false);
  clock.advance(2_500);
  expect(tally.calls('interrupted')).toBe(5);
  expect(tally.calls('failed')).toBe(0);
  expect(users.flatMap(({ did }) => did).filter((word) => word === 'dial')).toHaveLength(5);
  expect(await isDone()).toBe(true);
  expect(clock.pending).toBe(0);
});

it('dials its part of the calls alone', () => {
  const [first, second] = [0, 1].map((at) => begin({ part: { at, of: 2 } }));
  for (const one of [first, second]) one?.clock.advance(149);
  expect([first?.tally.dialledCalls, second?.tally.dialledCalls]).toEqual([1, 0]);
  for (const one of [first, second]) one?.clock.advance(3_000);
  expect([first?.tally.dialledCalls, second?.tally.dialledCalls]).toEqual([5, 5]);
});

it('is over when the channels of all pairs have closed', async () => {
  const { users, generator, isDone, clock } = begin();
  for (const user of users) generator.retire(user);
  expect(await isDone()).toBe(true);
  expect(clock.pending).toBe(0);
});
