/** A delay with jitter keeps the order of each channel, as TCP does, unless `reorder` is set. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Lane } from '../../../sim/faults/fault-engine.ts';
import type { FaultOf } from '../../../sim/faults/vocabulary.ts';
import { messageRule } from '../../../sim/faults/message-rule.ts';
import { seededRandom } from '../../../sim/virtual/random.ts';
import { createWorld } from '../../../sim/virtual/world.ts';
import { eventFrame, ScriptedExchange } from '../virtual/scripted-exchange.ts';

interface Sending {
  /** Milliseconds after the previous one. */
  readonly pause: number;
  readonly type: string;
}

/** The longest jitter, and the longest pause between two messages, milliseconds. */
const LONGEST_MS = 2_000;
const sendings = fc.array(fc.record({ pause: fc.nat(300), type: fc.constantFrom('offer', 'candidate', 'audio') }), {
  minLength: 2,
  maxLength: 20,
});
const jitters = fc.record({
  by: fc.nat(500),
  jitter: fc.nat(LONGEST_MS),
  seed: fc.nat(),
  cmd: fc.constantFrom('any', 'offer'),
});

/** The order in which messages arrive at either end of a channel that a fault delays. Each is named by its place. */
async function arrivals(
  plan: readonly Sending[],
  { by, jitter, seed, cmd }: { by: number; jitter: number; seed: number; cmd: string },
  reorder?: boolean,
): Promise<{ readonly down: number[]; readonly up: number[] }> {
  const world = createWorld({ seed: 1, exchange: () => new ScriptedExchange() });
  const { exchange } = world;
  exchange.command = () => undefined;
  const down: number[] = [];
  const socket = world.platform('a').net.sockets.open('wss://h/v1/realtime', {
    opened: () => undefined,
    received: (text) => down.push((JSON.parse(text) as { payload: { nth: number } }).payload.nth),
    closed: () => undefined,
  });
  await world.advance(10);
  const fault: FaultOf<'delay'> = { kind: 'delay', cmd, by: `${by}ms`, jitter: `${jitter}ms`, reorder };
  world.network.rule(messageRule(fault, {}, { random: seededRandom(seed) }));
  for (const [nth, { pause, type }] of plan.entries()) {
    await world.advance(pause);
    exchange.latest.send(eventFrame('CALL', type, { nth }));
    socket.send(JSON.stringify({ type, payload: { nth } }));
  }
  await world.advance(2 * LONGEST_MS);
  const up = exchange.latest.received.map((text) => (JSON.parse(text) as { payload: { nth: number } }).payload.nth);
  return { down, up };
}

