import { describe, expect, it } from 'vitest';
import { drawCall } from '../../../sim/scenario/explore/draw-call.ts';
import { explore, play, scenarioText, shrink } from '../../../sim/scenario/explore/explore.ts';
import { type Aftermath, type Invariant, violationsOf } from '../../../sim/scenario/invariants/aftermath.ts';
import { runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';
import { isCrash } from '../../../sim/scenario/invariants/crash.ts';
import { settleCall } from '../../../sim/scenario/explore/call-model.ts';
import { CALL_INVARIANTS } from '../../../sim/scenario/explore/call-invariants.ts';
import { PromiseWorld, type Promised } from '../../../sim/scenario/invariants/promises.ts';
import { StepFailure } from '../../../sim/scenario/run/step.ts';
import { Story } from '../../../sim/scenario/run/story.ts';
import { takeStep } from '../../../sim/scenario/run/take-step.ts';
import { ActionImpossible, type ScenarioWorld } from '../../../sim/scenario/run/world.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';

describe('random stories', () => {
  it('are equal for the same seed, differ for others, and can be written and read', () => {
    expect(drawCall(7)).toEqual(drawCall(7));
    expect(drawCall(8).steps).not.toEqual(drawCall(7).steps);
    for (let seed = 1; seed <= 40; seed += 1) {
      const text = scenarioText(drawCall(seed), { id: 'I3', message: 'it was told twice' });
      const read = readScenario('found.yaml', text);
      expect([read.steps.length, read.invariants]).toEqual([drawCall(seed).steps.length, 'direct']);
    }
  });

  it('I9: report a call that one user alone still has, also on two devices', async () => {
    const violationsWith = async (live: readonly string[]) => {
      const world = {
        until: () => Promise.resolve(),
        act: () => undefined,
        read: (path: string) => (live.some((name) => path === `${name}.calls`) ? 1 : 0),
      } as unknown as ScenarioWorld;
      return (await settleCall(world, ['alice', 'bob.phone', 'bob.laptop'])).map(
        ({ id, message }) => `${id} ${message}`,
      );
    };
    const only = (who: string) => [`I9 of the two sides only ${who} still has the call`];
    expect(await violationsWith(['alice'])).toEqual(only('alice'));
    expect(await violationsWith(['bob.phone'])).toEqual(only('bob.phone'));
    expect(await violationsWith(['bob.phone', 'bob.laptop'])).toEqual(only('bob.phone and bob.laptop'));
    expect([await violationsWith(['alice', 'bob.phone']), await violationsWith([])]).toEqual([[], []]);
  });

  it('that break an invariant break it again from the file that is saved', async () => {
    const invariants = CALL_INVARIANTS as Record<string, Invariant>;
    invariants['I99'] = ({ trace }) => (trace.some(({ kind }) => kind === 'fault') ? 'a fault happened' : undefined);
    try {
      const { found } = await explore({ firstSeed: 1, seeds: 20, most: 1 });
      const [one] = found;
      if (!one) throw new Error('no story has a fault');
      expect(one.violation.id).toBe('I99');
      const saved = readScenario('found.yaml', scenarioText(one.scenario, one.violation));
      const [result] = await runScenario(saved, { name: 'virtual', world: virtualWorld, stopwatch: () => 0 });
      expect(result?.failure?.message).toBe('I99 is broken: a fault happened');
    } finally {
      delete invariants['I99'];
    }
  });

  it('run to their end, and leave no timer or connection', async () => {
    const { seeds, found, events, moves } = await explore({ firstSeed: 1, seeds: 25 });
    expect({ seeds, found }).toEqual({ seeds: 25, found: [] });
    expect(events).toBeGreaterThan(500);
    expect(moves).toContain('call ringing -> accepting');
  });

  it('continue when an action is refused, and record that', async () => {
    const drawn = drawCall(3);
    const place = { file: 'x', line: 1, column: 1 };
    const steps = [...drawn.steps, { verb: 'do', do: 'alice.fly', place } as const];
    const { refused, violations } = await play({ ...drawn, steps });
    expect(refused.has(steps.at(-1) as never)).toBe(true);
    expect(violations).toEqual([]);
  });

  it('are shortened while they still break the same invariant', async () => {
    let asked = 0;
    const needs = (list: readonly number[]) => {
      asked += 1;
      return Promise.resolve(list.includes(3) && list.includes(11));
    };
    expect(await shrink([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], needs)).toEqual([3, 11]);
    expect(asked).toBeLessThan(40);
    expect(await shrink([1, 2], () => Promise.resolve(false))).toEqual([1, 2]);
  });
});

describe('the promises that a world records', () => {
  it('I5 have their action, and the time when they settled', async () => {
    const world = { now: 5, act: () => acted } as unknown as { now: number };
    const watched = new PromiseWorld(world as never);
    let acted: unknown = {};
    await watched.act('bob', 'mute', {});
    const settle: (() => void)[] = [];
    for (const end of [0, 1]) {
      const done = new Promise<void>((resolve, reject) => settle.push(end === 0 ? resolve : reject));
      acted = end === 0 ? { done } : Promise.resolve({ done });
      await watched.act('alice', 'hold', {});
    }
    const asked = { device: 'alice', action: 'hold', atMs: 5 };
    expect(watched.promises).toEqual([
      { ...asked, settledMs: undefined },
      { ...asked, settledMs: undefined },
    ]);
    world.now = 9;
    for (const one of settle) one();
    await Promise.resolve();
    expect(watched.promises).toEqual([
      { ...asked, settledMs: 9 },
      { ...asked, settledMs: 9 },
    ]);
  });
});

describe('an action that fails', () => {
  it('is a refusal with a code, or impossible, or else a crash', async () => {
    const place = { file: 'x', line: 1, column: 1 };
    const failed = (cause: unknown) => new StepFailure(place, 'alice.dial failed', { cause });
    expect(
      [new CallError(ErrorCode.INVALID_PARAMETER_VALUE), new ActionImpossible('no call')].map((cause) =>
        isCrash(failed(cause)),
      ),
    ).toEqual([false, false]);
    expect([isCrash(failed(new TypeError('x'))), isCrash(new TypeError('x'))]).toEqual([true, true]);
    // A DOMException has a code too, which is not a code of the library.
    expect(isCrash(failed(new DOMException('x', 'NotFoundError')))).toBe(true);
    const story = { ...drawCall(3), steps: [{ verb: 'do', do: 'alice.end', place } as const] };
    expect((await play(story)).violations).toEqual([]);
  });
});

describe('a step whose action crashes', () => {
  it('fails with the cause of the crash', async () => {
    const crash = new TypeError('x is undefined');
    const world = {
      now: 0,
      trace: [],
      tolerance: () => 0,
      act: () => {
        throw crash;
      },
    } as unknown as ScenarioWorld;
    const place = { file: 'x', line: 1, column: 1 };
    const error: unknown = await takeStep({ verb: 'do', do: 'alice.end', place }, new Story(world, {}), 1).catch(
      (e: unknown) => e,
    );
    expect(error).toMatchObject({ message: 'alice.end failed: x is undefined', cause: crash });
    expect(isCrash(error)).toBe(true);
  });
});

describe('invariants', () => {
  const values: Record<string, unknown> = {
    'alice.sound': 'none',
    'bob.sound': 'none',
    'alice.call.result': 'completed',
    'bob.call.result': 'completed',
    'server.calls': 0,
  };
  const after = (
    trace: readonly TraceEvent[],
    changed: Record<string, unknown> = {},
    leftovers: readonly string[] = [],
    promises: readonly Promised[] = [],
  ): Aftermath => ({
    trace,
    devices: ['alice', 'bob'],
    promises,
    leftovers,
    read: (path) => ({ ...values, ...changed })[path],
  });
  const told = (device: string, ...names: string[]): TraceEvent[] =>
    names.map((name) => ({ at: 1, kind: 'told', device, name }));
  const moved = (device: string, from: string, to: string): TraceEvent => ({
    at: 1,
    kind: 'state',
    device,
    machine: 'call',
    from,
    to,
  });
  const sent = (device: string, cmd: string): TraceEvent => ({
    at: 1,
    kind: 'message',
    device,
    direction: 'up',
    cmd,
    payload: {},
  });
  const FAULT: TraceEvent = { at: 1, kind: 'fault', what: 'ws', on: true };
  /** Both sides end at this moment. */
  const ended = (at: number): TraceEvent[] =>
    ['alice', 'bob'].flatMap((device) => [
      { ...moved(device, 'idle', 'ended'), at },
      { at, kind: 'told' as const, device, name: 'onEnded' },
    ]);
  const summary: TraceEvent = {
    at: 1,
    kind: 'http',
    device: 'bob',
    direction: 'up',
    request: 'POST /v1/direct_calls/x/summary',
    body: {},
  };
  const promised = (action: string, settledMs: number | undefined): Promised[] => [
    { device: 'alice', action, atMs: 1_000, settledMs },
  ];
  /** Both sides were connected at the millisecond 1. The call has these lengths for the caller and for the callee. */
  const lasted = (caller: number, callee: number, ...more: TraceEvent[]) =>
    broken([...told('alice', 'onConnected'), ...told('bob', 'onConnected'), ...more], {
      'alice.call.duration': caller,
      'bob.call.duration': callee,
    });
  const broken = (...given: Parameters<typeof after>) =>
    violationsOf(after(...given), CALL_INVARIANTS).map(({ id }) => id);

  it('are true for a successful call', () => {
    expect(
      broken([
        moved('alice', 'idle', 'dialing'),
        moved('alice', 'ending', 'ended'),
        ...told('alice', 'onConnected', 'onReconnecting', 'onReconnected', 'onEnded'),
        sent('bob', 'accept'),
        sent('bob', 'answer'),
        summary,
      ]),
    ).toEqual([]);
  });

  it('I5 I8 are true at their limits: promises, and lengths of the two sides', () => {
    expect([
      ...broken([], {}, [], promised('dial', 121_000)),
      ...broken([], {}, [], promised('hold', 61_000)),
      ...broken([{ ...FAULT, what: 'sleep alice' }], {}, [], promised('hold', 90_000)),
      ...broken([], { 'bob.call.startedAt': 1_000, 'bob.call.endedAt': 1_000 }),
      ...lasted(0, 0, ...ended(1)),
      ...lasted(5_000, 5_004),
      ...lasted(45_000, 5_000, FAULT),
    ]).toEqual([]);
  });

  it.each<[string, () => string[]]>([
    ['I1', () => broken([sent('bob', 'answer')])],
    ['I2', () => broken([], { 'bob.sound': 'ringing' })],
    ['I3', () => broken([moved('alice', 'idle', 'dialing')])],
    ['I3', () => broken(told('alice', 'onEnded'))],
    ['I4', () => broken([{ at: 1, kind: 'error', device: 'bob', message: 'call: x in y: same state' }])],
    ['I5', () => broken([], {}, [], promised('dial', undefined))],
    ['I5', () => broken([], {}, [], promised('dial', 121_001))],
    ['I5', () => broken([], {}, [], promised('hold', 61_001))],
    ['I5', () => broken([{ ...FAULT, what: 'sleep bob' }], {}, [], promised('hold', 61_001))],
    ['I6', () => broken([], {}, ['a timer due in 5 ms'])],
    ['I7', () => broken(told('alice', 'onReconnected'))],
    ['I8', () => broken([], { 'alice.call.duration': 1 })],
    ['I8', () => broken(told('bob', 'onConnected'), { 'bob.call.duration': -1 })],
    ['I8', () => broken([], { 'bob.call.startedAt': 1_001, 'bob.call.endedAt': 1_000 })],
    ['I8', () => lasted(0, 0, ...ended(2))],
    ['I8', () => lasted(5_000, 5_005)],
    ['I8', () => lasted(45_041, 5_000, FAULT)],
    ['I9', () => broken([], { 'bob.call.result': 'declined' })],
    ['I10', () => broken([summary, summary])],
    ['I11', () => broken([sent('bob', 'offer')])],
    ['I14', () => broken(told('bob', 'onRinging', 'onRinging'))],
    ['I22', () => broken([], { 'server.calls': 1 })],
  ])('%s is broken by its breach alone', (id, breach) => {
    expect(breach()).toEqual([id]);
  });
});
