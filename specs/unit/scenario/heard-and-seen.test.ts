import { describe, expect, it } from 'vitest';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { type CaseResult, runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';

const HEAD = 'scenario: mine\nactors: { alice: { user: alice }, bob: { user: bob } }\nsteps:\n';
const CALL = [
  '{ do: alice.dial, with: { callee: bob, video: true }, as: call }',
  '{ expect: { bob.call.state: ringing }, within: 1s }',
  '{ do: bob.accept }',
  '{ expect: { alice.call.state: connected, bob.call.state: connected }, within: 5s }',
];
const fault = (text: string) => `{ fault: { ${text} } }`;
const quality = (text: string) => fault(`kind: quality, between: [alice, bob], ${text}`);

async function run(...steps: readonly string[]): Promise<CaseResult> {
  const [result] = await runScenario(
    readScenario('mine.yaml', `${HEAD}${steps.map((step) => `  - ${step}\n`).join('')}`),
    { name: 'virtual', world: virtualWorld, stopwatch: () => 0 },
  );
  if (!result) throw new Error('no case was run');
  return result;
}

const verdict = async (...steps: readonly string[]) => {
  const { failure, state } = await run(...steps);
  return failure?.message ?? state;
};

const both = (values: string) =>
  `{ expect: { ${['alice', 'bob'].flatMap((name) => values.split(', ').map((one) => `${name}.${one}`)).join(', ')} } }`;
const NOTHING = both('audio.tone: 0, video.fps: 0, video.marker: none');

describe('audio and video in virtual time', () => {
  it('of media that is lost in one direction are absent at its receiver, and complete at the other side', async () => {
    const bobIsDeaf =
      '{ expect: { alice.audio.tone: 660, alice.video.marker: advancing, bob.audio.tone: 0, bob.video.fps: 0, bob.video.marker: none } }';
    const aliceIsDeaf =
      '{ expect: { alice.audio.tone: 0, alice.video.fps: 0, alice.video.marker: none, bob.audio.tone: 440, bob.video.marker: advancing } }';
    expect(await verdict(fault('kind: media, actor: alice, way: out'), ...CALL, '{ wait: 5s }', bobIsDeaf)).toBe(
      'passed',
    );
    expect(await verdict(fault('kind: media, actor: alice, way: in'), ...CALL, '{ wait: 5s }', aliceIsDeaf)).toBe(
      'passed',
    );
    // The same from the other side.
    expect(await verdict(fault('kind: media, actor: bob, way: in'), ...CALL, '{ wait: 5s }', bobIsDeaf)).toBe('passed');
    expect(await verdict(...CALL, fault('kind: media, actor: bob, way: out'), '{ wait: 5s }', aliceIsDeaf)).toBe(
      'passed',
    );
  });

  it('return when the loss ends', async () => {
    const cut = '{ fault: { kind: media, actor: alice, way: out }, until: 3s }';
    const heard = '{ expect: { bob.audio.tone: 440, bob.video.marker: advancing, bob.call.reconnected: 0 } }';
    expect(
      await verdict(...CALL, cut, '{ wait: 2s }', '{ expect: { bob.audio.tone: 0 } }', '{ wait: 2s }', heard),
    ).toBe('passed');
  });

  it('are absent when every packet is lost, and the call reconnects like over a path that is cut', async () => {
    expect(
      await verdict(
        ...CALL,
        quality('loss: 1, rtt: 10ms'),
        '{ wait: 5s }',
        NOTHING,
        '{ expect: { alice.call.state: reconnecting, bob.call.state: reconnecting }, within: 3s }',
        '{ expect: { alice.call.result: connection_lost }, within: 31s }',
      ),
    ).toBe('passed');
  });

  it.each([
    ['loss: 0.3', 'audio.tone: ">= 440", video.fps: 17, video.marker: advancing'],
    ['loss: 0.49', 'audio.tone: ">= 440", video.fps: 12, video.marker: advancing'],
    // Half of a window has as much of another sound as of the tone.
    ['loss: 0.5', 'audio.tone: 0, video.fps: 0, video.marker: none'],
    ['loss: 0.9', 'audio.tone: 0, video.fps: 0, video.marker: none'],
    ['kbps: 100', 'audio.tone: 0, video.fps: 0, video.marker: none'],
  ])('of a path with %s are %s', async (path, seen) => {
    expect(await verdict(quality(path), ...CALL, '{ wait: 5s }', both(seen))).toBe('passed');
  });

  it('of a path that loses in bursts are complete between two bursts, and absent in one', async () => {
    // 10 % in bursts of 500 ms: one burst begins every 5 s.
    const wait = '{ wait: 100ms }';
    const lossy = [...CALL, quality('loss: 0.1, burst: 500ms')];
    const silent = '{ expect: { bob.audio.tone: 0, bob.video.marker: none }, within: 5s, label: silent }';
    const back =
      '{ expect: { bob.audio.tone: 440, bob.video.marker: advancing }, between: [300ms, 1100ms], since: silent }';
    expect(await verdict(...lossy, wait, silent, back, silent.replace('silent }', 'again }'))).toBe('passed');
  });

  it('agree with the statistics: the side that hears nothing reports the loss, and the worst quality', async () => {
    const audioOf = (result: CaseResult, device: string) => {
      const sent = result.trace.find(
        (event) =>
          event.kind === 'http' &&
          event.device === device &&
          event.direction === 'up' &&
          event.request.endsWith('/summary'),
      );
      const body = sent?.kind === 'http' ? (sent.body as { summary_data?: { audio?: Record<string, number> } }) : {};
      return {
        loss: body.summary_data?.audio?.['packet_loss_rate'] ?? -1,
        mos: body.summary_data?.audio?.['mos'] ?? -1,
      };
    };
    const ended = ['{ wait: 30s }', '{ do: alice.end }', '{ wait: 1s }'];
    const oneWay = await run(fault('kind: media, actor: alice, way: out'), ...CALL, ...ended);
    expect(oneWay.failure).toBeUndefined();
    expect(audioOf(oneWay, 'bob').loss).toBeGreaterThan(0.9);
    expect(audioOf(oneWay, 'bob').mos).toBeLessThan(1.5);
    expect(audioOf(oneWay, 'alice').loss).toBe(0);
    expect(audioOf(oneWay, 'alice').mos).toBeGreaterThan(4);
    const allLost = await run(...CALL, quality('loss: 1'), '{ wait: 6s }', '{ do: alice.end }', '{ wait: 1s }');
    for (const device of ['alice', 'bob']) {
      expect(audioOf(allLost, device).loss).toBeGreaterThan(0.9);
      expect(audioOf(allLost, device).mos).toBeLessThan(1.5);
    }
  });
});