describe('a delay with jitter', () => {
  it('keeps the order of a channel in both directions, for any jitter and seed', async () => {
    await fc.assert(
      fc.asyncProperty(sendings, jitters, async (plan, jitter) => {
        const sent = [...plan.keys()];
        expect(await arrivals(plan, jitter)).toEqual({ down: sent, up: sent });
      }),
    );
  });

  it('lets messages overtake each other for some seed with `reorder`, in both directions, and loses none', async () => {
    const plan = Array.from({ length: 10 }, () => ({ pause: 20, type: 'offer' }));
    const sent = [...plan.keys()];
    const runs = await Promise.all(
      [1, 2, 3, 4, 5].map((seed) => arrivals(plan, { by: 0, jitter: 1_000, seed, cmd: 'any' }, true)),
    );
    for (const { down, up } of runs) {
      expect(down.toSorted((a, b) => a - b)).toEqual(sent);
      expect(up.toSorted((a, b) => a - b)).toEqual(sent);
    }
    expect(runs.some(({ down }) => down.join() !== sent.join())).toBe(true);
    expect(runs.some(({ up }) => up.join() !== sent.join())).toBe(true);
  });

  it('delays messages as well: each by a different time', async () => {
    const world = createWorld({ seed: 1, exchange: () => new ScriptedExchange() });
    const at: number[] = [];
    world.platform('a').net.sockets.open('wss://h/v1/realtime', {
      opened: () => undefined,
      received: () => at.push(world.clock.now()),
      closed: () => undefined,
    });
    await world.advance(10);
    const fault: FaultOf<'delay'> = { kind: 'delay', cmd: 'any', by: '100ms', jitter: '1s', reorder: undefined };
    world.network.rule(messageRule(fault, {}, { random: seededRandom(3) }));
    const began = world.clock.now();
    for (let nth = 0; nth < 5; nth += 1) {
      world.exchange.latest.send(eventFrame('CALL', 'offer', { nth }));
      await world.advance(2_000);
    }
    const delays = at.map((moment, nth) => moment - began - nth * 2_000);
    expect(delays.every((delay) => delay >= 100 && delay <= 1_102)).toBe(true);
    expect(new Set(delays).size).toBeGreaterThan(3);
  });

  it('does not delay a channel that is opened later', async () => {
    const world = createWorld({ seed: 1, exchange: () => new ScriptedExchange() });
    const { net } = world.platform('a');
    const heard: string[] = [];
    const open = async () => {
      net.sockets.open('wss://h/v1/realtime', {
        opened: () => undefined,
        received: (text) => heard.push((JSON.parse(text) as { type: string }).type),
        closed: () => undefined,
      });
      await world.advance(10);
    };
    await open();
    const undo = world.network.rule(() => ({ delayMs: 60_000, inOrder: true }));
    world.exchange.latest.send(eventFrame('CALL', 'offer', {}));
    undo();
    net.dropSockets();
    await open();
    world.exchange.latest.send(eventFrame('CALL', 'answer', {}));
    await world.advance(10);
    expect(heard).toEqual(['answer']);
  });
});

describe('a delay without jitter', () => {
  it('delays single messages, which others overtake', async () => {
    const world = createWorld({ seed: 1, exchange: () => new ScriptedExchange() });
    const heard: string[] = [];
    world.platform('a').net.sockets.open('wss://h/v1/realtime', {
      opened: () => undefined,
      received: (text) => heard.push((JSON.parse(text) as { type: string }).type),
      closed: () => undefined,
    });
    await world.advance(10);
    const fault: FaultOf<'delay'> = { kind: 'delay', cmd: 'offer', by: '1s', jitter: undefined, reorder: undefined };
    world.network.rule(messageRule(fault, {}, { random: seededRandom(1) }));
    for (const type of ['offer', 'candidate']) world.exchange.latest.send(eventFrame('CALL', type, {}));
    await world.advance(2_000);
    expect(heard).toEqual(['candidate', 'offer']);
  });
});

describe('one direction of a connection on a real clock', () => {
  /** A clock whose timers the test fires. */
  function byHand() {
    const timers: { readonly ms: number; readonly run: () => void }[] = [];
    const delivered: string[] = [];
    const time = { now: 0 };
    const clock = { now: () => time.now, after: (ms: number, run: () => void) => void timers.push({ ms, run }) };
    const lane = new Lane();
    const pass = (name: string, ms: number) => lane.pass(clock, ms, () => delivered.push(name));
    return { delivered, pass, timers, time };
  }

  it('delivers at once when nothing waits before', () => {
    const { delivered, pass, timers } = byHand();
    pass('a', 0);
    pass('b', 0);
    expect([delivered, timers]).toEqual([['a', 'b'], []]);
  });

  it('delivers in the order of sending, whichever timer fires first', () => {
    const { delivered, pass, timers, time } = byHand();
    pass('slow', 90);
    pass('quick', 10);
    pass('undelayed', 0);
    time.now = 90;
    pass('at the moment of the slow one', 0);
    timers[2]?.run();
    timers[1]?.run();
    expect(delivered).toEqual([]);
    timers[0]?.run();
    expect(delivered).toEqual(['slow', 'quick', 'undelayed', 'at the moment of the slow one']);
    pass('after', 0);
    expect(delivered.at(-1)).toBe('after');
  });
});
