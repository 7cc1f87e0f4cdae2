import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { violationsOf, type Aftermath } from '../../../sim/scenario/invariants/aftermath.ts';
import { CALL_INVARIANTS } from '../../../sim/scenario/explore/call-invariants.ts';
import { CLUSTER_INVARIANTS, mustGoOn } from '../../../sim/scenario/explore/cluster-invariants.ts';
import { drawCall } from '../../../sim/scenario/explore/draw-call.ts';
import { drawRoom } from '../../../sim/scenario/explore/draw-room.ts';
import { explore, play, scenarioText } from '../../../sim/scenario/explore/explore.ts';
import { modelOf } from '../../../sim/scenario/explore/models.ts';
import { ROOM_CLUSTER_INVARIANTS } from '../../../sim/scenario/explore/room-invariants.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import { VirtualStore } from '../../../sim/scenario/virtual/virtual-store.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';

/** The stories of the normal run. The command explores more of them. */
const SEEDS = 60;
/** Stories that broke an invariant of an earlier version. */
const FORMERLY_BROKEN = [
  ...[106, 208, 252, 1_188, 1_582, 1_985, 4_259, 4_814, 4_858, 5_589, 5_996, 8_245],
  ...[11_607, 12_191, 12_376, 14_302, 14_851, 15_912, 16_280, 17_058, 18_603, 19_516],
  ...[30_563, 31_491, 73_339, 73_349, 73_834, 81_164, 120_405, 122_131, 132_428, 132_486, 135_238, 178_312],
];

const fault = (what: string): TraceEvent => ({ at: 1, kind: 'fault', what, on: true });

describe('random stories of three nodes', () => {
  it('break nodes, their shared state and their bus, and can be written and read', () => {
    const stories = Array.from({ length: 60 }, (_, seed) => drawCall(seed, 3));
    const broken = stories.flatMap(({ steps }) =>
      steps.flatMap((step) =>
        step.verb === 'fault' ? [`${step.fault.kind} ${'how' in step.fault ? step.fault.how : ''}`] : [],
      ),
    );
    for (const how of ['crash', 'restart', 'drain', 'pause', 'cut-off']) expect(broken).toContain(`node ${how}`);
    for (const how of ['clock-skew', 'clock-drift']) expect(broken).toContain(`node ${how}`);
    for (const how of ['down', 'wipe', 'slow']) expect(broken).toContain(`state ${how}`);
    for (const how of ['drop', 'delay', 'duplicate']) expect(broken).toContain(`bus ${how}`);
    for (const story of stories) {
      const read = readScenario('found.yaml', scenarioText(story, { id: 'I26', message: 'two nodes have it' }));
      expect([read.nodes, read.steps.length]).toEqual([3, story.steps.length]);
    }
    // Stories of one node are as they always were.
    expect(drawCall(7, 1)).toEqual(drawCall(7));
  });

  it('I9 I22 I26 I27 I28: break no invariant', async () => {
    const { seeds, found, events, moves } = await explore({ firstSeed: 1, seeds: SEEDS, nodes: 3 });
    expect(found.map(({ seed, violation }) => [seed, violation])).toEqual([]);
    expect(seeds).toBe(SEEDS);
    expect(events).toBeGreaterThan(100 * SEEDS);
    expect(moves).toContain('call established -> connected');
  });

  it('I26 I27 I28: break no invariant that they broke before', async () => {
    for (const seed of FORMERLY_BROKEN) {
      const { found } = await explore({ firstSeed: seed, seeds: 1, nodes: 3 });
      expect(found.map(({ violation }) => [seed, violation])).toEqual([]);
    }
  });

  it('have one trace for one seed', async () => {
    const traceOf = async (seed: number) => {
      const [result] = await runScenario(drawCall(seed, 3), {
        name: 'virtual',
        world: virtualWorld,
        stopwatch: () => 0,
      });
      return JSON.stringify(result?.trace);
    };
    for (const seed of [2, 13, 34]) expect(await traceOf(seed)).toBe(await traceOf(seed));
    expect(await traceOf(35)).not.toBe(await traceOf(34));
  });

  it('run as they were found, from the file that is saved', async () => {
    const violation = { id: 'I26', message: 'two nodes have it' };
    for (const [model, seed] of [
      ['direct', 5],
      ['direct', 30_563],
      ['direct', 31_491],
      ['room', 29],
    ] as const) {
      const story = modelOf(model, 3).draw(seed);
      const saved = readScenario('found.yaml', scenarioText(story, violation, model));
      const [result] = await runScenario(saved, { name: 'virtual', world: virtualWorld, stopwatch: () => 0 });
      const { events, violations } = await play(story, modelOf(model, 3));
      expect([result?.failure, result?.trace.length, violations]).toEqual([undefined, events, []]);
    }
  });

  it('run where they were found: the story of a seed plays the same twice', async () => {
    const [one, two] = [await play(drawCall(5, 3)), await play(drawCall(5, 3))];
    expect(two).toEqual(one);
  });
});

