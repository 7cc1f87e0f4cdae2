import { describe, expect, it } from 'vitest';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';

const HEAD = 'scenario: mine\nactors: { alice: { user: alice }, bob: { user: bob } }\nsteps:\n';
const CALL = [
  '{ do: alice.dial, with: { callee: bob, video: true }, as: call }',
  '{ expect: { bob.call.state: ringing }, within: 1s }',
  '{ do: bob.accept }',
  '{ expect: { alice.call.state: connected, bob.call.state: connected }, within: 5s }',
];

async function verdict(...steps: readonly string[]): Promise<string> {
  const file = `${HEAD}${[...CALL, ...steps].map((step) => `  - ${step}\n`).join('')}`;
  const [result] = await runScenario(readScenario('mine.yaml', file), {
    name: 'virtual',
    world: virtualWorld,
    stopwatch: () => 0,
  });
  return result?.failure?.message ?? result?.state ?? 'no result';
}

const BROKEN = '{ expect: { alice.ws: closed }, within: 1s }';
const UNHEARD = '{ expect: { alice.audio.tone: 0, bob.audio.tone: 0 } }';
const HEARD = '{ expect: { alice.audio.tone: 660, bob.audio.tone: 440 } }';
const RECONNECTS = '{ expect: { alice.call.state: reconnecting, bob.call.state: reconnecting }, within: 9s }';
const STAYS = '{ expect: { alice.call.state: connected, bob.call.state: connected }, for: 15s }';

describe('a user who is offline', () => {
  it('has neither signalling nor media, and a call that reconnects', async () => {
    const offline = '{ fault: { kind: offline, actor: alice } }';
    expect(await verdict(offline, BROKEN, UNHEARD, RECONNECTS)).toBe('passed');
  });

  it('has both back at the end, at once: the page gets the online event', async () => {
    const offline = '{ fault: { kind: offline, actor: alice }, until: 3s }';
    // Without the online event the next retry would be seconds later.
    const back = '{ expect: { alice.ws: open }, within: 100ms }';
    expect(await verdict(offline, BROKEN, '{ wait: 3s }', back, HEARD)).toBe('passed');
  });
});

describe('a user whose signalling is cut, the fault `network`', () => {
  it('sends and receives audio all the same', async () => {
    expect(await verdict('{ fault: { kind: network, actor: alice } }', BROKEN, HEARD, STAYS, HEARD)).toBe('passed');
  });
});
