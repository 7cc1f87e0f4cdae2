import { describe, expect, it } from 'vitest';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { type Replayed, replay, type ReplayOptions } from '../../../sim/scenario/replay/replay.ts';
import { parseStop } from '../../../sim/scenario/replay/stop.ts';
import { casesOf } from '../../../sim/scenario/run/cases.ts';
import { runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { traceLine } from '../../../sim/scenario/trace/masked-trace.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';

const HEAD = `scenario: mine
cases: [{ cut: 10s }, { cut: 40s }]
actors: { alice: { user: alice }, bob: { user: bob, devices: [phone, laptop] } }
`;
const STEPS = `steps:
  - { do: alice.dial, with: { callee: bob, video: true } }
  - { expect: { bob.phone.call.state: ringing }, within: 1s }
  - { do: bob.phone.accept }
  - { expect: { alice.call.state: connected }, within: 5s }
  - { fault: { kind: media, actor: bob.phone }, until: $case.cut, as: cut }
  - { wait: 60s }
  - { expect: { alice.call.state: connected } }
`;
const scenario = readScenario('mine.yaml', HEAD + STEPS);
const [short, long] = casesOf(scenario);
if (!short || !long) throw new Error('there are two cases');

const again = (options: Partial<ReplayOptions> = {}, one = short): Promise<Replayed> =>
  replay(scenario, one, { seed: 1, ...options });
const stop = (text: string) => parseStop(text, scenario);
const lines = (trace: readonly TraceEvent[]) => trace.map(traceLine);

/** The traces of a run of both cases. */
const first = async () => {
  const results = await runScenario(scenario, {
    name: 'virtual',
    world: virtualWorld,
    stopwatch: () => 0,
  });
  return results.map(({ trace }) => trace);
};

describe('a replay', () => {
  it('has the same events as the run, for any number of stops', async () => {
    const kept = (await first())[0] ?? [];
    let stops = 0;
    const step = async () => {
      stops += 1;
      // The user may take any time. The time of the world does not advance meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      return true;
    };
    const replayed = await again({ kept, step });
    expect(replayed).toMatchObject({ ended: 'over', result: { state: 'passed' } });
    expect(replayed.difference).toBeUndefined();
    expect(lines(replayed.trace)).toEqual(lines(kept));
    expect(stops).toBeGreaterThan(30);
  });

  it('of another case or with another seed is another run', async () => {
    const [kept] = await first();
    expect((await again({ kept }, long)).difference).toBeDefined();
    expect((await again({ kept, seed: 2 })).difference).toBeDefined();
    expect(await again({}, long)).toMatchObject({ ended: 'over', result: { state: 'failed' } });
  });

  it('stops at a moment, after all events that are due then', async () => {
    const { ended, moment, trace } = await again({ until: stop('3ms') });
    expect([ended, moment.at]).toEqual(['there', 3]);
    const [kept = []] = await first();
    const so = kept.filter(({ at }) => at <= 3);
    expect(lines(trace)).toEqual(lines(so));
    expect((await again({ until: stop('17.5s') })).moment).toMatchObject({
      at: 17_500,
      devices: { alice: { 'call.state': 'connected' }, 'bob.phone': { pc: 'connected' }, 'bob.laptop': { calls: 0 } },
      server: { calls: 1 },
    });
  });

  it('stops at a given state, and prints what is due', async () => {
    const { ended, moment, trace } = await again({ until: stop('alice.call.state=reconnecting') });
    expect([ended, moment.devices['alice']?.['call.state']]).toEqual(['there', 'reconnecting']);
    expect(trace.at(-1)).toMatchObject({ at: moment.at });
    expect(moment.pending?.length).toBeGreaterThan(3);
    expect(moment.pending).toEqual(moment.pending?.toSorted((a, b) => a - b));
  });

  it('that never reaches the stop goes to its end', async () => {
    expect((await again({ until: stop('alice.pc=closed') })).ended).toBe('over');
    expect((await again({ until: stop('10m') })).ended).toBe('over');
  });

  it('ends when its observer stops it, and shows nothing after that', async () => {
    let shown = 0;
    const replayed = await again({ step: async () => (shown += 1) < 4 });
    expect([replayed.ended, shown]).toEqual(['left', 4]);
    expect(replayed.moment.at).toBeLessThan(10);
  });

  it('reports at which event it differs from the trace, and in what', async () => {
    const kept = (await first())[0] ?? [];
    const changed = (at: number, change: object) =>
      kept.map((event, index) => (index === at ? { ...event, ...change } : event));
    const offer = kept.findIndex((event) => event.kind === 'message' && event.cmd === 'offer');
    expect((await again({ kept: changed(offer, { payload: { call_id: 'other' } }) })).difference).toEqual({
      event: offer + 1,
      message: expect.stringMatching(/^0\.\d{3} s, alice to exchange: offer: payload\.call_id was "other", then "id-/),
    });
    expect((await again({ kept: changed(offer, { cmd: 'answer' }) })).difference?.message).toMatch(
      /^it was 0\.\d{3} s, alice to exchange: answer; now it is 0\.\d{3} s, alice to exchange: offer$/,
    );
    expect((await again({ kept: kept.slice(0, -1) })).difference).toMatchObject({
      event: kept.length,
      message: expect.stringMatching(/^it was the end; now it is /),
    });
    // The rest of the trace is no difference when the replay stops before it.
    expect((await again({ kept, until: stop('1s') })).difference).toBeUndefined();
  });

  it('accepts that a step has another place in its file now', async () => {
    const [kept] = await first();
    const moved = readScenario('mine.yaml', `# A word more.\n${HEAD}${STEPS}`);
    expect((await replay(moved, short, { seed: 1, kept })).difference).toBeUndefined();
  });
});

describe('the stop of a replay', () => {
  it.each([
    ['soon', 'soon is neither a moment, like 17.5s, nor a value, like alice.pc=closed'],
    ['17.5', '17.5 is neither a moment'],
    ['carol.pc=closed', 'there is no device carol: they are alice, bob.phone, bob.laptop'],
    ['bob.pc=closed', 'there is no device bob'],
    ['bob.phone.pcc=closed', 'bob.phone has no value pcc (did you mean pc?)'],
    ['server.call=1', 'server has no value call (did you mean calls?)'],
  ])('is refused with the correct form: %s', (text, message) => {
    expect(() => stop(text)).toThrow(message);
  });

  it('is a moment, or a value as a scenario expects it', () => {
    expect(['500ms', 'server.calls=1', 'alice.call.onHold=true', 'alice.errors=any'].map(stop)).toEqual([
      { at: 500 },
      { path: 'server.calls', wanted: 1 },
      { path: 'alice.call.onHold', wanted: true },
      { path: 'alice.errors', wanted: 'any' },
    ]);
  });
});