describe('the ends of a call whose node is killed', () => {
  /**
   * Returns whether a device has heard of the end of a call, and what is wrong in the end.
   *
   * @param wait - the time from the end until the node is killed.
   * @param isStored - false for a database that does not answer the node.
   */
  const endsAfter = async (wait: string, isStored = true) => {
    const save = vi.spyOn(VirtualStore.prototype, 'saveCalls');
    onTestFinished(() => save.mockRestore());
    if (!isStored) save.mockImplementationOnce(() => new Promise(() => undefined));
    const story = `scenario: killed
nodes: 3
actors: { alice: { user: alice }, bob: { user: bob } }
steps:
  - { do: alice.dial, with: { callee: bob } }
  - { expect: { bob.call.state: ringing }, within: 1s }
  - { do: bob.accept }
  - { expect: { alice.call.state: connected, bob.call.state: connected }, within: 5s }
  - { wait: 2s }
  - { fault: { kind: state, how: slow, by: 2500ms }, until: 3s }
  - { do: alice.hold, waits: false }
  - { wait: 5ms }
  - { do: alice.end, waits: false }
  - { wait: ${wait} }
  - { fault: { kind: node, of: node-1, how: crash } }
  - { wait: 200s }
`;
    const [result] = await runScenario(readScenario('killed.yaml', story), {
      name: 'virtual',
      world: virtualWorld,
      stopwatch: () => 0,
    });
    const isHeard = result?.trace.some(
      ({ kind, ...event }) => kind === 'message' && 'cmd' in event && event.cmd === 'end_ack',
    );
    return [isHeard, result?.failure?.message];
  };

  it('count when a device has heard of one, and not while its messages wait for the store', async () => {
    const twice = 'left over at the end: a call ended 2 times: completed at node-1, connection_lost at node-2';
    expect(await endsAfter('900ms', false)).toEqual([false, undefined]);
    expect(await endsAfter('1200ms', false)).toEqual([true, twice]);
  });

  it('are stored while the shared state is slow', async () => {
    for (const wait of ['1200ms', '3s']) expect([wait, await endsAfter(wait)]).toEqual([wait, [true, undefined]]);
  });
});

describe('random stories of a room at three nodes', () => {
  it('break nodes, and can be written and read', () => {
    const stories = Array.from({ length: 30 }, (_, seed) => drawRoom(seed, 3));
    const broken = stories.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.verb === 'fault' ? [step.fault.kind] : [])),
    );
    for (const kind of ['node', 'state', 'bus', 'media', 'server']) expect(broken).toContain(kind);
    for (const story of stories) {
      expect(readScenario('found.yaml', scenarioText(story, { id: 'I17', message: 'broken' }, 'room')).nodes).toBe(3);
    }
    expect(drawRoom(7, 1)).toEqual(drawRoom(7));
  });

  it('I17 I18 I22 I29: break no invariant, also none that they broke before', async () => {
    const { seeds, found } = await explore({ model: 'room', firstSeed: 1, seeds: 15, nodes: 3 });
    expect([seeds, found.map(({ seed, violation }) => [seed, violation])]).toEqual([15, []]);
    for (const seed of [29, 367, 61_023, 70_140, 81_230, 100_674]) {
      const again = await explore({ model: 'room', firstSeed: seed, seeds: 1, nodes: 3 });
      expect(again.found.map(({ violation }) => [seed, violation])).toEqual([]);
    }
  });

  it('I29: a participant must not be lost while only nodes are replaced', () => {
    const lost: TraceEvent = { at: 2, kind: 'error', device: 'bob', code: 1_800_706, message: '' };
    const idsOf = (...events: TraceEvent[]) => {
      const trace = [fault('node of node-1 how crash'), ...events];
      const after: Aftermath = { trace, devices: ['bob'], leftovers: [], promises: new Map(), read: () => 0 } as never;
      return violationsOf(after, ROOM_CLUSTER_INVARIANTS).map(({ id }) => id);
    };
    expect(idsOf(lost)).toEqual(['I29']);
    expect(idsOf()).toEqual([]);
    const entering = (device: string, kick_siblings: boolean): TraceEvent => ({
      ...({ at: 1, kind: 'message', device, direction: 'up', cmd: 'room_enter' } as const),
      payload: { kick_siblings },
    });
    const phone: TraceEvent = { ...lost, device: 'bob.phone' };
    expect(idsOf(entering('bob.laptop', true), phone)).toEqual([]);
    for (const enter of [entering('bob.laptop', false), entering('alice', true), entering('bob.phone', true)])
      expect(idsOf(enter, phone)).toEqual(['I29']);
    for (const what of ['sleep actor bob', 'node of node-1 how cut-off', 'state how wipe', 'bus how drop'])
      expect([idsOf(fault(what), lost), idsOf(lost, fault(what))]).toEqual([[], ['I29']]);
  });
});

