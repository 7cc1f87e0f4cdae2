import { describe, expect, it } from 'vitest';
import { Pause } from '../../../sim/scenario/virtual/pause.ts';
import { VirtualState } from '../../../sim/scenario/virtual/virtual-state.ts';
import { StateUnreachable } from '../../../sim/cluster/shared-state.ts';
import { VirtualClock } from '../../../sim/virtual/clock.ts';

async function cluster() {
  const clock = new VirtualClock();
  const state = new VirtualState(clock);
  const pause = new Pause();
  const heard: Record<string, string[]> = { 'node-1': [], 'node-2': [] };
  const connect = async (node: string, own = new Pause()) => {
    const process = node.replace('node-', 'n');
    const connected = state.connect({ process, node, clock, pause: own });
    void connected.subscribe('all', (text) => heard[node]?.push(`${text} ${clock.now() - start}`));
    await clock.advance(1);
    return connected;
  };
  const [one, two] = [await connect('node-1'), await connect('node-2', pause)];
  const start = clock.now();
  return { clock, state, pause, one, two, heard };
}

describe('the shared state of virtual nodes', () => {
  it('answers after a millisecond, and its bus reaches every node', async () => {
    const { clock, one, two, heard } = await cluster();
    const asked = [one.setAbsent('key', 'a', 5_000), two.setAbsent('key', 'b', 5_000), one.publish('all', 'hi')];
    await clock.advance(1);
    expect(await Promise.all(asked)).toEqual([null, 'a', undefined]);
    expect(heard).toEqual({ 'node-1': ['hi 1'], 'node-2': ['hi 1'] });
  });

  it('loses everything between it and a node that is cut off, whose operations end with their limit', async () => {
    const { clock, state, one, two, heard } = await cluster();
    const cut = two.set('late', 'answer', 60_000);
    cut.catch(() => undefined);
    await Promise.resolve();
    state.cutOff('node-2');
    void one.publish('all', 'lost');
    await clock.advance(3_000);
    await expect(cut).rejects.toThrow(StateUnreachable);
    expect([two.isReachable, heard['node-2'], heard['node-1']]).toEqual([false, [], ['lost 1']]);
    state.reconnect('node-2');
    await clock.advance(3_000);
    expect(two.isReachable).toBe(true);
    // The operation took effect, and only its answer was lost.
    const read = one.get('late');
    await clock.advance(1);
    expect(await read).toBe('answer');
  });

  it('refuses connections while it is down, also those of new processes', async () => {
    const { clock, state, one } = await cluster();
    state.setDown(true);
    const late = state.connect({ process: 'n3', node: 'node-3', clock, pause: new Pause() });
    for (const node of [one, late]) await expect(node.get('key')).rejects.toThrow(StateUnreachable);
    state.setDown(false);
    const read = late.get('key');
    await clock.advance(1);
    expect(await read).toBeNull();
  });

  it('loses all its data, and lists the keys that it has', async () => {
    const { clock, state, one } = await cluster();
    void one.set('short', '', 500);
    void one.set('long', '', 5_000);
    await clock.advance(501);
    expect(state.keys).toEqual(['long']);
    state.lose();
    expect(state.keys).toEqual([]);
  });

  it('delivers what arrives for a paused node at the end of its pause', async () => {
    const { clock, pause, one, heard } = await cluster();
    pause.begin();
    void one.publish('all', 'first');
    await clock.advance(5_000);
    void one.publish('all', 'second');
    await clock.advance(1);
    expect(heard['node-2']).toEqual([]);
    pause.end();
    expect(heard['node-2']).toEqual(['first 5001', 'second 5001']);
  });

  it('delivers nothing to a process that has ended', async () => {
    const { clock, state, one, heard } = await cluster();
    void one.publish('all', 'too late');
    await Promise.resolve();
    state.forget('n2');
    await clock.advance(1);
    expect(heard).toEqual({ 'node-1': ['too late 1'], 'node-2': [] });
  });

  it('loses, delays and duplicates messages of the bus between the nodes of a rule, until the rule is removed', async () => {
    const { clock, state, one, two, heard } = await cluster();
    const remove = [
      state.addBusRule((from, to) => (from === 'node-1' && to === 'node-1' ? 'drop' : undefined)),
      state.addBusRule((from, to) => (from === 'node-1' && to === 'node-2' ? { delayMs: 50 } : undefined)),
      state.addBusRule(() => 'duplicate'),
    ];
    void one.publish('all', 'a');
    void two.publish('all', 'b');
    await clock.advance(100);
    for (const end of remove) end();
    void one.publish('all', 'c');
    await clock.advance(1);
    expect(heard).toEqual({ 'node-1': ['b 1', 'b 1', 'c 101'], 'node-2': ['b 1', 'b 1', 'a 51', 'c 101'] });
  });

  it('slows answers and the bus down', async () => {
    const { clock, state, one, heard } = await cluster();
    state.setSlowness(200);
    let isAnswered = false;
    void one.publish('all', 'a').then(() => (isAnswered = true));
    await clock.advance(200);
    expect([isAnswered, heard['node-2']]).toEqual([false, []]);
    await clock.advance(1);
    expect([isAnswered, heard['node-2']]).toEqual([true, ['a 201']]);
  });
});