describe('the invariants of several nodes', () => {
  const values: Record<string, unknown> = {
    'alice.sound': 'none',
    'bob.sound': 'none',
    'alice.call.result': 'completed',
    'bob.call.result': 'completed',
    'server.calls': 0,
    'server.owners': [],
    'server.results': ['completed'],
  };
  const broken = (changed: Record<string, unknown>, trace: readonly TraceEvent[] = []) => {
    const after: Aftermath = {
      trace,
      devices: ['alice', 'bob'],
      promises: [],
      leftovers: [],
      read: (path) => ({ ...values, ...changed })[path],
    };
    return violationsOf(after, { ...CALL_INVARIANTS, ...CLUSTER_INVARIANTS }).map(({ id }) => id);
  };
  const down = (cmd: string, payload: unknown): TraceEvent => ({
    at: 1,
    kind: 'message',
    device: 'alice',
    direction: 'down',
    cmd,
    payload,
  });
  const told = (device: string, name: string): TraceEvent => ({ at: 1, kind: 'told', device, name });
  const connected = [told('alice', 'onConnected'), told('bob', 'onConnected')];
  const lasted = (alice: number, bob: number) =>
    broken({ 'alice.call.duration': alice, 'bob.call.duration': bob }, connected);

  it('hold for a call of one node that ended once', () => {
    expect(broken({}, [down('dial_ack', {}), down('end', { end_result: 'completed' })])).toEqual([]);
    expect(lasted(5_000, 5_008)).toEqual([]);
  });

  it('hold for a call that the exchange lost when its state was lost', () => {
    const lost = { 'server.results': [], 'alice.call.result': 'unknown', 'bob.call.result': 'unknown' };
    for (const what of ['state how wipe', 'state how down', 'server how forget-calls'])
      expect(broken(lost, [down('dial_ack', {}), fault(what)])).toEqual([]);
    const crash = fault('node of node-1 how crash');
    expect(broken(lost, [down('dial_ack', {}), crash])).toEqual(['I27', 'I28']);
    // A device that was away at the end of the call gets the end from the history.
    expect(broken({ 'bob.call.result': 'unknown' }, [fault('offline actor bob'), crash])).toEqual(['I28']);
  });

  it.each<[string, () => string[]]>([
    ['I8', () => lasted(5_000, 5_009)],
    ['I14', () => broken({}, [told('alice', 'onRinging'), told('alice', 'onRinging')])],
    ['I26', () => broken({ 'server.owners': ['node-2'] })],
    ['I27', () => broken({ 'server.results': ['completed', 'completed'] })],
    ['I27', () => broken({ 'server.results': ['timed_out'] }, [down('end', { end_result: 'completed' })])],
    ['I28', () => broken({ 'bob.call.result': 'unknown' })],
  ])('%s is broken by its breach alone', (id, breach) => {
    expect(breach()).toEqual([id]);
  });

  it('I14: a device may ring again for a call that is dialled again after the exchange has forgotten the first', () => {
    const rung = (call_id: string) => [down('dial', { call_id }), told('alice', 'onRinging')];
    const forgotten = fault('server how forget-calls');
    const stories: readonly (readonly TraceEvent[])[] = [
      [...rung('first'), forgotten, ...rung('second')],
      [...rung('first'), fault('state how wipe'), ...rung('second')],
      [...rung('first'), ...rung('second'), forgotten],
      [...rung('first'), forgotten, ...rung('first')],
      [forgotten, ...rung('first'), ...rung('first')],
    ];
    expect(stories.map((trace) => broken({}, trace).includes('I14'))).toEqual([false, true, true, true, true]);
  });

  it('I29: a call with media must go on while only nodes break, and no user ends it', () => {
    const step = (text: string): TraceEvent => ({ at: 1, kind: 'step', place: 'x:1', text });
    const ofNodes = [fault('node of node-1 how crash'), fault('bus how drop'), fault('state how slow by 5ms')];
    expect(mustGoOn([...connected, ...ofNodes, step('bob.mute')])).toBe(true);
    expect(mustGoOn(ofNodes)).toBe(false);
    for (const what of ['media actor bob', 'state how wipe', 'server how forget-calls', 'offline actor alice'])
      expect(mustGoOn([...connected, fault(what)])).toBe(false);
    for (const action of ['end', 'decline', 'cancel'])
      expect(mustGoOn([...connected, step(`bob.${action}`)])).toBe(false);
  });
});
